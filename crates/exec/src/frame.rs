//! Frames: a length of 32 bits, little-endian, and as many bytes of JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of the length.
const HEADER: usize = 4;

/// No frame is longer; a longer one means that the two sides lost step.
const MAX_CONTENT: usize = 1 << 30;

/// Writes one message as a frame. The caller flushes.
pub fn write_frame(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; HEADER];
    serde_json::to_writer(&mut frame, message)?;
    let content = frame.len() - HEADER;
    let length = u32::try_from(content).ok().filter(|_| content <= MAX_CONTENT);
    let length = length.ok_or_else(|| io::Error::other("a message is too long for a frame"))?;
    frame[..HEADER].copy_from_slice(&length.to_le_bytes());
    to.write_all(&frame)
}

/// Puts frames together from bytes that arrive in any pieces.
#[derive(Default, Debug)]
pub struct FrameReader {
    pending: Vec<u8>,
}

impl FrameReader {
    /// Takes bytes as they arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The next message that is complete, if there is one. After an error the stream is useless.
    pub fn next_message<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some(header) = self.pending.first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let content = u32::from_le_bytes(*header) as usize;
        if content > MAX_CONTENT {
            let message = format!("a frame of {content} bytes was announced");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let Some(frame) = self.pending.get(HEADER..HEADER + content) else {
            return Ok(None);
        };
        let message = serde_json::from_slice(frame)?;
        self.pending.drain(..HEADER + content);
        Ok(Some(message))
    }

    /// Whether a frame has begun and is not complete.
    pub fn is_partial(&self) -> bool {
        !self.pending.is_empty()
    }
}

#[cfg(test)]
mod tests;
