//! Forward mode: a function and its directional derivative in one walk from first op to last.

mod control;
mod rules;

use neuro_ir::{Built, Function, FunctionBuilder, ValueId, simplify};

use crate::{Activity, AutodiffError, slope::constant};

/// A function of the primal's parameters and of one direction for each parameter at the positions `active` (shaped like
/// it), which gives the primal's results and then their tangents. Simplified.
///
/// A tangent that no direction reaches is absent, and zeros only as a result.
///
/// # Errors
/// When an active op has no rule, a result is no float, or the request does not fit the function.
pub fn forward(primal: &Function, active: &[usize]) -> Result<Function, AutodiffError> {
    let activity = Activity::new(primal, active)?;
    if let Some(result) = primal.results().iter().find(|id| !primal.ty(**id).dtype.is_float()) {
        let reason = format!("the tangent of {} is not a float", primal.ty(*result));
        return Err(AutodiffError::Request(reason));
    }
    let mut builder = FunctionBuilder::new(format!("{}.forward", primal.name()));
    let mut values = vec![None; primal.value_count()];
    let mut tangents = vec![None; primal.value_count()];
    for (index, param) in primal.params().iter().enumerate() {
        let ty = primal.ty(*param).clone();
        values[param.index()] = Some(builder.param(primal.param_name(index), ty));
    }
    for index in active {
        let param = primal.params()[*index];
        let ty = primal.ty(param).clone();
        let name = format!("d.{}", primal.param_name(*index));
        tangents[param.index()] = Some(builder.param(name, ty));
    }
    let mut sweep = Sweep { primal, activity, builder, values, tangents };
    sweep.region(primal.body())?;
    Ok(simplify(&sweep.finish()?))
}

/// The walk in progress.
struct Sweep<'f> {
    primal: &'f Function,
    activity: Activity,
    builder: FunctionBuilder,
    /// The new value of each of the primal's.
    values: Vec<Option<ValueId>>,
    /// Its tangent, where a direction reaches it.
    tangents: Vec<Option<ValueId>>,
}

impl Sweep<'_> {
    fn finish(mut self) -> Built<Function> {
        let mut results = Vec::new();
        for result in self.primal.results() {
            results.push(self.value(*result)?);
        }
        for result in self.primal.results() {
            let ty = self.primal.ty(*result);
            let tangent = self.tangents[result.index()];
            results.push(tangent.unwrap_or_else(|| constant(&mut self.builder, 0.0, ty)));
        }
        Ok(self.builder.finish(results))
    }
}
