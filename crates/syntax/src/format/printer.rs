//! Documents to text.

use super::document::{Element, Line};
use super::{FORMAT_WIDTH, INDENT};

/// Prints a settled document; every line ends with `new_line`, the last one too.
pub(super) fn print(elements: &[Element<'_>], new_line: &'static str) -> String {
    let mut printer = Printer { elements, new_line, ..Printer::default() };
    for at in 0..elements.len() {
        printer.element(at);
    }
    printer.end_line();
    printer.out
}

/// Whether the lines of a group end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
    /// Not decided yet: the group stands behind the place where the printer is.
    Open,
}

#[derive(Default)]
struct Printer<'d> {
    elements: &'d [Element<'d>],
    new_line: &'static str,
    out: String,
    /// How many characters the current line has.
    column: usize,
    /// Whether a space stands in front of the next text.
    space: bool,
    /// Whether the line before the current one is empty.
    blank: bool,
    /// The comments for the end of the current line.
    suffixes: Vec<&'d str>,
    /// The modes of the open groups, innermost last.
    modes: Vec<Mode>,
    /// How many levels each open indentation adds, innermost last.
    indents: Vec<usize>,
    indent: usize,
    /// How many levels the current line is indented by.
    line_indent: usize,
}

impl<'d> Printer<'d> {
    fn element(&mut self, at: usize) {
        match &self.elements[at] {
            Element::Text(text) => self.text(text),
            Element::Space => self.space = true,
            Element::SpaceInside => self.space |= !self.out.ends_with(['(', '[']),
            Element::Line(line) => self.line(*line),
            Element::Suffix(text) => self.suffixes.push(text),
            Element::Either { broken, flat } => {
                self.text(if self.is_flat() { flat } else { broken });
            }
            Element::GroupStart(group) => {
                let flat = self.is_flat_group(group.broken, at);
                self.modes.push(if flat { Mode::Flat } else { Mode::Broken });
            }
            Element::GroupEnd => {
                self.modes.pop();
            }
            Element::Tail(_) => {}
            Element::IndentStart(levels) => {
                let levels = if self.is_flat() { 0 } else { usize::from(*levels) };
                self.indents.push(levels);
                self.indent += levels;
            }
            Element::IndentEnd => self.indent -= self.indents.pop().unwrap_or_default(),
        }
    }

    fn is_flat(&self) -> bool {
        self.modes.last() == Some(&Mode::Flat)
    }

    fn is_flat_group(&self, broken: bool, at: usize) -> bool {
        // In a group on one line everything has been measured with it.
        !broken && (self.is_flat() || self.fits(at))
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.column == 0 {
            let width = self.line_indent * INDENT;
            self.out.extend(std::iter::repeat_n(' ', width));
            self.column = width;
        } else if self.space && text != "," {
            self.out.push(' ');
            self.column += 1;
        }
        self.space = false;
        self.blank = false;
        self.out.push_str(text);
        match text.rfind('\n') {
            // A string that is never closed may end with a line.
            Some(end) => self.column = width(&text[end + 1..]),
            None => self.column += width(text),
        }
    }

    fn line(&mut self, line: Line) {
        match line {
            Line::Soft if self.is_flat() => {}
            Line::Space if self.is_flat() => self.space = true,
            Line::Soft | Line::Space | Line::Hard => self.end_line(),
            Line::Blank => {
                self.end_line();
                if !self.out.is_empty() && !std::mem::replace(&mut self.blank, true) {
                    self.out.push_str(self.new_line);
                }
            }
        }
    }

    /// Ends the line, unless it is empty.
    fn end_line(&mut self) {
        for suffix in std::mem::take(&mut self.suffixes) {
            // Each ends a line; what has moved to the end of the same line goes below.
            self.space = true;
            self.text(suffix);
            self.begin_line();
        }
        self.begin_line();
    }

    fn begin_line(&mut self) {
        self.space = false;
        if self.column > 0 {
            self.out.push_str(self.new_line);
        }
        self.column = 0;
        self.line_indent = self.indent;
    }

    /// Whether a group fits on the line, with what follows it up to where the line may end.
    fn fits(&self, start: usize) -> bool {
        let column = if self.column == 0 { self.line_indent * INDENT } else { self.column };
        let space = self.space && self.column > 0;
        let mut measure = Measure { left: FORMAT_WIDTH.saturating_sub(column), space };
        let mut inner = vec![Mode::Flat];
        let mut outer = self.modes.as_slice();
        for element in &self.elements[start + 1..] {
            let mode = *inner.last().or(outer.last()).unwrap_or(&Mode::Broken);
            let fits = match element {
                Element::Text(text) => match text.split_once('\n') {
                    Some((line, _)) => return measure.text(line),
                    None => measure.text(text),
                },
                Element::Line(line) if line.is_forced() => return true,
                Element::Line(_) if mode != Mode::Flat => return true,
                Element::Line(Line::Space) | Element::Space | Element::SpaceInside => {
                    measure.space = true;
                    true
                }
                Element::Either { broken, .. } if mode == Mode::Broken => measure.text(broken),
                Element::Either { flat, .. } => measure.text(flat),
                Element::GroupStart(group) => {
                    inner.push(match mode {
                        _ if group.broken => Mode::Broken,
                        Mode::Flat => Mode::Flat,
                        _ if group.reluctant => Mode::Flat,
                        _ => Mode::Open,
                    });
                    true
                }
                Element::GroupEnd => {
                    if inner.pop().is_none() {
                        outer = outer.split_last().map_or(&[], |(_, rest)| rest);
                    }
                    true
                }
                _ => true,
            };
            if !fits {
                return false;
            }
        }
        true
    }
}

struct Measure {
    left: usize,
    space: bool,
}

impl Measure {
    /// Takes the room for a text; gives whether there was enough.
    fn text(&mut self, text: &str) -> bool {
        if text.is_empty() {
            return true;
        }
        let space = std::mem::take(&mut self.space) && text != ",";
        let needed = width(text) + usize::from(space);
        let left = self.left.checked_sub(needed);
        self.left = left.unwrap_or_default();
        left.is_some()
    }
}

/// How many columns a text takes.
fn width(text: &str) -> usize {
    text.chars().count()
}
