//! What is wrong with a type as written, and at which of its words.

use neuro_db::codes::{self, Code};
use neuro_hir::{Path, PathId, PathProblem, Resolution, TypeRef, foreign_type};

use super::{Env, Meant, Wanted};
use crate::{Finding, Owner, PathPart, Place, Remedy};

/// What is wrong with a type as written.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    code: Code,
    message: String,
    notes: Vec<String>,
    /// What to write instead of the word.
    instead: Option<String>,
    /// What in the header of another item is to blame.
    elsewhere: Option<(Owner, Place, String)>,
    at: At,
}

/// A word of a type as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum At {
    /// The whole type.
    Whole,
    /// A place of its own.
    Place(Place),
    /// A whole path.
    Path(PathId),
    /// A name of a path.
    Segment(PathId, usize),
    /// The arguments of a part of a path.
    Args(PathId, usize),
    /// One argument.
    Arg(PathId, usize, usize),
    /// One axis of a shape that is an argument.
    Dim(PathId, usize, usize, usize),
}

impl At {
    /// The place of a type inside another.
    pub(super) fn of(ty: &TypeRef) -> At {
        match ty {
            TypeRef::Path(path) | TypeRef::SelfAssoc(path) => At::Path(path.id),
            TypeRef::Ref { inner, .. } => At::of(inner),
            TypeRef::Slice(elem) | TypeRef::Array { elem, .. } => At::of(elem),
            TypeRef::Dyn(bound) | TypeRef::Impl(bound) => At::of_bound(bound),
            TypeRef::Error | TypeRef::SelfType | TypeRef::Tuple(_) | TypeRef::Fn { .. } => {
                At::Whole
            }
        }
    }

    /// The place of a bound.
    pub(super) fn of_bound(bound: &neuro_hir::Bound) -> At {
        At::Path(bound.path.id)
    }

    /// The place in a finding; `whole` is the place of the whole type, `header` says whether its paths
    /// are those of a header or of a body.
    pub(crate) fn place(self, whole: Place, header: bool) -> Place {
        let path = |id: PathId, part: PathPart| {
            if header { Place::HeaderPath(id, part) } else { Place::BodyPath(id, part) }
        };
        match self {
            At::Whole => whole,
            At::Place(place) => place,
            At::Path(id) => path(id, PathPart::Whole),
            At::Segment(id, segment) => path(id, PathPart::Segment(segment)),
            At::Args(id, segment) => path(id, PathPart::Args(segment)),
            At::Arg(id, segment, arg) => path(id, PathPart::Arg(segment, arg)),
            At::Dim(id, segment, arg, dim) => path(id, PathPart::Dim(segment, arg, dim)),
        }
    }
}

impl Problem {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            notes: Vec::new(),
            instead: None,
            elsewhere: None,
            at: At::Whole,
        }
    }

    /// Says what in the header of another item is to blame.
    pub(crate) fn blames(mut self, owner: Owner, place: Place, message: &str) -> Self {
        self.elsewhere = Some((owner, place, message.to_owned()));
        self
    }

    pub(crate) fn unsupported(what: impl std::fmt::Display) -> Self {
        Self::new(codes::UNSUPPORTED, format!("{what} is not supported yet"))
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Whether nothing is said yet of what to do.
    pub(super) fn is_bare(&self) -> bool {
        self.notes.is_empty()
    }

    /// Asks whether another name is meant.
    pub(crate) fn meant(mut self, meant: &str) -> Self {
        self.instead = Some(meant.to_owned());
        self.note(format!("did you mean `{meant}`?"))
    }

    pub(crate) fn at(mut self, at: At) -> Self {
        self.at = at;
        self
    }

    /// The finding; see [`At::place`].
    pub(crate) fn finding(self, whole: Place, header: bool) -> Finding {
        let place = self.at.place(whole, header);
        let mut finding = Finding::new(self.code, place, self.message);
        finding.notes = self.notes;
        finding.elsewhere.extend(self.elsewhere);
        match self.instead {
            Some(meant) => {
                finding.remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant))
            }
            None => finding,
        }
    }
}

impl<'db> Env<'db> {
    /// Why a path stands for nothing, and at which word; none where that is told elsewhere. `wanted` is what
    /// was looked for.
    pub(crate) fn unknown(
        &self,
        path: &Path,
        reason: &PathProblem<'db>,
        wanted: Wanted,
    ) -> Option<Problem> {
        let name = |segment: usize| {
            path.segments.get(segment).map(|segment| segment.name.clone()).unwrap_or_default()
        };
        match reason {
            PathProblem::Reported => None,
            PathProblem::Unknown { segment, inside } => {
                let word = name(*segment);
                let last = segment + 1 == path.segments.len();
                let wanted = if last { wanted } else { Wanted::Holder };
                let what = wanted.word();
                let before = name(segment.saturating_sub(1));
                let message = match inside {
                    None => format!("there is no {what} `{word}`"),
                    Some(Resolution::Module(_)) => {
                        format!("the module `{before}` has no `{word}`")
                    }
                    Some(_) => format!("`{before}` has no `{word}`"),
                };
                let problem = Problem::new(codes::UNDECLARED, message);
                let foreign = foreign_type(&word).filter(|_| inside.is_none());
                let meant = match foreign {
                    Some(foreign) => Meant::Name(foreign.to_owned()),
                    None => self.meant(&word, *inside, wanted, &[]),
                };
                let problem = match meant {
                    Meant::Name(meant) => problem.meant(&meant),
                    Meant::Note(note) => problem.note(note),
                    Meant::Nothing => problem,
                };
                Some(problem.at(At::Segment(path.id, *segment)))
            }
            PathProblem::Private { segment, module, .. } => {
                let word = name(*segment);
                let module = neuro_hir::module_title(self.db, *module);
                let problem =
                    Problem::new(codes::PRIVATE, format!("`{word}` is private to `{module}`"))
                        .note("`export` before its declaration makes it visible");
                Some(problem.at(At::Segment(path.id, *segment)))
            }
            PathProblem::Member { segment, .. } => {
                let problem = Problem::new(
                    codes::UNDECLARED,
                    format!("`{path}` leads to no {}", wanted.word()),
                );
                Some(problem.at(At::Segment(path.id, *segment)))
            }
        }
    }
}
