//! Which arguments a function keeps: puts behind others, where they stay when it has ended.

use neuro_db::Db;
use neuro_hir::Function;
use neuro_types::{Ty, infer};

use super::{Borrows, Calls, LoanKind};
use crate::check::scene::Scene;
use crate::ownership::holds_mutable;

/// That a function may put what one argument refers to behind another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub(super) struct Kept {
    /// The place of the parameter behind which it is put, among the parameters with the receiver.
    pub(super) keeper: usize,
    /// The place of the parameter whose argument stays there.
    pub(super) kept: usize,
}

/// What a function keeps; nothing while its types are wrong. Of the functions that it calls only types are looked at.
#[salsa::tracked(returns(deref))]
pub(super) fn kept_arguments<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Kept> {
    let types = infer(db, function);
    if !types.findings.is_empty() {
        return Vec::new();
    }
    let Some(body) = crate::lower::for_checks(db, function) else { return Vec::new() };
    let scene = Scene::new(db, function, neuro_hir::body(db, function), types, body);
    let mut findings = Vec::new();
    let mut borrows = Borrows::new(&scene, Calls::ByType, &mut findings);
    borrows.collect();
    borrows.solve();
    borrows.kept_arguments()
}

impl Borrows<'_, '_> {
    /// What a generic function may keep: its arguments may be references though it does not say so.
    fn kept_by_type(&self) -> Vec<Kept> {
        let body = &self.scene.body;
        let types: Vec<&Ty> = body.params.iter().map(|param| &body.locals[*param].ty).collect();
        let open = |ty: &Ty| ty.any(&mut |part| matches!(part, Ty::Param(_) | Ty::Assoc(_)));
        let mut all = Vec::new();
        for (keeper, _) in
            types.iter().enumerate().filter(|(_, ty)| holds_mutable(self.scene.db, ty) && open(ty))
        {
            let others = types.iter().enumerate().filter(|(kept, ty)| *kept != keeper && open(ty));
            all.extend(others.map(|(kept, _)| Kept { keeper, kept }));
        }
        all
    }

    fn kept_arguments(&self) -> Vec<Kept> {
        let mut all = self.kept_by_type();
        let body = &self.scene.body;
        let index = |local| body.params.iter().position(|param| *param == local);
        for (block, data) in body.blocks.iter() {
            let Some(mut held) = self.start.get(&block).cloned() else { continue };
            for (place, statement) in data.statements.iter().enumerate() {
                let at = (block, place);
                for store in self.stores(at, statement, &held) {
                    let keepers = self.reached_parameters(store.through, &held);
                    let loans = store.loans.iter().map(|loan| &self.loans[loan]);
                    for loan in loans.filter(|loan| matches!(loan.kind, LoanKind::Parameter { .. }))
                    {
                        for keeper in &keepers {
                            if let (Some(keeper), Some(kept)) =
                                (index(*keeper), index(loan.place.local))
                                && !all.contains(&Kept { keeper, kept })
                            {
                                all.push(Kept { keeper, kept });
                            }
                        }
                    }
                }
                self.transfer(at, statement, &mut held);
            }
        }
        all
    }
}
