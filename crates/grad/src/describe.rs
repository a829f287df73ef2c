//! What a hover says of a derivative.

use neuro_db::{Db, Name};
use neuro_hir::Function;
use neuro_mir::Instance;
use neuro_types::{DiffOrder, Shape, TensorTy, Ty, diff_spec, fn_sig};

use crate::{Checked, derivative, raise};

/// The derivative of a function in figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GradientFacts {
    /// The type of the loss.
    pub loss: Ty,
    /// The order that is asked for.
    pub order: DiffOrder,
    /// The differentiated parameters.
    pub parameters: Vec<ParameterFacts>,
    /// The parameters that are constants of the derivative.
    pub constants: Vec<Name>,
    /// What the derivative costs; none when there is none, which is reported elsewhere.
    pub work: Option<Work>,
}

/// A differentiated parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterFacts {
    /// Its index among the parameters.
    pub index: usize,
    /// Its name.
    pub name: Name,
    /// The type of its gradient.
    pub gradient: Ty,
    /// The type that its Hessian has, at order 2.
    pub hessian: Ty,
}

/// What a derivative costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Operations of the function itself.
    pub primal_operations: usize,
    /// Operations of both sweeps.
    pub derivative_operations: usize,
    /// Bytes of the values that the forward sweep keeps once.
    pub residual_bytes: usize,
    /// Bytes of the values that it keeps of one iteration of each of its loops.
    pub iteration_bytes: usize,
}

/// The facts of a `@grad` function; none for another, or when its header is wrong.
pub fn describe<'db>(db: &'db dyn Db, function: Function<'db>) -> Option<GradientFacts> {
    let spec = diff_spec(db, function).spec.as_ref()?;
    let signature = fn_sig(db, function);
    let mut parameters = Vec::new();
    let mut constants = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        match param.ty.as_tensor().filter(|_| spec.params().contains(&index)) {
            Some(tensor) => parameters.push(ParameterFacts {
                index,
                name: param.name.clone(),
                gradient: Ty::Tensor(tensor.clone()),
                hessian: hessian(tensor),
            }),
            None => constants.push(param.name.clone()),
        }
    }
    let loss = signature.ret.clone();
    Some(GradientFacts { loss, order: spec.order, parameters, constants, work: work(db, function) })
}

/// The type of a parameter's Hessian: its shape twice.
fn hessian(tensor: &TensorTy) -> Ty {
    let dims = tensor.shape.dims();
    let shape = Shape::of(dims.iter().chain(dims).cloned());
    Ty::Tensor(TensorTy { elem: tensor.elem, shape })
}

fn work<'db>(db: &'db dyn Db, function: Function<'db>) -> Option<Work> {
    if !crate::check(db, function).is_empty() {
        return None;
    }
    let instance = Instance::new(db, function);
    let primal = raise(db, instance, Checked::Yes).as_ref().ok()?;
    let derivative = derivative(db, instance, Checked::Yes).as_ref().ok()?;
    Some(Work {
        primal_operations: primal.graph.op_count(),
        derivative_operations: derivative.sweeps.forward.op_count()
            + derivative.sweeps.reverse.op_count(),
        residual_bytes: derivative
            .sweeps
            .residuals
            .iter()
            .map(|residual| residual.ty.bytes())
            .sum(),
        iteration_bytes: derivative.sweeps.frame_bytes.iter().sum(),
    })
}
