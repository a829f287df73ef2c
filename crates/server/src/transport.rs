//! Standard input and output as the protocol's own.

use std::fs::File;
use std::os::fd::AsFd;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// The largest message that is read.
const MAX_MESSAGE: usize = 256 << 20;

/// Keeps standard output for the protocol: everything else that prints there goes to standard error.
pub(crate) fn claim_stdout() -> std::io::Result<File> {
    let output = std::io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(std::io::stderr().as_fd())?;
    Ok(File::from(output))
}

/// Standard input without messages that are no JSON: one of them would end the session.
pub(crate) fn checked_input() -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(forward(BufReader::new(tokio::io::stdin()), ours));
    theirs
}

async fn forward(
    mut input: impl tokio::io::AsyncBufRead + Unpin,
    mut output: impl tokio::io::AsyncWrite + Unpin,
) {
    while let Some(content) = message(&mut input).await {
        if serde_json::from_slice::<serde::de::IgnoredAny>(&content).is_err() {
            eprintln!("neurc lsp: a message that is no JSON was left out");
            continue;
        }
        let header = format!("Content-Length: {}\r\n\r\n", content.len());
        if output.write_all(header.as_bytes()).await.is_err()
            || output.write_all(&content).await.is_err()
        {
            return;
        }
    }
}

/// The next message; none at the end of the input.
async fn message(input: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> Option<Vec<u8>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
        // An empty line ends the header; one without a length is left out.
        if text.is_empty()
            && let Some(length) = length
        {
            if length > MAX_MESSAGE {
                eprintln!("neurc lsp: a message of {length} bytes is too long");
                return None;
            }
            let mut content = vec![0; length];
            input.read_exact(&mut content).await.ok()?;
            return Some(content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn broken_messages_are_left_out() {
        let text = b"Content-Length: 2\r\n\r\n{}Content-Length: 5\r\n\r\n{\"a\":Content-Length: 1\r\nX: y\r\n\r\n1";
        let mut output = Vec::new();
        forward(&text[..], &mut output).await;
        let expected = "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1";
        assert_eq!(String::from_utf8(output).expect("text"), expected);
    }
}
