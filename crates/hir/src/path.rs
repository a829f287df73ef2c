//! Paths as written: names joined by `::`, with their arguments.

use std::fmt;

use neuro_db::Name;

use crate::TypeArg;

/// Names a path of one header or of one body. The path map of its owner says where it stands: the
/// `_ranges` query of a header, the source map of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathId(pub u32);

/// A path as written: `x`, `a::b`, `Option<i32>`, `Tensor::<f32, [2]>::zeros`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    /// Where it stands.
    pub id: PathId,
    /// The parts, at least one.
    pub segments: Vec<Segment>,
}

/// A part of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Segment {
    /// The name; `self`, `Self`, or empty where a syntax error left none.
    pub name: Name,
    /// The arguments; none where no list is written.
    pub args: Option<Vec<TypeArg>>,
}

impl Path {
    /// The name, if the path is one name without arguments.
    pub fn as_name(&self) -> Option<&Name> {
        match self.segments.as_slice() {
            [Segment { name, args: None }] => Some(name),
            _ => None,
        }
    }

    /// The first part.
    pub fn first(&self) -> Option<&Segment> {
        self.segments.first()
    }

    /// The last part.
    pub fn last(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// The name of the last part; empty where a syntax error left none.
    pub fn last_name(&self) -> &str {
        self.last().map_or("", |segment| segment.name.as_str())
    }

    /// What stands in front of the last part, if anything does. It keeps the id, since it begins at the
    /// same place.
    pub fn qualifier(&self) -> Option<Path> {
        let (_, before) = self.segments.split_last()?;
        (!before.is_empty()).then(|| Path { id: self.id, segments: before.to_vec() })
    }

    /// Whether a syntax error stands in it.
    pub fn is_broken(&self) -> bool {
        self.segments.is_empty() || self.segments.iter().any(|segment| segment.name.is_empty())
    }
}

/// The names without their arguments.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 {
                f.write_str("::")?;
            }
            f.write_str(&segment.name)?;
        }
        Ok(())
    }
}
