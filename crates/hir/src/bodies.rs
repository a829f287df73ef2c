//! A function's body: expressions in an arena, local names resolved.

use la_arena::{Arena, Idx};
use neuro_db::Name;

use crate::{
    Arm, BinaryOp, Builtin, Closure, CompareOp, FieldInit, ForBinding, Head, LogicOp, Pat, PatId,
    Path, RangeEnd, Stmt, TypeArg, TypeRef, UnaryOp,
};

/// Names an expression of one body.
pub type ExprId = Idx<Expr>;
/// Names a local (parameter or binding) of one body.
pub type LocalId = Idx<Local>;

/// A body. Two bodies that differ only in white space and comments are equal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The expressions.
    pub exprs: Arena<Expr>,
    /// The patterns.
    pub pats: Arena<Pat>,
    /// The parameters, bindings and constants, in the order of the text.
    pub locals: Arena<Local>,
    /// The receiver of a method.
    pub receiver: Option<LocalId>,
    /// The parameters, in order; one for each of the signature's.
    pub params: Vec<LocalId>,
    /// The body's block; for a constant, its value.
    pub root: Option<ExprId>,
    /// The locals that types name, as extents or arguments, in the order of the text.
    pub type_uses: Vec<LocalId>,
}

impl Body {
    /// The local that a pattern binds, if it is a plain name.
    pub fn bound(&self, pat: PatId) -> Option<LocalId> {
        match &self.pats[pat] {
            Pat::Bind(local) => Some(*local),
            Pat::Missing
            | Pat::Wildcard
            | Pat::Literal(_)
            | Pat::Range { .. }
            | Pat::Tuple(_)
            | Pat::Array { .. }
            | Pat::Variant { .. }
            | Pat::Struct { .. }
            | Pat::Path(_)
            | Pat::Or(_) => None,
        }
    }

    /// The expressions whose values the function gives back, in no order: what it ends in, and what `return` is
    /// given outside closures.
    pub fn results(&self) -> Vec<ExprId> {
        let mut results = Vec::new();
        let mut last = self.root;
        while let Some(expr) = last {
            last = match &self.exprs[expr] {
                Expr::Block { tail, .. } => *tail,
                Expr::Return(_) => None,
                _ => {
                    results.push(expr);
                    None
                }
            };
        }
        let mut todo: Vec<ExprId> = self.root.into_iter().collect();
        while let Some(expr) = todo.pop() {
            match &self.exprs[expr] {
                Expr::Closure(_) => continue,
                Expr::Return(Some(value)) => results.push(*value),
                _ => {}
            }
            self.exprs[expr].children(&mut |child| todo.push(child));
        }
        results
    }
}

/// A parameter, a binding, or a constant of the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// The name; `_` binds nothing.
    pub name: Name,
    /// Whether it is declared with `mut`.
    pub mutable: bool,
    /// What kind of binding it is.
    pub binding: Binding,
}

/// How a local came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// The receiver `self` of a method.
    Receiver,
    /// A parameter.
    Param,
    /// A parameter of a closure.
    ClosureParam,
    /// `val` or `mut`, perhaps in a pattern.
    Let,
    /// In the pattern of a `match` arm.
    Arm,
    /// What the `else` of a `val` is given.
    Failure,
    /// A variable of a `for`.
    Loop,
    /// `const` in a block.
    Const,
}

/// An expression. What only groups (parentheses) has no node of its own. There are very many: what is large and rare
/// is boxed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A syntax error stands here.
    Missing,
    /// A literal that is no text.
    Literal(Literal),
    /// Text: pieces and holes.
    Text(Vec<FormatPart>),
    /// A parameter, binding or constant of the body.
    Local(LocalId),
    /// A name or path that is no local: an item, a variant, a function of a type, or undeclared.
    Path(Path),
    /// `base.name`, without a call.
    Field {
        /// The value whose field is read.
        base: ExprId,
        /// The field.
        name: Name,
    },
    /// `base.0`.
    TupleField {
        /// The value whose element is read.
        base: ExprId,
        /// Which one.
        index: u32,
    },
    /// `(a, b)`.
    Tuple(Vec<ExprId>),
    /// `S { x: a, ..base }`: a struct, or a variant with fields.
    StructLit {
        /// The struct or variant.
        path: Box<Path>,
        /// The fields as written.
        fields: Vec<FieldInit>,
        /// What gives the other fields.
        base: Option<ExprId>,
    },
    /// `|a: T| e`.
    Closure(Box<Closure>),
    /// `a..b` where it is a value: as an argument of `.slice(..)`, or a mistake.
    Range {
        /// The first bound.
        start: Option<ExprId>,
        /// The last bound.
        end: Option<ExprId>,
        /// Whether the last bound is left out or kept.
        end_kind: RangeEnd,
    },
    /// `e?`.
    Try(ExprId),
    /// `a ?? b`: the right side runs only when the left one failed.
    Coalesce {
        /// What may have failed.
        lhs: ExprId,
        /// The value instead.
        rhs: ExprId,
    },
    /// `x |> f`.
    Pipeline {
        /// The argument.
        value: ExprId,
        /// What is called: a name, a method `receiver.name` (a [`Expr::Field`]), or a closure.
        function: ExprId,
    },
    /// `f >> g`.
    Compose {
        /// What runs first.
        first: ExprId,
        /// What takes its result.
        second: ExprId,
    },
    /// `-x`, `!x`, `~x`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// Arithmetic, bitwise and matrix operators.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// A comparison.
    Compare {
        /// The operator.
        op: CompareOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `&&`, `||`: the right side runs only when it decides.
    Logic {
        /// The operator.
        op: LogicOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `&x`, `&mut x`.
    Borrow {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The place.
        operand: ExprId,
    },
    /// `*r`.
    Deref(ExprId),
    /// A call of a function or an associated function.
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments as written.
        args: Vec<Arg>,
    },
    /// A call of one of the names that the language itself provides, not shadowed by an item or local.
    BuiltinCall {
        /// Which one.
        builtin: Builtin,
        /// The arguments as written.
        args: Vec<Arg>,
    },
    /// `receiver.name(..)`.
    MethodCall {
        /// The receiver.
        receiver: ExprId,
        /// The method's name.
        name: Name,
        /// What the turbofish gives; none where there is no turbofish.
        type_args: Option<Box<Vec<TypeArg>>>,
        /// The arguments as written.
        args: Vec<Arg>,
    },
    /// `base[..]`.
    Index {
        /// What is indexed.
        base: ExprId,
        /// An entry for each axis.
        args: Vec<IndexArg>,
    },
    /// `x as T`.
    Cast {
        /// The operand.
        operand: ExprId,
        /// The target.
        ty: Box<TypeRef>,
    },
    /// `[a, b]`: an array, or a tensor where one is expected.
    Array(Vec<ExprId>),
    /// `{ .. }`.
    Block {
        /// The statements.
        stmts: Vec<Stmt>,
        /// The value, if the last thing is an expression.
        tail: Option<ExprId>,
    },
    /// `if`. `else if` is an `if` in the other branch.
    If {
        /// The condition.
        cond: ExprId,
        /// The first branch, a block.
        then: ExprId,
        /// The other branch.
        otherwise: Option<ExprId>,
    },
    /// `match`.
    Match {
        /// What is looked at.
        scrutinee: ExprId,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `while`.
    While {
        /// The label.
        label: Option<Name>,
        /// The condition.
        cond: ExprId,
        /// The body, a block.
        body: ExprId,
    },
    /// `loop`.
    Loop {
        /// The label.
        label: Option<Name>,
        /// The body, a block.
        body: ExprId,
    },
    /// `for`.
    For {
        /// The label.
        label: Option<Name>,
        /// The loop variable or variables.
        binding: ForBinding,
        /// What is walked.
        head: Head,
        /// The body, a block.
        body: ExprId,
    },
    /// `return`.
    Return(Option<ExprId>),
    /// `break`.
    Break {
        /// The label.
        label: Option<Name>,
        /// What the loop gives.
        value: Option<ExprId>,
    },
    /// `continue`.
    Continue {
        /// The label.
        label: Option<Name>,
    },
    /// `place = value`, `place += value`. Gives nothing.
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// What is assigned.
        place: ExprId,
        /// The new value, or the right operand.
        value: ExprId,
    },
    /// `pool { .. }`. Gives nothing.
    Pool {
        /// Its name, for messages.
        name: Option<Name>,
        /// The body, a block.
        body: ExprId,
    },
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Its label.
    pub label: Option<Name>,
    /// Its value.
    pub value: ExprId,
}

/// An entry between the brackets of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexArg {
    /// A position, or an array of positions.
    At(ExprId),
    /// `a..b`, `a..`, `..b`, `..`.
    Range {
        /// The first bound.
        start: Option<ExprId>,
        /// The last bound.
        end: Option<ExprId>,
        /// Whether the last bound is left out or kept.
        end_kind: RangeEnd,
    },
}

/// A literal that is no text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// An integer: magnitude and suffix.
    Int(u64, Option<Name>),
    /// A float: the digits as written without underscores and suffix, and the suffix.
    Float(Name, Option<Name>),
    /// `true` or `false`.
    Bool(bool),
    /// A character.
    Char(char),
}

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatPart {
    /// Characters, escapes resolved.
    Text(String),
    /// A hole.
    Hole {
        /// What is shown.
        value: ExprId,
        /// How, as written after the colon, already checked to be well formed.
        spec: Option<neuro_syntax::ast::FormatSpec>,
    },
}
