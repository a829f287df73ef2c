//! Where paths and their parts stand.

use text_size::TextRange;

use crate::PathId;

/// Where the paths of one header or body stand, relative to the item. Complete for what was lowered with it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathMap {
    paths: Vec<PathRanges>,
    /// How many paths were numbered whose ranges nobody wants.
    forgotten: u32,
    forgets: bool,
}

/// Where the parts of a path stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathRanges {
    /// The whole path.
    pub whole: TextRange,
    /// The parts.
    pub segments: Vec<SegmentRanges>,
}

/// Where a part of a path stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SegmentRanges {
    /// The name.
    pub name: TextRange,
    /// The list of arguments with its angle brackets, if it is written.
    pub list: Option<TextRange>,
    /// The arguments.
    pub args: Vec<ArgRanges>,
}

/// Where an argument of a path stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArgRanges {
    /// The whole argument.
    pub whole: TextRange,
    /// The axes of a shape.
    pub dims: Vec<TextRange>,
}

impl PathMap {
    /// The parts of a path.
    pub fn get(&self, path: PathId) -> Option<&PathRanges> {
        self.paths.get(usize::try_from(path.0).ok()?)
    }

    /// The whole path.
    pub fn whole(&self, path: PathId) -> TextRange {
        self.get(path).map(|ranges| ranges.whole).unwrap_or_default()
    }

    /// The name of a part; the whole path if it has no such part.
    pub fn segment(&self, path: PathId, segment: usize) -> TextRange {
        let part = self.get(path).and_then(|ranges| ranges.segments.get(segment));
        part.map_or_else(|| self.whole(path), |part| part.name)
    }

    /// The argument list of a part with its brackets; the part's name if it has none.
    pub fn arg_list(&self, path: PathId, segment: usize) -> TextRange {
        let part = self.get(path).and_then(|ranges| ranges.segments.get(segment));
        part.and_then(|part| part.list).unwrap_or_else(|| self.segment(path, segment))
    }

    /// An argument of a part; its list if there is no such argument.
    pub fn arg(&self, path: PathId, segment: usize, arg: usize) -> TextRange {
        let part = self.get(path).and_then(|ranges| ranges.segments.get(segment));
        let found = part.and_then(|part| part.args.get(arg));
        found.map_or_else(|| self.arg_list(path, segment), |found| found.whole)
    }

    /// An axis of a shape among the arguments; the argument if it has no such axis.
    pub fn dim(&self, path: PathId, segment: usize, arg: usize, dim: usize) -> TextRange {
        let part = self.get(path).and_then(|ranges| ranges.segments.get(segment));
        let found = part.and_then(|part| part.args.get(arg)).and_then(|arg| arg.dims.get(dim));
        found.copied().unwrap_or_else(|| self.arg(path, segment, arg))
    }

    /// Every path, in the order in which they were lowered.
    pub fn iter(&self) -> impl Iterator<Item = (PathId, &PathRanges)> {
        (0..).map(PathId).zip(&self.paths)
    }

    /// A map that only numbers paths.
    pub(crate) fn forgetting() -> Self {
        Self { forgets: true, ..Self::default() }
    }

    /// Whether ranges are kept.
    pub(crate) fn keeps(&self) -> bool {
        !self.forgets
    }

    /// A number for a path whose ranges follow with [`PathMap::set`].
    pub(crate) fn reserve(&mut self) -> PathId {
        if self.forgets {
            self.forgotten += 1;
            return PathId(self.forgotten - 1);
        }
        let id = PathId(u32::try_from(self.paths.len()).unwrap_or(u32::MAX));
        self.paths.push(PathRanges::default());
        id
    }

    pub(crate) fn set(&mut self, path: PathId, ranges: PathRanges) {
        let index = usize::try_from(path.0).unwrap_or(usize::MAX);
        if let Some(slot) = self.paths.get_mut(index) {
            *slot = ranges;
        }
    }
}
