//! The lines of a text that a diagnostic shows, shortened where a line is very long.
//!
//! Drawing takes time in proportion to the text that is drawn, so each diagnostic gets no more than it needs.

use std::ops::Range;

use super::positions::Lines;

/// Bytes of the longest line that is shown whole.
const WHOLE: usize = 140;

/// Bytes that are shown on either side of a place in a longer line.
const AROUND: usize = 60;

/// What stands for the text that is left out.
const ELLIPSIS: &str = "...";

/// Bytes of the shortest text that is left out.
const GAP: usize = 20;

/// Lines between places that are shown apart.
const FAR: usize = 60;

/// The lines around some ranges of a text.
pub(crate) struct Excerpt {
    /// The lines.
    pub(crate) text: String,
    /// The number of the first line, from 1.
    pub(crate) first_line: usize,
    /// Whether a line was shortened, so that columns count differently.
    pub(crate) shortened: bool,
    /// What was kept, in order.
    pieces: Vec<Piece>,
}

/// A part of the text that stands in the excerpt.
struct Piece {
    /// Where it starts in the text.
    from: usize,
    /// Where it starts in the excerpt.
    to: usize,
    /// Its length.
    length: usize,
}

impl Excerpt {
    /// The lines that hold the ranges.
    pub(crate) fn new(text: &str, lines: &Lines, ranges: &[Range<usize>]) -> Self {
        let mut places: Vec<usize> =
            ranges.iter().flat_map(|range| [range.start, range.end]).collect();
        places.sort_unstable();
        let first = lines.line_of(places.first().copied().unwrap_or_default());
        let last = lines.line_of(places.last().copied().unwrap_or_default());
        let mut excerpt = Self {
            text: String::new(),
            first_line: first + 1,
            shortened: false,
            pieces: Vec::new(),
        };
        for line in (first..=last).map(|line| lines.line(line)) {
            if line.len() <= WHOLE {
                excerpt.keep(text, line);
            } else {
                let from = places.partition_point(|place| *place < line.start);
                // The end of a line is the start of the next one.
                let last = line.end == text.len();
                let to = places.partition_point(|place| *place < line.end || last);
                excerpt.shorten(text, line, places.get(from..to).unwrap_or_default());
            }
        }
        excerpt
    }

    /// Where a range of the text stands in the excerpt.
    pub(crate) fn range(&self, range: &Range<usize>) -> Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        start..end.max(start)
    }

    fn offset(&self, offset: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.from <= offset);
        match after.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(piece) => piece.to + (offset - piece.from).min(piece.length),
            None => 0,
        }
    }

    fn keep(&mut self, text: &str, range: Range<usize>) {
        let kept = text.get(range.clone()).unwrap_or_default();
        self.pieces.push(Piece { from: range.start, to: self.text.len(), length: kept.len() });
        self.text.push_str(kept);
    }

    /// Keeps what stands around the places of a line, or its start if there is none.
    fn shorten(&mut self, text: &str, line: Range<usize>, places: &[usize]) {
        let whole = text.get(line.clone()).unwrap_or_default();
        let content = line.start + whole.trim_end_matches(['\r', '\n']).len();
        let start = [line.start];
        let places = if places.is_empty() { &start[..] } else { places };
        let mut end = line.start;
        for place in places {
            let mut from = text.floor_char_boundary(place.saturating_sub(AROUND)).max(end);
            let mut to = text.ceil_char_boundary(place.saturating_add(AROUND)).min(content);
            if to <= end {
                continue;
            }
            if from > end + GAP {
                self.leave_out();
            } else {
                from = end;
            }
            if content <= to + GAP {
                to = content;
            }
            self.keep(text, from..to);
            end = to;
        }
        if end < content {
            self.leave_out();
        }
        self.keep(text, content..line.end);
    }

    fn leave_out(&mut self) {
        self.text.push_str(ELLIPSIS);
        self.shortened = true;
    }
}

/// The part of a range that is shown: one that reaches over many lines ends with its first.
pub(crate) fn shown(lines: &Lines, range: Range<usize>) -> Range<usize> {
    let first = lines.line_of(range.start);
    if lines.line_of(range.end) - first <= FAR {
        return range;
    }
    let end = lines.line(first).end.saturating_sub(1);
    range.start..end.max(range.start)
}

/// Whether the places are so far from each other that they are not shown together.
pub(crate) fn are_far(lines: &Lines, one: &Range<usize>, other: &Range<usize>) -> bool {
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    lines.line_of(second.start).saturating_sub(lines.line_of(first.end)) > FAR
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, words: &[&str]) -> (Excerpt, Vec<String>) {
        let find = |word: &&str| {
            let start = text.find(word).unwrap();
            start..start + word.len()
        };
        let ranges: Vec<_> = words.iter().map(find).collect();
        let excerpt = Excerpt::new(text, &Lines::new(text), &ranges);
        let shown = |range| excerpt.text.get(excerpt.range(range)).unwrap().to_owned();
        let shown = ranges.iter().map(shown).collect();
        (excerpt, shown)
    }

    #[test]
    fn only_the_lines_of_the_ranges_are_taken() {
        let (excerpt, words) = excerpt("one\ntwo\nthree\r\nfour\nfive", &["wo", "hree"]);
        assert_eq!((&*excerpt.text, excerpt.first_line), ("two\nthree\r\n", 2));
        assert_eq!((words, excerpt.shortened), (vec!["wo".to_owned(), "hree".to_owned()], false));
    }

    #[test]
    fn a_long_line_is_shortened_around_each_place() {
        let gap = "é".repeat(5000);
        let text = format!("first\n{gap}here{gap}there{gap}\r\nlast");
        let (excerpt, words) = excerpt(&text, &["here", "there"]);
        assert_eq!(words, ["here", "there"]);
        assert!(excerpt.shortened && excerpt.text.len() < 6 * AROUND, "{}", excerpt.text.len());
        assert_eq!(excerpt.text.matches(ELLIPSIS).count(), 3);
        assert!(excerpt.text.ends_with("é...\r\n"));
    }

    #[test]
    fn the_ends_of_a_long_line_are_places_too() {
        let text = format!("a{}b\n", " ".repeat(5000));
        let (excerpt, words) = excerpt(&text, &["a", "b\n"]);
        assert_eq!(words, ["a", "b\n"]);
        assert_eq!(excerpt.text.matches(ELLIPSIS).count(), 1);
    }

    #[test]
    fn places_that_are_far_from_each_other_are_told() {
        let text = "\n".repeat(1000);
        let lines = Lines::new(&text);
        assert!(!are_far(&lines, &(20..21), &(3..4)));
        assert!(are_far(&lines, &(500..501), &(3..4)));
        assert_eq!(shown(&lines, 3..10), 3..10);
        assert_eq!(shown(&lines, 3..900), 3..3);
    }
}
