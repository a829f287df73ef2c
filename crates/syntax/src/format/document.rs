//! Documents: texts, and places where a line may end.
//!
//! A document is a flat list, as groups and indentation open and close; nothing in it nests in memory, so
//! that no program is too deep for it.

use std::borrow::Cow;

/// A piece of a document.
#[derive(Debug, Clone)]
pub(super) enum Element<'a> {
    /// A text as it is; it may hold new lines.
    Text(Cow<'a, str>),
    /// A space, unless a line begins or ends here.
    Space,
    /// A space, unless a line or what is in brackets begins here.
    SpaceInside,
    /// A place where a line may or must end.
    Line(Line),
    /// A comment that ends its line: it stands at the end of the line that it falls on.
    Suffix(&'a str),
    /// A text for a group on several lines, and one for a group on one line.
    Either { broken: &'static str, flat: &'static str },
    /// The start of a group: its lines end all or none.
    GroupStart(Group),
    /// The end of the innermost group.
    GroupEnd,
    /// Whether what follows may go on over several lines without breaking the group around it.
    Tail(bool),
    /// From here on lines are indented by so many levels more, if the group around it is broken.
    IndentStart(u8),
    /// The end of the innermost indentation.
    IndentEnd,
}

/// A place where a line may or must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing, in a group on one line.
    Soft,
    /// A space, in a group on one line.
    Space,
    /// The line ends, unless it is empty.
    Hard,
    /// The line ends, and an empty one follows.
    Blank,
}

impl Line {
    /// Whether the line ends in any case.
    pub(super) fn is_forced(self) -> bool {
        matches!(self, Line::Hard | Line::Blank)
    }
}

/// How a group is printed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Group {
    /// Whether its lines end in any case; found out by [`settle`].
    pub(super) broken: bool,
    /// Whether what stands in front of it should rather break than this.
    pub(super) reluctant: bool,
}

/// Marks the groups that cannot be on one line: a line ends in them in any case.
///
/// A comment that ends its line forces the next place where a line may end.
pub(super) fn settle(elements: &mut [Element<'_>]) {
    struct Open {
        start: usize,
        tail: bool,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut broken: Vec<usize> = Vec::new();
    let mut comment = false;
    for (at, element) in elements.iter().enumerate() {
        match element {
            Element::GroupStart(_) => open.push(Open { start: at, tail: false }),
            Element::GroupEnd => {
                open.pop();
            }
            Element::Tail(tail) => {
                if let Some(group) = open.last_mut() {
                    group.tail = *tail;
                }
            }
            Element::Suffix(_) => comment = true,
            Element::Line(line) => {
                if line.is_forced() || comment {
                    broken.extend(open.iter().filter(|group| !group.tail).map(|group| group.start));
                }
                comment = false;
            }
            _ => {}
        }
    }
    for start in broken {
        if let Some(Element::GroupStart(group)) = elements.get_mut(start) {
            group.broken = true;
        }
    }
}
