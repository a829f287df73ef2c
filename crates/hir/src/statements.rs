//! Statements, and the parts of expressions that have parts of their own.

use neuro_db::Name;

use crate::{ExprId, LocalId, PatId, RangeEnd, TypeRef};

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `val p: T = e`, `mut p = e`.
    Let {
        /// What is bound.
        pat: PatId,
        /// The annotation.
        ty: Option<Box<TypeRef>>,
        /// The initial value.
        init: ExprId,
    },
    /// `val p = e else |n| { .. }`. The names of `p` are visible behind the statement only.
    LetElse {
        /// What is bound.
        pat: PatId,
        /// The annotation.
        ty: Option<Box<TypeRef>>,
        /// The value.
        init: ExprId,
        /// What `else` is given: a binding or `_`; none where no bars are written.
        failure: Option<PatId>,
        /// The block that leaves.
        otherwise: ExprId,
    },
    /// `const N: T = e` in a block.
    Const {
        /// The constant.
        local: LocalId,
        /// Its type.
        ty: Box<TypeRef>,
        /// Its value.
        value: ExprId,
    },
    /// An expression whose value is dropped.
    Expr(ExprId),
}

/// A closure. Its parameters and bindings are locals of the body around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closure {
    /// The parameters.
    pub params: Vec<ClosureParam>,
    /// The result, if it is written.
    pub ret: Option<TypeRef>,
    /// The body: a block or an expression.
    pub body: ExprId,
    /// The locals from outside that are named inside, constants left out, in the order of their declaration.
    pub captures: Vec<LocalId>,
    /// Whether `move` stands before it, which changes nothing.
    pub moves: bool,
}

/// A parameter of a closure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClosureParam {
    /// The parameter; `_` binds nothing.
    pub local: LocalId,
    /// The type, if it is written.
    pub ty: Option<TypeRef>,
}

/// A field of a struct literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldInit {
    /// The field.
    pub name: Name,
    /// Its value; of the shorthand `x`, the name `x`.
    pub value: ExprId,
}

/// An arm of a `match`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    /// The pattern; alternatives are one [`crate::Pat::Or`].
    pub pat: PatId,
    /// The condition behind `if`.
    pub guard: Option<ExprId>,
    /// What the arm gives.
    pub body: ExprId,
}

/// What a `for` binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForBinding {
    /// One variable.
    One(LocalId),
    /// A pair, as `.enumerate()` and `.char_indices()` need.
    Pair(LocalId, LocalId),
}

/// What a `for` walks: its source, then what changes the walk, then perhaps the counting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// Where the values come from.
    pub source: HeadSource,
    /// What changes the walk, in the order in which it is written and applied.
    pub adapters: Vec<Adapter>,
    /// Whether `.enumerate()` stands at the end.
    pub enumerate: bool,
}

/// Where the values of a `for` come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeadSource {
    /// A range.
    Range {
        /// The first bound.
        start: ExprId,
        /// The last bound.
        end: ExprId,
        /// Whether the last bound is left out or kept.
        end_kind: RangeEnd,
    },
    /// Anything else.
    Expr(ExprId),
}

/// A change of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adapter {
    /// `.rev()`; only behind a range, before `.step(n)`.
    Rev,
    /// `.step(n)`; only behind a range, before `.map` and `.filter`.
    Step(ExprId),
    /// `.map(f)`.
    Map(ExprId),
    /// `.filter(p)`.
    Filter(ExprId),
}

/// The head of a `for` over a range that only runs backwards or takes strides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainRange {
    /// The first bound.
    pub start: ExprId,
    /// The last bound.
    pub end: ExprId,
    /// Whether the last bound is left out or kept.
    pub end_kind: RangeEnd,
    /// Whether `.rev()` follows.
    pub reversed: bool,
    /// The stride of `.step(n)`.
    pub step: Option<ExprId>,
}

impl Head {
    /// The head as a plain range; none if it walks something else, or with other adapters.
    pub fn as_plain_range(&self) -> Option<PlainRange> {
        self.as_range().filter(|_| {
            !self.enumerate
                && self.adapters.iter().all(|adapter| match adapter {
                    Adapter::Rev | Adapter::Step(_) => true,
                    Adapter::Map(_) | Adapter::Filter(_) => false,
                })
        })
    }

    /// The range that is walked, with its turn and its stride; none if something else is.
    pub fn as_range(&self) -> Option<PlainRange> {
        let HeadSource::Range { start, end, end_kind } = self.source else { return None };
        let mut plain = PlainRange { start, end, end_kind, reversed: false, step: None };
        for adapter in &self.adapters {
            match adapter {
                Adapter::Rev => plain.reversed = true,
                Adapter::Step(step) => plain.step = Some(*step),
                Adapter::Map(_) | Adapter::Filter(_) => {}
            }
        }
        Some(plain)
    }
}
