//! Which values a derivative is about.

use neuro_ir::{Function, Op, OpKind, RegionId, ValueId};

use crate::AutodiffError;

/// For each value whether it depends on an active parameter through floats (*varied*), and whether also the loss
/// depends on it (*active*). Everything else is constant to the derivative and costs it nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    varied: Vec<bool>,
    active: Vec<bool>,
}

impl Activity {
    /// The activity of a function by the parameters at the positions `wrt`.
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
        let mut walk = Walk { function, varied, useful: vec![false; function.value_count()] };
        walk.forward(function.body());
        for result in function.results() {
            walk.useful[result.index()] = true;
        }
        walk.backward(function.body());
        let Walk { varied, useful, .. } = walk;
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

/// The two walks over a function: what varies, then what is useful.
struct Walk<'f> {
    function: &'f Function,
    varied: Vec<bool>,
    useful: Vec<bool>,
}

impl Walk<'_> {
    fn forward(&mut self, region: RegionId) {
        let function = self.function;
        for id in &function.region(region).ops {
            let op = function.op(*id);
            match op.kind {
                OpKind::If => {
                    for arm in &op.regions {
                        self.forward(*arm);
                        self.vary_with(&op.results, &function.region(*arm).results);
                    }
                }
                OpKind::While => self.forward_loop(op),
                _ if flows(op).iter().any(|id| self.varied[id.index()]) => {
                    for result in &op.results {
                        self.varied[result.index()] = function.ty(*result).dtype.is_float();
                    }
                }
                _ => {}
            }
        }
    }

    /// A carried value varies when its first value or its next one does; until nothing changes.
    fn forward_loop(&mut self, op: &Op) {
        let function = self.function;
        self.vary_with(&op.results, &op.operands);
        loop {
            let before = op.results.iter().filter(|id| self.varied[id.index()]).count();
            for region in &op.regions {
                self.vary_with(&function.region(*region).params, &op.results);
                self.forward(*region);
            }
            if let Some(body) = op.regions.get(1) {
                self.vary_with(&op.results, &function.region(*body).results);
            }
            if op.results.iter().filter(|id| self.varied[id.index()]).count() == before {
                return;
            }
        }
    }

    /// Marks each of `targets` whose counterpart among `sources` varies.
    fn vary_with(&mut self, targets: &[ValueId], sources: &[ValueId]) {
        for (target, source) in targets.iter().zip(sources) {
            self.varied[target.index()] |= self.varied[source.index()];
        }
    }

    fn backward(&mut self, region: RegionId) {
        let function = self.function;
        for id in function.region(region).ops.iter().rev() {
            let op = function.op(*id);
            if !op.results.iter().any(|id| self.useful[id.index()] && self.varied[id.index()]) {
                continue;
            }
            match op.kind {
                OpKind::If => {
                    for arm in &op.regions {
                        let given = &function.region(*arm).results;
                        for (given, result) in given.iter().zip(&op.results) {
                            self.useful[given.index()] |= self.useful[result.index()];
                        }
                        self.backward(*arm);
                    }
                }
                OpKind::While => self.backward_loop(op),
                _ => {
                    for operand in &op.operands {
                        self.useful[operand.index()] = true;
                    }
                }
            }
        }
    }

    /// A carried value is useful when its last value is, or when one that is useful is made of it; until nothing
    /// changes. Nothing flows through the condition.
    fn backward_loop(&mut self, op: &Op) {
        let function = self.function;
        let Some(id) = op.regions.get(1) else { return };
        let body = function.region(*id);
        loop {
            let before = op.results.iter().filter(|id| self.useful[id.index()]).count();
            self.useful_with(&body.results, &op.results);
            self.backward(*id);
            self.useful_with(&op.results, &body.params);
            if op.results.iter().filter(|id| self.useful[id.index()]).count() == before {
                break;
            }
        }
        self.useful_with(&body.params, &op.results);
        self.useful_with(&op.operands, &op.results);
    }

    /// Marks each of `targets` whose counterpart among `sources` is useful.
    fn useful_with(&mut self, targets: &[ValueId], sources: &[ValueId]) {
        for (target, source) in targets.iter().zip(sources) {
            self.useful[target.index()] |= self.useful[source.index()];
        }
    }
}

/// The operands through which a derivative flows into the op's result: a mask or a position changes in steps, so nothing
/// flows through it.
fn flows(op: &Op) -> &[ValueId] {
    match &op.kind {
        OpKind::Compare(_) | OpKind::Detach => &[],
        OpKind::Select => op.operands.get(1..).unwrap_or(&[]),
        OpKind::Update { .. } => op.operands.get(..2).unwrap_or(&[]),
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
        | OpKind::Push { .. }
        | OpKind::Pop { .. }
        | OpKind::If
        | OpKind::While => &op.operands,
    }
}
