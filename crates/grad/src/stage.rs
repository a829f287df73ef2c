//! The graphs that are shown to people.

use neuro_db::Db;
use neuro_ir as ir;
use neuro_mir::Instance;
use neuro_types::diff_spec;

use crate::sweeps::no_rule;
use crate::{Checked, DerivativeError, NotRaised, Site, raise};

/// A stage of a function on its way to a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The function as it was raised.
    Primal,
    /// Loss and gradients in one graph, as they were derived.
    Derivative,
    /// The same, simplified.
    Optimised,
}

/// The graph of a stage, and what `loc(n)` stands for in it.
///
/// # Errors
/// When the function has no graph, or asks for no derivative.
pub fn stage_graph<'db>(
    db: &'db dyn Db,
    instance: Instance<'db>,
    checked: Checked,
    stage: Stage,
) -> Result<(ir::Function, Vec<Site<'db>>), DerivativeError<'db>> {
    let raised = raise(db, instance, checked).as_ref().map_err(|reason| {
        DerivativeError::NotRaised(NotRaised { site: reason.site, what: reason.what.clone() })
    })?;
    if stage == Stage::Primal {
        return Ok((raised.graph.clone(), raised.sites.clone()));
    }
    let spec = diff_spec(db, instance.function(db)).spec.as_ref().ok_or(DerivativeError::NoSpec)?;
    let graph = neuro_autodiff::value_and_grad(&raised.graph, &spec.params())
        .map_err(|error| no_rule(&error, &raised.sites))?;
    let graph = if stage == Stage::Optimised { ir::simplify(&graph) } else { graph };
    Ok((graph, raised.sites.clone()))
}
