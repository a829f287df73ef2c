//! A function split into the sweep that computes the loss and the sweep that computes its gradients.
//!
//! The reverse sweep walks the primal's ops from last to first. Each active op with an adjoint contributes to the
//! adjoints of its active operands; the first contribution to a value is stored, the next ones are added in the order
//! in which they come. An adjoint that nothing contributes to is absent, never zero.
//!
//! Values of the primal that a rule reads come from the primal's parameters, are computed again when that is cheap, or
//! are kept: a *residual*. What changes in a loop is kept once for each iteration, in a *frame* that the forward
//! sweep pushes and the reverse sweep pops, newest first. Values are kept, never operations.

mod arithmetic;
mod branch;
mod element;
mod count;
mod keep;
mod math;
mod matmul;
mod recompute;
mod repetition;
mod shape;

use neuro_ir::{
    Built, Function, FunctionBuilder, Loc, Op, OpKind, RegionId, Type, ValueId, inline, simplify,
    without_unread_pops,
};
use neuro_num::{BinOp, Scalar, UnOp};

use keep::{Frame, Homes};
use repetition::OpenLoop;

use crate::{Activity, AutodiffError, slope::constant};

/// A value that the forward sweep keeps for the reverse sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residual {
    /// Its value in the primal function, in which each loop carries the number of its iterations.
    pub primal: ValueId,
    /// Its type.
    pub ty: Type,
}

/// The two sweeps of a function's gradient.
///
/// `forward` takes the primal's parameters and gives the primal's result (the loss), then the residuals in order.
/// `reverse` takes the primal's parameters, then the residuals, and gives one gradient for each `wrt` parameter, in the
/// order of the request. The seed is 1 and already folded in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse {
    /// The forward sweep: the primal's ops, unchanged, and what keeps values.
    pub forward: Function,
    /// The reverse sweep, simplified.
    pub reverse: Function,
    /// What the one keeps for the other.
    pub residuals: Vec<Residual>,
    /// The bytes that each iteration of a loop keeps besides, a number for each loop that keeps any.
    pub frame_bytes: Vec<usize>,
    /// For each parameter of the primal: whether the reverse sweep reads it. Those that it does not read may be
    /// dropped or changed before it runs.
    pub reads: Vec<bool>,
    /// For each `wrt` parameter: whether the loss depends on it. The gradient of one that is not reached is zeros.
    pub reached: Vec<bool>,
}

/// Splits `primal`, whose one result is the loss (a float scalar), into the two sweeps of its gradient by the parameters
/// at the positions `wrt`. Every other parameter is a constant, for which no work is done.
///
/// The primal should be [simplified](simplify) first: what is computed twice there is kept twice here.
///
/// # Errors
/// When an active op has no rule, or the request does not fit the function.
pub fn reverse(primal: &Function, wrt: &[usize]) -> Result<Reverse, AutodiffError> {
    let primal = &count::counted(primal)?;
    let [loss] = primal.results() else {
        return Err(AutodiffError::Request("a loss is one value".to_owned()));
    };
    let ty = primal.ty(*loss);
    if ty.rank() != 0 || !ty.dtype.is_float() {
        return Err(AutodiffError::Request(format!("a loss is a float scalar, not {ty}")));
    }
    let mut sweep = Sweep::new(primal, Activity::new(primal, wrt)?);
    if sweep.activity.active(*loss) {
        let seed = sweep.builder.constant(Scalar::one(ty.dtype));
        sweep.contribute(*loss, seed, None, None)?;
    }
    sweep.region(primal.body())?;
    let (gradients, reached) = sweep.gradients(wrt);
    let Sweep { residuals, frames, builder, .. } = sweep;
    let whole = simplify(&builder.finish(gradients));
    split(primal, &whole, (&residuals, frames), reached)
}

/// One function of the primal's parameters that gives the loss and its gradients, simplified: the two sweeps joined.
///
/// # Errors
/// As [`reverse`].
pub fn value_and_grad(primal: &Function, wrt: &[usize]) -> Result<Function, AutodiffError> {
    let sweeps = reverse(primal, wrt)?;
    let mut builder = FunctionBuilder::new(primal.name());
    let params: Vec<ValueId> = primal
        .params()
        .iter()
        .enumerate()
        .map(|(index, param)| builder.param(primal.param_name(index), primal.ty(*param).clone()))
        .collect();
    let kept = inline(&mut builder, &sweeps.forward, &params)?;
    let (loss, residuals) = kept.split_at(1);
    let arguments: Vec<ValueId> = params.iter().chain(residuals).copied().collect();
    let gradients = inline(&mut builder, &sweeps.reverse, &arguments)?;
    let results: Vec<ValueId> = loss.iter().copied().chain(gradients).collect();
    Ok(simplify(&builder.finish(results)))
}

/// Drops the residuals that simplifying made unnecessary, and notes which parameters are still read.
fn split(
    primal: &Function,
    whole: &Function,
    (kept, frames): (&[ValueId], Vec<Frame>),
    reached: Vec<bool>,
) -> Result<Reverse, AutodiffError> {
    let (whole, popped) = without_unread_pops(whole)?;
    let whole = simplify(&whole);
    let frames: Vec<Frame> =
        frames.into_iter().filter_map(|frame| frame.narrowed(&popped)).collect();
    let bytes = |frame: &Frame| frame.values.iter().map(|id| primal.ty(*id).bytes()).sum();
    let count = primal.params().len();
    let read = whole.reads_params();
    let residuals: Vec<Residual> = kept
        .iter()
        .zip(&read[count..])
        .filter(|(_, read)| **read)
        .map(|(value, _)| Residual { primal: *value, ty: primal.ty(*value).clone() })
        .collect();
    let values: Vec<ValueId> = residuals.iter().map(|residual| residual.primal).collect();
    Ok(Reverse {
        frame_bytes: frames.iter().map(bytes).collect(),
        forward: keep::keeping(primal, &values, &frames)?,
        // Once more, for the numbers of values only.
        reverse: simplify(&whole.without_params(|index| index >= count && !read[index])),
        residuals,
        reads: read[..count].to_vec(),
        reached,
    })
}

/// The adjoint of a value so far.
#[derive(Clone, Copy, Debug)]
struct Adjoint {
    value: ValueId,
    guard: Option<Guard>,
}

/// Where an adjoint is absent, though it has a number there: outside the chosen elements of a select, or wholly when the
/// branch that contributes was not taken. A rule that multiplies by something that may be infinite there masks its
/// contribution again, so that nothing comes from an arm that was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guard {
    mask: ValueId,
    /// The mask's value where the adjoint is present.
    present: bool,
}

/// The reverse sweep under construction. `builder` has the primal's parameters; residuals follow as they are asked for.
struct Sweep<'f> {
    primal: &'f Function,
    activity: Activity,
    builder: FunctionBuilder,
    /// The reverse sweep's value of each of the primal's that is a parameter here: of the primal or a residual.
    given: Vec<Option<ValueId>>,
    /// Of each that was computed again, as far as it is visible here.
    recomputed: Vec<Option<ValueId>>,
    /// What is kept, in the order of the residual parameters.
    residuals: Vec<ValueId>,
    /// What is kept of each iteration of the loops that were walked.
    frames: Vec<Frame>,
    /// The loops whose bodies are being walked, innermost last.
    loops: Vec<OpenLoop<'f>>,
    /// Where each value of the primal is defined.
    homes: Homes,
    adjoints: Vec<Option<Adjoint>>,
}

impl<'f> Sweep<'f> {
    fn new(primal: &'f Function, activity: Activity) -> Sweep<'f> {
        let mut builder = FunctionBuilder::new(format!("{}.reverse", primal.name()));
        let count = primal.value_count();
        let mut given = vec![None; count];
        for (index, param) in primal.params().iter().enumerate() {
            let ty = primal.ty(*param).clone();
            given[param.index()] = Some(builder.param(primal.param_name(index), ty));
        }
        Sweep {
            primal,
            activity,
            builder,
            given,
            recomputed: vec![None; count],
            residuals: Vec::new(),
            frames: Vec::new(),
            loops: Vec::new(),
            homes: Homes::new(primal),
            adjoints: vec![None; count],
        }
    }

    /// What the ops of a region contribute, from last to first.
    fn region(&mut self, region: RegionId) -> Result<(), AutodiffError> {
        let primal = self.primal;
        primal.region(region).ops.iter().rev().try_for_each(|op| self.op(primal.op(*op)))
    }

    /// What an op contributes to its operands.
    fn op(&mut self, op: &'f Op) -> Result<(), AutodiffError> {
        if !op.regions.is_empty() {
            // An op with several results; nothing to do unless one of them matters.
            let matters = op.results.iter().any(|id| self.adjoints[id.index()].is_some());
            return match op.kind {
                _ if !matters => Ok(()),
                OpKind::If => self.branch_adjoint(op),
                OpKind::While => self.loop_adjoint(op),
                _ => Err(no_rule(op)),
            };
        }
        let [result] = op.results.as_slice() else { return Ok(()) };
        let Some(adjoint) = self.adjoints[result.index()] else { return Ok(()) };
        match &op.kind {
            OpKind::Unary { op: UnOp::Neg, .. } => self.neg_adjoint(op, adjoint),
            OpKind::Binary { op: binary, .. } => match binary {
                BinOp::Add => self.add_adjoint(op, adjoint),
                BinOp::Sub => self.sub_adjoint(op, adjoint),
                BinOp::Mul => self.mul_adjoint(op, adjoint),
                BinOp::Div => self.div_adjoint(op, adjoint),
                BinOp::Rem => self.rem_adjoint(op, adjoint),
                BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
                    return Err(no_rule(op));
                }
            },
            OpKind::Math(function) => self.math_adjoint(*function, op, adjoint),
            OpKind::Select => self.select_adjoint(op, adjoint),
            OpKind::Convert(_) => self.convert_adjoint(op, adjoint),
            OpKind::Broadcast { axes, .. } => self.broadcast_adjoint(axes, op, adjoint),
            OpKind::Reshape { .. } => self.reshape_adjoint(op, adjoint),
            OpKind::Transpose { perm } => self.transpose_adjoint(perm, op, adjoint),
            OpKind::Sum { axes, .. } => self.sum_adjoint(axes, op, adjoint),
            OpKind::MatMul { transpose_lhs, transpose_rhs, .. } => {
                self.matmul_adjoint((*transpose_lhs, *transpose_rhs), op, adjoint)
            }
            OpKind::Element => self.element_adjoint(op, adjoint),
            OpKind::Scatter { .. } => self.scatter_adjoint(op, adjoint),
            OpKind::Update { add } => self.update_adjoint(*add, op, adjoint),
            OpKind::Pack { dims } => self.pack_adjoint(dims, op, adjoint),
            // None of these has a float result that depends on a parameter.
            OpKind::Const(_)
            | OpKind::Dense(_)
            | OpKind::Unary { op: UnOp::Not, .. }
            | OpKind::Compare(_)
            | OpKind::Detach
            | OpKind::Assert { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => return Err(no_rule(op)),
        }?;
        Ok(())
    }

    /// Adds a contribution to the adjoint of a value.
    fn contribute(
        &mut self,
        value: ValueId,
        contribution: ValueId,
        guard: Option<Guard>,
        loc: Option<Loc>,
    ) -> Built<()> {
        let sum = match self.adjoints[value.index()] {
            None => Adjoint { value: contribution, guard },
            Some(sum) => Adjoint {
                value: self.builder.add(sum.value, contribution, loc)?,
                guard: if sum.guard == guard { guard } else { None },
            },
        };
        self.adjoints[value.index()] = Some(sum);
        Ok(())
    }

    /// Adds a contribution made elementwise by a rule that may turn zero into not-a-number.
    fn contribute_masked(
        &mut self,
        value: ValueId,
        contribution: ValueId,
        guard: Option<Guard>,
        loc: Option<Loc>,
    ) -> Built<()> {
        let contribution = match guard {
            Some(guard) => self.masked(contribution, guard, loc)?,
            None => contribution,
        };
        self.contribute(value, contribution, guard, loc)
    }

    /// `value` where the guard says that it is present, else zero.
    fn masked(&mut self, value: ValueId, guard: Guard, loc: Option<Loc>) -> Built {
        let ty = self.builder.ty(value).clone();
        let zero = constant(&mut self.builder, 0.0, &ty);
        let (a, b) = if guard.present { (value, zero) } else { (zero, value) };
        self.builder.select(guard.mask, a, b, loc)
    }

    /// The guard of what is rearranged from an adjoint: only one that is about the whole of it stays.
    fn whole_guard(&self, adjoint: Adjoint) -> Option<Guard> {
        adjoint.guard.filter(|guard| self.builder.ty(guard.mask).rank() == 0)
    }

    fn active(&self, value: ValueId) -> bool {
        self.activity.active(value)
    }

    /// The gradients, and which of them are reached.
    fn gradients(&mut self, wrt: &[usize]) -> (Vec<ValueId>, Vec<bool>) {
        let mut gradients = Vec::new();
        let mut reached = Vec::new();
        for index in wrt {
            let param = self.primal.params()[*index];
            let adjoint = self.adjoints[param.index()];
            reached.push(adjoint.is_some());
            gradients.push(match adjoint {
                Some(adjoint) => adjoint.value,
                None => constant(&mut self.builder, 0.0, self.primal.ty(param)),
            });
        }
        (gradients, reached)
    }
}

fn no_rule(op: &Op) -> AutodiffError {
    AutodiffError::NoRule { op: op.kind.name(), loc: op.loc }
}
