//! Positions between the client's units and byte offsets.

use line_index::{LineCol, LineIndex, WideEncoding, WideLineCol};
use lsp_types::{ClientCapabilities, Position, PositionEncodingKind, Range};
use text_size::{TextRange, TextSize};

/// What the client counts columns in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// 16-bit units: what every client can.
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// Bytes if the client can, else what it likes best.
    pub(crate) fn negotiate(capabilities: &ClientCapabilities) -> Self {
        let offered =
            capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let offered = offered.unwrap_or_default();
        if offered.contains(&PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if offered.first() == Some(&PositionEncodingKind::UTF32) {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    /// The protocol's word.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn wide(self) -> Option<WideEncoding> {
        match self {
            Encoding::Utf8 => None,
            Encoding::Utf16 => Some(WideEncoding::Utf16),
            Encoding::Utf32 => Some(WideEncoding::Utf32),
        }
    }
}

/// The offset of a position. A column past the end of its line is the line's end, a line past the last one
/// the end of the text; a position inside a character is its start.
pub(crate) fn offset(
    lines: &LineIndex,
    text: &str,
    position: Position,
    encoding: Encoding,
) -> TextSize {
    let Some(line) = lines.line(position.line) else { return TextSize::of(text) };
    let content = text.get(std::ops::Range::<usize>::from(line)).unwrap_or_default();
    let end = line.start() + TextSize::of(content.trim_end_matches(['\n', '\r']));
    // No unit is shorter than a byte. Behind the line the table would count on, beyond its numbers even.
    if position.character > u32::from(line.len()) {
        return end;
    }
    let column = match encoding.wide() {
        None => LineCol { line: position.line, col: position.character },
        Some(wide) => {
            let position = WideLineCol { line: position.line, col: position.character };
            match lines.to_utf8(wide, position) {
                Some(position) => position,
                None => return end,
            }
        }
    };
    let Some(offset) = lines.offset(column) else { return end };
    let mut offset = usize::from(offset.min(end));
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    TextSize::try_from(offset).unwrap_or(end)
}

/// The range of two positions; one that ends before it starts is empty.
pub(crate) fn text_range(
    lines: &LineIndex,
    text: &str,
    range: Range,
    encoding: Encoding,
) -> TextRange {
    let start = offset(lines, text, range.start, encoding);
    let end = offset(lines, text, range.end, encoding);
    TextRange::new(start, end.max(start))
}

/// The position of an offset.
pub(crate) fn position(lines: &LineIndex, offset: TextSize, encoding: Encoding) -> Position {
    let at = lines.line_col(offset.min(lines.len()));
    match encoding.wide().and_then(|wide| lines.to_wide(wide, at)) {
        Some(wide) => Position::new(wide.line, wide.col),
        None => Position::new(at.line, at.col),
    }
}

/// The positions of a range.
pub(crate) fn range(lines: &LineIndex, range: TextRange, encoding: Encoding) -> Range {
    Range::new(position(lines, range.start(), encoding), position(lines, range.end(), encoding))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_boundary_survives_the_way_there_and_back() {
        let text = "val é = 1 // 𝒳\r\nval b = \"𝒳é\"\n\nx";
        let lines = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (at, character) in text.char_indices().filter(|(_, character)| *character != '\n') {
                let at = TextSize::try_from(at).expect("small");
                let there = position(&lines, at, encoding);
                assert_eq!(offset(&lines, text, there, encoding), at, "{encoding:?} {character:?}");
            }
        }
    }

    #[test]
    fn a_position_behind_a_line_is_its_end() {
        let text = "é\n𝒳\n";
        let lines = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for character in [5, 1000, u32::MAX] {
                let behind = |line| Position::new(line, character);
                let offset = |position| offset(&lines, text, position, encoding);
                assert_eq!(offset(behind(0)), TextSize::new(2), "{encoding:?} {character}");
                assert_eq!(offset(behind(1)), TextSize::new(7), "{encoding:?} {character}");
                assert_eq!(offset(behind(u32::MAX)), TextSize::new(8), "{encoding:?} {character}");
            }
        }
    }

    #[test]
    fn a_position_inside_a_character_is_its_start() {
        let text = "𝒳";
        let inside = offset(&LineIndex::new(text), text, Position::new(0, 2), Encoding::Utf8);
        assert_eq!(inside, TextSize::new(0));
    }
}
