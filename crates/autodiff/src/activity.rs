//! Which values a derivative is about.

use neuro_ir::{Function, Op, OpKind, ValueId};

use crate::AutodiffError;

/// For each value whether it depends on an active parameter through floats (*varied*), and whether also the loss
/// depends on it (*active*). Everything else is constant to the derivative and costs it nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    varied: Vec<bool>,
    active: Vec<bool>,
}

impl Activity {
    /// The activity of a function without nested regions that matter: an op with regions whose results would be varied
    /// is reported when its rule is asked for.
    ///
    /// # Errors
    /// When a parameter of `wrt` does not exist, is named twice or is no float.
    pub fn new(function: &Function, wrt: &[usize]) -> Result<Activity, AutodiffError> {
        let mut varied = vec![false; function.value_count()];
        for index in wrt {
            let Some(param) = function.params().get(*index) else {
                return Err(AutodiffError::Request(format!("there is no parameter {index}")));
            };
            if !function.ty(*param).dtype.is_float() {
                let name = function.param_name(*index);
                return Err(AutodiffError::Request(format!("`{name}` is no float")));
            }
            if std::mem::replace(&mut varied[param.index()], true) {
                let name = function.param_name(*index);
                return Err(AutodiffError::Request(format!("`{name}` is listed twice")));
            }
        }
        for (_, op) in function.body_ops() {
            if reads_varied(function, op, &varied) {
                for result in &op.results {
                    varied[result.index()] = function.ty(*result).dtype.is_float();
                }
            }
        }
        let mut useful = vec![false; function.value_count()];
        for result in function.results() {
            useful[result.index()] = true;
        }
        for (_, op) in function.body_ops().rev() {
            if op.results.iter().any(|id| useful[id.index()] && varied[id.index()]) {
                for operand in &op.operands {
                    useful[operand.index()] = true;
                }
            }
        }
        let active =
            varied.iter().zip(&useful).map(|(varied, useful)| *varied && *useful).collect();
        Ok(Activity { varied, active })
    }

    /// Whether the value depends on an active parameter.
    pub fn varied(&self, value: ValueId) -> bool {
        self.varied[value.index()]
    }

    /// Whether the value depends on an active parameter and a result depends on it.
    pub fn active(&self, value: ValueId) -> bool {
        self.active[value.index()]
    }
}

/// Whether the op, or one in its regions, reads a varied value.
fn reads_varied(function: &Function, op: &Op, varied: &[bool]) -> bool {
    // A mask or a position changes in steps: nothing flows through it.
    let flows = match &op.kind {
        OpKind::Compare(_) | OpKind::Detach => &[],
        OpKind::Select => op.operands.get(1..).unwrap_or(&[]),
        OpKind::Element | OpKind::Scatter { .. } => op.operands.get(..1).unwrap_or(&[]),
        OpKind::Const(_)
        | OpKind::Dense(_)
        | OpKind::Unary { .. }
        | OpKind::Binary { .. }
        | OpKind::Math(_)
        | OpKind::Convert(_)
        | OpKind::Broadcast { .. }
        | OpKind::Reshape { .. }
        | OpKind::Transpose { .. }
        | OpKind::Sum { .. }
        | OpKind::MatMul { .. }
        | OpKind::Pack { .. }
        | OpKind::Assert { .. }
        | OpKind::If
        | OpKind::While => op.operands.as_slice(),
    };
    flows.iter().any(|id| varied[id.index()])
        || op.regions.iter().any(|region| {
            let region = function.region(*region);
            region.results.iter().any(|id| varied[id.index()])
                || region.ops.iter().any(|op| reads_varied(function, function.op(*op), varied))
        })
}
