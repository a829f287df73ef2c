//! What inference finds of one body.

use la_arena::ArenaMap;
use neuro_db::Name;
use neuro_hir::{BuiltinTrait, Const, Enum, ExprId, Function, LocalId, Newtype};
use neuro_num::Scalar;
use rustc_hash::FxHashSet;

use crate::demands::Demand;
use crate::{Bound, ExprMap, Extent, Finding, GenericArg, Member, Method, TensorConstructor, Ty};

/// The types of one body, and what its names and calls stand for.
///
/// Complete for any body: every expression and local has a type, [`Ty::Error`] where something is wrong.
/// A body without findings satisfies what the next stage relies on: operands have the types that their
/// operator takes, calls have their arguments in the order of the parameters, literals fit.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub struct Inference<'db> {
    /// The type of each expression. A block or `if` whose value nobody takes is [`Ty::Void`] (or
    /// [`Ty::Never`]), even if its last expression has a value, which is dropped then. An array inside a
    /// tensor literal has the type of the part of the tensor that it is.
    pub exprs: ArenaMap<ExprId, Ty>,
    /// The type of each local.
    pub locals: ArenaMap<LocalId, Ty>,
    /// What each call and each name of an item stands for; keyed by the call, and by the name. The name
    /// of what is called has no type. An operator on a type of the program stands for a method, too.
    pub callees: ExprMap<Callee<'db>>,
    /// For each call, which argument as written fills each parameter.
    pub arguments: ExprMap<Vec<usize>>,
    /// The value of each number or truth literal and of each use of a constant. A `-` directly before a
    /// literal has its value here too, and the literal below it the wrapped magnitude: in `-128i8` the
    /// negation is -128, and so is the literal, since `i8` has no 128. Who reads values reads the
    /// negation's.
    pub literals: ExprMap<Scalar>,
    /// The text of each use of a constant that is a text.
    pub texts: ExprMap<Name>,
    /// What each generic callee is applied to, keyed like [`Inference::callees`]: one for each of the
    /// callee's generic parameters, those of its `impl` block or trait included.
    pub generic_args: ExprMap<Vec<GenericArg>>,
    /// The type that a reference takes on where its own is another: a slice of an array, or one to a value of
    /// any type that has a trait. Also `&string`, of text that is written where text is only looked at.
    pub coercions: ExprMap<Ty>,
    /// The axes that a call of a method of tensors is about, by position: the one that a reduction drops or a
    /// sort orders, the order of `.permute`, the run that `.flatten(dims:)` merges.
    pub axes: ExprMap<Vec<usize>>,
    /// What the body asks of extents that depend on constant parameters.
    pub(crate) demands: Vec<Demand>,
    /// What each index that gives a part of a tensor keeps, an entry for each axis.
    pub parts: ExprMap<Vec<Part>>,
    /// The closures that are passed straight to what calls them at once: they borrow what they capture.
    pub borrowing: FxHashSet<ExprId>,
    /// The type behind each `impl Trait` of the result, with what is declared of it.
    pub hidden: Vec<(Vec<Bound>, Ty)>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Whether a mistake that is told elsewhere kept something from being known.
    pub unclear: bool,
}

impl Inference<'_> {
    /// Gives back the memory that growing left over.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.exprs.shrink_to_fit();
        self.locals.shrink_to_fit();
        self.callees.shrink_to_fit();
        self.arguments.shrink_to_fit();
        self.literals.shrink_to_fit();
        self.texts.shrink_to_fit();
        self.generic_args.shrink_to_fit();
        self.coercions.shrink_to_fit();
        self.axes.shrink_to_fit();
        self.parts.shrink_to_fit();
        self.demands.shrink_to_fit();
    }
}

/// What an index keeps of an axis.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub enum Part {
    /// One position: the axis goes.
    At(ExprId),
    /// Some positions.
    Range {
        /// The first position of the range.
        start: PartStart,
        /// How many positions the range has, before `step` leaves some out.
        span: Extent,
        /// From one position that is kept to the next.
        step: u64,
        /// Whether the walk begins at the last position of the range.
        reversed: bool,
    },
}

/// Where a range of an index begins.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub enum PartStart {
    /// Known while compiling, as far as the extents are.
    At(Extent),
    /// Computed when the program runs.
    Computed(ExprId),
}

/// What a call or a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum Callee<'db> {
    /// A function of the program.
    Function(Function<'db>),
    /// A constant of the program.
    Const(Const<'db>),
    /// A constant parameter of the item around, by its number.
    ConstParam(u32),
    /// A variant of an enum, by its index.
    Variant(Enum<'db>, usize),
    /// A newtype, which is made of what it wraps.
    Newtype(Newtype<'db>),
    /// A value of function type.
    Value,
    /// A function of a collection or of text.
    Member(Member),
    /// A method of the language.
    Method(Method),
    /// A tensor constructor.
    Constructor(TensorConstructor),
    /// A method of a trait that the language knows and that no item declares, by its index among them: of a
    /// type parameter, or derived.
    Known(BuiltinTrait, usize),
}

impl Callee<'_> {
    /// The name of a method that no item declares.
    pub fn known_name(self) -> Option<&'static str> {
        match self {
            Callee::Known(of_trait, index) => {
                crate::traits::known::methods(of_trait).get(index).map(|method| method.name)
            }
            Callee::Function(_)
            | Callee::Const(_)
            | Callee::ConstParam(_)
            | Callee::Variant(..)
            | Callee::Newtype(_)
            | Callee::Value
            | Callee::Member(_)
            | Callee::Method(_)
            | Callee::Constructor(_) => None,
        }
    }
}

impl Inference<'_> {
    /// The type of an expression.
    pub fn ty(&self, expr: ExprId) -> &Ty {
        self.exprs.get(expr).unwrap_or(&Ty::Error)
    }

    /// The type of a local.
    pub fn local_ty(&self, local: LocalId) -> &Ty {
        self.locals.get(local).unwrap_or(&Ty::Error)
    }
}
