//! Raising: a function's MIR as one pure graph, its calls included, or the reason why it is none.
//!
//! A function raises when all that it does is compute its result: no output, no write through a
//! reference, no gradient slots. References disappear: a parameter `&Tensor` is a tensor.

mod flow;
mod frame;
mod operation;
mod repetition;
mod walk;

use neuro_db::Db;
use neuro_hir::{ExprId, Function};
use neuro_ir as ir;
use neuro_mir::{Instance, instance_body, unsupported_in};
use neuro_num::Overflow;
use neuro_types::{Place, Ty};

pub use operation::{PieceOperand, raise_in_place, raise_operation};

/// Whether integer arithmetic is checked: at `-O0` it is, above it wraps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Checked {
    /// Overflow ends the program.
    Yes,
    /// Overflow wraps.
    No,
}

impl Checked {
    /// The same, in the words of the graph.
    pub fn overflow(self) -> Overflow {
        match self {
            Checked::Yes => Overflow::Trap,
            Checked::No => Overflow::Wrap,
        }
    }
}

/// Where an op comes from: a function and an expression of its body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub struct Site<'db> {
    /// The function.
    pub function: Function<'db>,
    /// The expression.
    pub expr: ExprId,
}

/// A function as a graph.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Raised<'db> {
    /// Its parameters are the function's, one to one, references removed; it has one result.
    pub graph: ir::Function,
    /// What `loc(n)` stands for.
    pub sites: Vec<Site<'db>>,
}

/// Why a function is no graph.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct NotRaised<'db> {
    /// The construct: in the function itself, or in one that it calls. None when it is the signature.
    pub site: Option<Site<'db>>,
    /// What it is, as in "printing".
    pub what: String,
}

/// The type in the graph of a value of this type; references are removed. None for text and the like.
pub fn ir_type(ty: &Ty) -> Option<ir::Type> {
    match ty.peeled() {
        Ty::Scalar(dtype) => Some(ir::Type::scalar(*dtype)),
        Ty::Tensor(tensor) => {
            let extents = tensor.shape.known()?;
            let dims: Option<ir::Dims> =
                extents.iter().map(|extent| usize::try_from(*extent).ok()).collect();
            Some(ir::Type { dtype: tensor.elem, dims: dims? })
        }
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Char
        | Ty::Text
        | Ty::Ref { .. }
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Collection { .. }
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => None,
    }
}

/// The graph of an instance, used for every call of it: the plain call, the forward sweep and the
/// evaluator are one body.
#[salsa::tracked]
pub fn raise<'db>(
    db: &'db dyn Db,
    instance: Instance<'db>,
    checked: Checked,
) -> Result<Raised<'db>, NotRaised<'db>> {
    make(db, instance, checked)
}

/// The graph of [`raise`], which nobody keeps.
pub(crate) fn make<'db>(
    db: &'db dyn Db,
    instance: Instance<'db>,
    checked: Checked,
) -> Result<Raised<'db>, NotRaised<'db>> {
    if let Some((function, found)) = unsupported_in(db, instance.function(db)) {
        let site = match found.place {
            Place::Expr(expr) => Some(Site { function, expr }),
            _ => None,
        };
        return Err(NotRaised { site, what: found.construct.clone() });
    }
    let body = instance_body(db, instance);
    walk::raise_function(db, instance.function(db), body, checked)
}
