//! What a stage finds wrong in a body, before it has a position.

use neuro_db::codes::Code;
use neuro_hir::{ExprId, LocalId, PatId};

/// Something wrong in a function. Places are ids, so that findings are equal when only positions moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The code.
    pub code: Code,
    /// The sentence.
    pub message: String,
    /// The offending word.
    pub place: Place,
    /// Other places, and what they have to do with it.
    pub related: Vec<(Place, String)>,
    /// More sentences.
    pub notes: Vec<String>,
    /// A way out.
    pub remedies: Vec<Remedy>,
}

/// A place in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A whole expression.
    Expr(ExprId),
    /// Only the name of a method call, the operator of an operation, or the callee of a call.
    Head(ExprId),
    /// The type of a parameter of the function that is called there, by its index.
    CalleeParam(ExprId, usize),
    /// A whole pattern.
    Pat(PatId),
    /// The name of a binding.
    Local(LocalId),
    /// The annotation of a binding.
    LocalType(LocalId),
    /// The `val` or `mut` before a binding.
    LocalKeyword(LocalId),
    /// The type that a cast names, or that a turbofish gives.
    WrittenType(ExprId),
    /// A parameter's type in the header, by its index.
    ParamType(usize),
    /// What the reference type of a parameter refers to: its type without the first `&`.
    ParamReferent(usize),
    /// A parameter's name in the header, by its index.
    ParamName(usize),
    /// The list of generic parameters, or the word `where`.
    Generics,
    /// The return type in the header, or the function's name if there is none.
    ReturnType,
    /// The function's name.
    FunctionName,
    /// The declared type of a constant.
    ConstType,
    /// The header, from the attributes to the return type.
    Header,
    /// An attribute, by its index.
    Attr(usize),
    /// The value of an attribute's argument.
    AttrArg(usize, usize),
    /// The label of an attribute's argument, or the argument if it has none.
    AttrLabel(usize, usize),
    /// An entry of a list that is an argument of an attribute.
    AttrListEntry(usize, usize, usize),
}

/// An edit that makes a finding go away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// Put this text before the place.
    InsertBefore(Place, String, String),
    /// Put this text behind the place.
    InsertAfter(Place, String, String),
    /// Put this text in place of it. The first text of each is the title.
    Replace(Place, String, String),
}

impl Finding {
    /// A finding without further explanation.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            place,
            related: Vec::new(),
            notes: Vec::new(),
            remedies: Vec::new(),
        }
    }

    /// Adds a place that explains it.
    #[must_use]
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        self.related.push((place, message.into()));
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }
}
