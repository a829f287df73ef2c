//! Derivatives as queries: memos over the plain functions of `neuro_autodiff`.

use neuro_autodiff::{AutodiffError, Reverse};
use neuro_db::Db;
use neuro_mir::Instance;
use neuro_types::{DiffSpec, diff_spec};

use crate::{Checked, NotRaised, Raised, Site, raise};

/// The derivative of a `@grad` function.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Derivative<'db> {
    /// What is differentiated.
    pub spec: DiffSpec,
    /// The forward and the reverse sweep.
    pub sweeps: Reverse,
    /// What `loc(n)` stands for in both.
    pub sites: Vec<Site<'db>>,
}

/// Why there is no derivative.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub enum DerivativeError<'db> {
    /// The function asks for none, or its header is wrong; that is reported with the header.
    NoSpec,
    /// The function is no graph.
    NotRaised(NotRaised<'db>),
    /// An op of the graph has no rule.
    NoRule {
        /// Where it comes from.
        site: Option<Site<'db>>,
        /// The op, as in "`round`".
        what: String,
    },
}

/// The sweeps of an instance's gradient.
#[salsa::tracked]
pub fn derivative<'db>(
    db: &'db dyn Db,
    instance: Instance<'db>,
    checked: Checked,
) -> Result<Derivative<'db>, DerivativeError<'db>> {
    let raised = raise(db, instance, checked).as_ref().map_err(|reason| {
        DerivativeError::NotRaised(NotRaised { site: reason.site, what: reason.what.clone() })
    })?;
    differentiate(db, instance, raised)
}

/// Why there is no derivative, if there is none. The derivative itself nobody keeps: those of a whole program take
/// much memory, and few of them are looked at.
pub(crate) fn derivative_error<'db>(
    db: &'db dyn Db,
    instance: Instance<'db>,
) -> Option<DerivativeError<'db>> {
    match crate::raising::make(db, instance, Checked::Yes) {
        Ok(raised) => differentiate(db, instance, &raised).err(),
        Err(reason) => Some(DerivativeError::NotRaised(reason)),
    }
}

fn differentiate<'db>(
    db: &'db dyn Db,
    instance: Instance<'db>,
    raised: &Raised<'db>,
) -> Result<Derivative<'db>, DerivativeError<'db>> {
    let spec = diff_spec(db, instance.function(db)).spec.clone().ok_or(DerivativeError::NoSpec)?;
    let sweeps = neuro_autodiff::reverse(&raised.graph, &spec.params())
        .map_err(|error| no_rule(&error, &raised.sites))?;
    Ok(Derivative { spec, sweeps, sites: raised.sites.clone() })
}

/// Why `neuro_autodiff` has no derivative, with the place in the program.
pub(crate) fn no_rule<'db>(error: &AutodiffError, sites: &[Site<'db>]) -> DerivativeError<'db> {
    let (loc, what) = match error {
        AutodiffError::NoRule { op, loc } => (*loc, format!("`{op}`")),
        AutodiffError::Request(reason) => (None, reason.clone()),
        AutodiffError::Build(error) => {
            (error.loc, format!("`{}`, which {}", error.op, error.reason))
        }
    };
    let site = loc.and_then(|loc| sites.get(loc.0 as usize).copied());
    DerivativeError::NoRule { site, what }
}
