//! Words of ASCII characters, and numbers of a few digits: most of what is read.

use super::{Lexer, behind};
use crate::SyntaxKind;
use crate::keywords::{short_word_kind, word_kind};

impl Lexer<'_> {
    /// A name or a keyword whose first character is a letter of ASCII; gives where it ends.
    pub(super) fn word(&mut self, from: usize, bytes: &[u8]) -> usize {
        let Some(ahead) = bytes.get(from..).and_then(<[u8]>::first_chunk) else {
            return self.word_at_end(from, bytes);
        };
        let ahead = u64::from_le_bytes(*ahead);
        let length = word_length(ahead);
        if length == 8 {
            return self.word_at_end(from, bytes);
        }
        let to = from + length;
        if !bytes[to].is_ascii() {
            return self.other(from, bytes.len());
        }
        self.push_word(short_word_kind(ahead & !(u64::MAX << (8 * length))), to)
    }

    /// A word of eight bytes or more, or one near the end.
    fn word_at_end(&mut self, from: usize, bytes: &[u8]) -> usize {
        let to = behind(bytes, from, |byte| WORD_BYTES[usize::from(byte)]);
        if bytes.get(to).is_some_and(|byte| !byte.is_ascii()) {
            return self.other(from, bytes.len());
        }
        self.push_word(word_kind(&self.text[from..to]), to)
    }

    /// A number; gives where it ends. Most numbers are a few digits, maybe with a point between them.
    pub(super) fn plain_number(&mut self, from: usize, bytes: &[u8]) -> usize {
        let digits = |from: usize| behind(bytes, from, |byte| byte.is_ascii_digit());
        let goes_on = |at: usize| bytes.get(at).is_some_and(|byte| WORD_BYTES[usize::from(*byte)]);
        let whole = digits(from);
        let (kind, to) = match bytes.get(whole..) {
            Some([b'.', b'0'..=b'9', ..]) => (SyntaxKind::FLOAT, digits(whole + 1)),
            _ => (SyntaxKind::INT, whole),
        };
        // Every number of so few digits fits in 64 bits.
        if goes_on(to) || kind == SyntaxKind::INT && to - from > 18 {
            return self.other(from, bytes.len());
        }
        self.push_word(kind, to)
    }
}

/// Which bytes a name of ASCII characters goes on with.
static WORD_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// How many of eight bytes belong to a word that begins with the first one, which is the lowest of the number.
///
/// All eight are looked at side by side: a loop that ends at the first other byte ends where no processor expects it.
#[inline]
fn word_length(bytes: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    // The highest bit of each byte that is at least `least`; a byte of more than seven bits is none.
    let from = |bytes: u64, least: u8| (bytes & !HIGH) + (0x80 - u64::from(least)) * ONES;
    let between = |bytes: u64, first: u8, last: u8| from(bytes, first) & !from(bytes, last + 1);
    let letters = between(bytes | (0x20 * ONES), b'a', b'z');
    let others = between(bytes, b'0', b'9') | between(bytes, b'_', b'_');
    let outside = (!(letters | others) | bytes) & HIGH;
    // The lowest byte that is outside comes first.
    outside.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_are_told_apart_as_one_is() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut bytes = *b"azAZ09_m";
                bytes[place] = byte;
                let wanted = if WORD_BYTES[usize::from(byte)] { 8 } else { place };
                assert_eq!(word_length(u64::from_le_bytes(bytes)), wanted, "{byte} at {place}");
            }
        }
    }
}
