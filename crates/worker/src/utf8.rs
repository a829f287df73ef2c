//! Text out of bytes that are cut anywhere.

/// Puts characters together that arrive in pieces.
#[derive(Default)]
pub(crate) struct Utf8Stream {
    /// The beginning of a character, at most three bytes.
    pending: Vec<u8>,
}

impl Utf8Stream {
    /// The whole characters that these bytes complete. What can never become a character is replaced.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let keep = incomplete_tail(&self.pending);
        let whole = self.pending.len() - keep;
        let text = String::from_utf8_lossy(&self.pending[..whole]).into_owned();
        self.pending.drain(..whole);
        text
    }

    /// What is left at the end of the stream.
    pub(crate) fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()
    }
}

/// How many bytes at the end are the beginning of a character.
fn incomplete_tail(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    loop {
        match std::str::from_utf8(rest) {
            Ok(_) => return 0,
            Err(error) => match error.error_len() {
                Some(length) => rest = &rest[error.valid_up_to() + length..],
                None => return rest.len() - error.valid_up_to(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_survive_any_cut() {
        let text = "a∂é🦀z";
        for piece in 1..=text.len() {
            let mut stream = Utf8Stream::default();
            let whole: String =
                text.as_bytes().chunks(piece).map(|part| stream.push(part)).collect();
            assert_eq!(whole + &stream.finish(), text);
        }
    }

    #[test]
    fn what_is_no_text_is_replaced_and_not_kept_back() {
        let mut stream = Utf8Stream::default();
        assert_eq!(stream.push(b"a\xffb\xe2\x88"), "a\u{fffd}b");
        assert_eq!(stream.finish(), "\u{fffd}");
    }
}
