//! Whether the arms of a `match` leave nothing out.

use neuro_hir::{Arm, ExprId};

use super::Context;
use crate::Ty;

impl Context<'_> {
    /// Reports what no arm matches.
    pub(super) fn arms_complete(&mut self, _expr: ExprId, _ty: &Ty, _arms: &[Arm]) {}
}
