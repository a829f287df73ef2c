//! The evaluator: what a function means, op by op, slowly and plainly. Compiled code must give the same bits.

use std::fmt;

use neuro_num::ArithError;
use smol_str::SmolStr;

use crate::{
    Function, Loc, Op, OpKind, RegionId, Tensor, Type,
    ops::{arithmetic, constant, element, matmul, shape, sum},
};

/// Why a program ended at a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trap {
    /// Arithmetic without a result.
    Arith(ArithError),
    /// A position outside its tensor.
    OutOfBounds,
    /// A failed assertion, with its message.
    Assert(SmolStr),
}

impl fmt::Display for Trap {
    /// The text of the program's panic.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Arith(error) => error.fmt(f),
            Trap::OutOfBounds => f.write_str("tensor index out of bounds"),
            Trap::Assert(message) => f.write_str(message),
        }
    }
}

impl From<ArithError> for Trap {
    fn from(error: ArithError) -> Trap {
        Trap::Arith(error)
    }
}

/// Why an evaluation gave no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// The program ended at a trap.
    Trap {
        /// Why.
        trap: Trap,
        /// Where.
        loc: Option<Loc>,
    },
    /// The inputs are not what the function takes.
    Input(String),
    /// A loop ran longer than the limit of [`eval_limited`].
    Limit,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Trap { trap, loc: Some(loc) } => write!(f, "{trap} at {loc}"),
            EvalError::Trap { trap, loc: None } => trap.fmt(f),
            EvalError::Input(reason) => f.write_str(reason),
            EvalError::Limit => f.write_str("a loop ran too long"),
        }
    }
}

impl std::error::Error for EvalError {}

/// The results of `function` at `inputs`.
///
/// # Errors
/// When a trap ends the program, or the inputs do not fit.
pub fn eval(function: &Function, inputs: &[Tensor]) -> Result<Vec<Tensor>, EvalError> {
    eval_limited(function, inputs, u64::MAX)
}

/// [`eval`] with a limit on the iterations of all loops together.
///
/// # Errors
/// As [`eval`], and when the limit is reached.
pub fn eval_limited(
    function: &Function,
    inputs: &[Tensor],
    iterations: u64,
) -> Result<Vec<Tensor>, EvalError> {
    run(function, inputs, iterations, &mut History::default())
}

/// The frames that a function has pushed and nothing has popped yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History(Vec<(u32, Vec<Tensor>)>);

impl History {
    /// The number of frames.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// [`eval`] of a function that pushes frames for another or pops those of another.
///
/// # Errors
/// As [`eval`], and when the frames are not those that the function pops.
pub fn eval_with_history(
    function: &Function,
    inputs: &[Tensor],
    history: &mut History,
) -> Result<Vec<Tensor>, EvalError> {
    run(function, inputs, u64::MAX, history)
}

fn run(
    function: &Function,
    inputs: &[Tensor],
    iterations: u64,
    history: &mut History,
) -> Result<Vec<Tensor>, EvalError> {
    let params = function.params();
    if params.len() != inputs.len() {
        let (takes, given) = (params.len(), inputs.len());
        return Err(EvalError::Input(format!("takes {takes} inputs, not {given}")));
    }
    for (index, (param, input)) in params.iter().zip(inputs).enumerate() {
        let ty = function.ty(*param);
        if ty != input.ty() {
            let name = function.param_name(index);
            return Err(EvalError::Input(format!("`{name}` is {ty}, not {}", input.ty())));
        }
    }
    let values = vec![None; function.value_count()];
    let mut machine = Machine { function, values, iterations, history };
    machine.region(function.body(), inputs.to_vec())
}

struct Machine<'f, 'h> {
    function: &'f Function,
    history: &'h mut History,
    values: Vec<Option<Tensor>>,
    iterations: u64,
}

impl Machine<'_, '_> {
    fn region(&mut self, region: RegionId, inputs: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        let function = self.function;
        let region = function.region(region);
        for (param, input) in region.params.iter().zip(inputs) {
            self.values[param.index()] = Some(input);
        }
        for op in &region.ops {
            let op = function.op(*op);
            let results = self.op(op)?;
            for (id, value) in op.results.iter().zip(results) {
                debug_assert_eq!(function.ty(*id), value.ty(), "{}", op.kind.name());
                self.values[id.index()] = Some(value);
            }
        }
        region.results.iter().map(|id| self.value(id.index())).collect()
    }

    fn value(&self, index: usize) -> Result<Tensor, EvalError> {
        self.values[index].clone().ok_or_else(|| EvalError::Input(format!("%{index} has no value")))
    }

    fn op(&mut self, op: &Op) -> Result<Vec<Tensor>, EvalError> {
        let operands: Result<Vec<Tensor>, EvalError> =
            op.operands.iter().map(|id| self.value(id.index())).collect();
        let operands = operands?;
        match &op.kind {
            OpKind::If => {
                let taken = usize::from(!truth(&operands));
                self.region(op.regions[taken], Vec::new())
            }
            OpKind::While => {
                let mut carried = operands;
                while truth(&self.region(op.regions[0], carried.clone())?) {
                    self.iterations = self.iterations.checked_sub(1).ok_or(EvalError::Limit)?;
                    carried = self.region(op.regions[1], carried)?;
                }
                Ok(carried)
            }
            OpKind::Push { frame } => {
                self.history.0.push((*frame, operands));
                Ok(Vec::new())
            }
            OpKind::Pop { frame, types } => match self.history.0.pop() {
                Some((number, values))
                    if number == *frame && values.iter().map(Tensor::ty).eq(types) =>
                {
                    Ok(values)
                }
                _ => Err(EvalError::Input(format!("the last frame is not frame {frame}"))),
            },
            OpKind::Assert { message } if truth(&operands) => {
                let _ = message;
                Ok(Vec::new())
            }
            OpKind::Assert { message } => {
                Err(EvalError::Trap { trap: Trap::Assert(message.clone()), loc: op.loc })
            }
            OpKind::Const(_)
            | OpKind::Dense(_)
            | OpKind::Unary { .. }
            | OpKind::Binary { .. }
            | OpKind::Math(_)
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. }
            | OpKind::Sum { .. }
            | OpKind::MatMul { .. }
            | OpKind::Element
            | OpKind::Scatter { .. }
            | OpKind::Update { .. }
            | OpKind::Pack { .. } => {
                let operands: Vec<&Tensor> = operands.iter().collect();
                let ty = self.function.ty(op.results[0]);
                let value = eval_op(&op.kind, &operands, ty)
                    .map_err(|trap| EvalError::Trap { trap, loc: op.loc })?;
                Ok(vec![value])
            }
        }
    }
}

fn truth(operands: &[Tensor]) -> bool {
    operands.first().and_then(Tensor::item).is_some_and(|value| value.bits() != 0)
}

/// The value of an op with one result and no regions, whose operands have the types that its shape rule asks for.
pub(crate) fn eval_op(kind: &OpKind, operands: &[&Tensor], ty: &Type) -> Result<Tensor, Trap> {
    match kind {
        OpKind::Const(value) => Ok(Tensor::scalar(*value)),
        OpKind::Dense(dense) => Ok(constant::eval_dense(dense)),
        OpKind::Unary { op, overflow } => arithmetic::eval_unary(*op, *overflow, operands, ty),
        OpKind::Binary { op, overflow } => arithmetic::eval_binary(*op, *overflow, operands, ty),
        OpKind::Math(function) => arithmetic::eval_math(*function, operands, ty),
        OpKind::Compare(op) => Ok(arithmetic::eval_compare(*op, operands, ty)),
        OpKind::Select => Ok(arithmetic::eval_select(operands, ty)),
        OpKind::Convert(_) => Ok(arithmetic::eval_convert(operands, ty)),
        OpKind::Broadcast { axes, .. } => Ok(shape::eval_broadcast(axes, operands, ty)),
        OpKind::Reshape { .. } | OpKind::Detach => Ok(operands[0].reshaped(ty)),
        OpKind::Transpose { perm } => Ok(shape::eval_transpose(perm, operands, ty)),
        OpKind::Sum { axes, overflow } => sum::eval(axes, *overflow, operands, ty),
        OpKind::MatMul { transpose_lhs, transpose_rhs, overflow } => {
            matmul::eval(*transpose_lhs, *transpose_rhs, *overflow, operands, ty)
        }
        OpKind::Element => element::eval_element(operands),
        OpKind::Scatter { .. } => Ok(element::eval_scatter(operands, ty)),
        OpKind::Update { add } => element::eval_update(*add, operands),
        OpKind::Pack { .. } => Ok(element::eval_pack(operands, ty)),
        OpKind::Assert { .. }
        | OpKind::Push { .. }
        | OpKind::Pop { .. }
        | OpKind::If
        | OpKind::While => {
            unreachable!("control ops are evaluated with their regions")
        }
    }
}
