//! Results whose type a trait leaves open.
//!
//! Who calls `next` by its trait sees an item of an unknown type, which may be kept when the iterator has ended. So a
//! function whose trait says no more of its result gives back nothing that its receiver owns, and a call of one borrows
//! only what its receiver borrows.

use neuro_db::Db;
use neuro_db::codes::DANGLING;
use neuro_hir::{Container, Function, functions_of};
use neuro_types::{Finding, Place as At, TraitDef, Ty, fn_sig, impl_header};

use super::{Borrows, Loan, LoanKind};
use crate::bits::BitSet;
use crate::ownership::holds_reference;
use crate::{Projection, Statement};

/// Whether a function is of a trait that leaves the type of its result to who gives the trait.
pub(super) fn leaves_result_open<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    let declared = match function.container(db) {
        Container::Trait(_) => Some(function),
        Container::Impl(block) => impl_header(db, block).of_trait.as_ref().and_then(|of_trait| {
            let TraitDef::Item(of_trait) = of_trait else { return None };
            let item = of_trait.as_trait(db)?;
            let declared = functions_of(db, item.file(db), Container::Trait(item));
            let name = function.name(db);
            declared.iter().copied().find(|declared| declared.name(db) == name)
        }),
        Container::Module(_) => None,
    };
    declared.is_some_and(|declared| {
        let ret = &fn_sig(db, declared).ret;
        ret.any(&mut |part| matches!(part, Ty::Assoc(_))) && !holds_reference(db, ret)
    })
}

impl Borrows<'_, '_> {
    /// Whether a loan is of something that a parameter owns, who is only lent to the function.
    pub(super) fn is_lent_for_the_call(&self, loan: &Loan) -> bool {
        let place = &loan.place;
        matches!(loan.kind, LoanKind::Shared | LoanKind::Mutable)
            && self.scene.body.params.contains(&place.local)
            && place.projections.first() == Some(&Projection::Deref)
            // What is behind a shared reference that the parameter holds was lent by somebody else.
            && !self.is_behind_shared(place, 1)
    }

    /// The result is a reference to what the receiver owns, and who calls the function by its trait cannot see it.
    pub(super) fn given_unseen(&mut self, statement: &Statement<'_>, loans: &BitSet) {
        let scene = self.scene;
        if !leaves_result_open(scene.db, scene.function) {
            return;
        }
        let mut loans = loans.iter().map(|loan| &self.loans[loan]);
        let Some(loan) = loans.find(|loan| self.is_lent_for_the_call(loan)) else { return };
        if !self.reported.insert(statement.expr) {
            return;
        }
        let (name, owner) = (scene.show(&loan.place), scene.owner_name());
        let message =
            format!("cannot return a reference to {name}, which is lent for this call only");
        let mut finding = Finding::new(DANGLING, At::Expr(statement.expr), message);
        if loan.expr != statement.expr {
            finding = finding.related(At::Expr(loan.expr), format!("{name} is borrowed here"));
        }
        let note = format!(
            "who calls {owner} by its trait sees no reference in the result, and may keep it longer"
        );
        self.findings.push(finding.note(note));
    }
}
