//! The facts of a derivative.

use neuro_db::Name;
use neuro_num::DType;

use crate::TensorTy;

/// The derivative that a function asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiffSpec {
    /// What is computed.
    pub form: DiffForm,
    /// What it is differentiated by: whole parameters in the order of the parameters, each before the paths
    /// that lead through it.
    pub wrt: Vec<Wrt>,
    /// The order.
    pub order: DiffOrder,
    /// Whether and which part of the second derivative, or of the Jacobian, is kept compact.
    pub kept: Kept,
    /// The type of the value: the loss, or what the Jacobian is of.
    pub result: TensorTy,
    /// What the program says of the structure.
    pub expected: Vec<Expectation>,
}

/// What a derivative is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiffForm {
    /// Of a loss: `@grad`.
    Gradient,
    /// Of a tensor of any shape: `@jacobian`.
    Jacobian,
}

/// The order of a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiffOrder {
    /// Gradients.
    First,
    /// Gradients and Hessians.
    Second,
}

/// How a Hessian or Jacobian is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kept {
    /// With all its zeros.
    Dense,
    /// Only the entries that can be other than zero.
    Sparse,
    /// Of these the lower triangle.
    Lower,
    /// Of these the upper triangle.
    Upper,
}

/// Something that is differentiated by: a parameter, or a tensor inside one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrt {
    /// What `.forward(..)` and its like call it: the parameter's name, or the alias of a path.
    pub name: Option<Name>,
    /// Where it begins.
    pub base: WrtBase,
    /// The way from there; none for the parameter itself.
    pub path: Vec<WrtStep>,
    /// Its type, in terms of the function's generic parameters.
    pub tensor: TensorTy,
}

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WrtBase {
    /// `self`.
    Receiver,
    /// A parameter, by its index.
    Param(usize),
}

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum WrtStep {
    /// A field of a struct.
    Field(Name),
    /// An element of an array.
    Element(u64),
    /// Every element of an array.
    Every,
}

/// What `@expect` says, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// What of the derivative.
    pub key: Name,
    /// What it is.
    pub value: Expected,
    /// Which attribute it stands in, and which argument it is.
    pub place: (usize, usize),
}

/// A value of `@expect`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A number of entries, directions or passes.
    Count(u64),
    /// The name of a strategy.
    Strategy(Name),
}

impl DiffSpec {
    /// The element type of the loss or result.
    pub fn loss(&self) -> DType {
        self.result.elem
    }

    /// Whether only entries that can be other than zero are kept.
    pub fn is_sparse(&self) -> bool {
        self.kept != Kept::Dense
    }

    /// The differentiated parameters, by index, in their order; without those of which only a part is
    /// differentiated.
    pub fn params(&self) -> Vec<usize> {
        let whole = self.wrt.iter().filter(|wrt| wrt.path.is_empty());
        whole
            .filter_map(|wrt| match wrt.base {
                WrtBase::Param(index) => Some(index),
                WrtBase::Receiver => None,
            })
            .collect()
    }

    /// Where the tensors are that it is differentiated by, each once: parameters of which the whole is, or a part.
    pub fn bases(&self) -> Vec<WrtBase> {
        let mut bases: Vec<WrtBase> = self.wrt.iter().map(|wrt| wrt.base).collect();
        bases.dedup();
        bases
    }

    /// What of it is more than gradients of parameters, in the words of "`..` does not run yet".
    pub fn beyond_gradients(&self) -> Option<&'static str> {
        if self.form == DiffForm::Jacobian {
            return Some("a Jacobian");
        }
        if self.order == DiffOrder::Second {
            return Some("a derivative of order 2");
        }
        self.wrt.iter().any(|wrt| !wrt.path.is_empty()).then_some("a derivative by a path")
    }
}

impl Wrt {
    /// Whether it stands for several tensors: the path leads through every element of an array.
    pub fn is_family(&self) -> bool {
        self.path.contains(&WrtStep::Every)
    }

    /// Whether both stand for a tensor in common.
    pub(crate) fn overlaps(&self, other: &Wrt) -> bool {
        self.base == other.base
            && self.path.len() == other.path.len()
            && self.path.iter().zip(&other.path).all(|pair| match pair {
                (WrtStep::Every, WrtStep::Every | WrtStep::Element(_))
                | (WrtStep::Element(_), WrtStep::Every) => true,
                (a, b) => a == b,
            })
    }
}
