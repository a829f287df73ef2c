//! What is said of conflicting borrows.

use neuro_db::codes::{BORROWED, DANGLING};
use neuro_hir::{Expr, ExprId};
use neuro_types::{Finding, Method, Place as At, Remedy, Ty};

use super::flow::{Escape, Store};
use super::{Borrows, Held, Loan, LoanKind, Point};
use crate::check::access::{Access, AccessKind};
use crate::check::liveness::next_use;
use crate::pairs::method;
use crate::{BlockId, LocalId, LocalKind, Place, Statement, SweepId};

impl<'db> Borrows<'_, 'db> {
    /// A use of a place that an active loan excludes.
    pub(super) fn conflict(
        &mut self,
        access: &Access<'_>,
        word: ExprId,
        loan: usize,
        holder: LocalId,
        at: (BlockId, usize),
    ) {
        let sweep = self
            .sweeps
            .get(&holder)
            .copied()
            .filter(|_| self.loans[loan].kind == LoanKind::Mutable);
        let finding = match sweep {
            Some(sweep) => self.gradient_borrow(access, word, loan, sweep),
            None => self.plain_borrow(access, word, loan, holder, at),
        };
        self.findings.push(finding);
    }

    fn gradient_borrow(
        &self,
        access: &Access<'_>,
        word: ExprId,
        loan: usize,
        sweep: SweepId,
    ) -> Finding {
        let scene = self.scene;
        let sweep = &scene.body.sweeps[sweep];
        let name = scene.show(access.place);
        let held = scene.show(&self.loans[loan].place);
        let loss = scene.body.locals[sweep.loss].name.clone().unwrap_or_default();
        let function = sweep.function.name(scene.db);
        let message = format!(
            "cannot {} {name}, which is mutably borrowed until `{loss}.backward()`",
            verb(access.kind)
        );
        Finding::new(BORROWED, At::Expr(word), message)
            .related(
                At::Expr(self.loans[loan].expr),
                format!("this call of `{function}` borrows {held}, for its gradient"),
            )
            .related(
                At::Head(sweep.backward),
                "the borrow ends here, where the gradient is written",
            )
    }

    fn plain_borrow(
        &self,
        access: &Access<'_>,
        word: ExprId,
        loan: usize,
        holder: LocalId,
        at: (BlockId, usize),
    ) -> Finding {
        let scene = self.scene;
        let loan = &self.loans[loan];
        let name = scene.show(access.place);
        let slot = match method(scene.types, loan.expr) {
            Some(Method::Hessian) => "Hessian",
            Some(Method::Jacobian) => "Jacobian",
            _ => "gradient",
        };
        let how = match loan.kind {
            LoanKind::Gradient if access.kind != AccessKind::Empty || slot != "gradient" => {
                format!("while its {slot} is borrowed")
            }
            LoanKind::Mutable => "while it is mutably borrowed".to_owned(),
            _ => "while it is borrowed".to_owned(),
        };
        let message = format!("cannot {} {name} {how}", verb(access.kind));
        let borrowed = scene.show(&loan.place);
        let what = match loan.kind {
            LoanKind::Gradient => format!("the {slot} of {borrowed} is borrowed here"),
            LoanKind::Mutable => format!("{borrowed} is mutably borrowed here"),
            _ => format!("{borrowed} is borrowed here"),
        };
        let mut finding = Finding::new(BORROWED, At::Expr(word), message);
        if loan.expr != word {
            finding = finding.related(At::Expr(loan.expr), what);
        }
        if let Some(later) = next_use(scene, at, holder)
            && !scene.is_inside(word, later)
        {
            finding = finding.related(At::Expr(later), "the borrow is used here");
        } else if scene.looks_at_its_end(holder)
            && let Some(source) = scene.source(holder)
        {
            let name = &scene.hir.locals[source].name;
            let ends = format!("`{name}` has a `drop`, which may use the borrow when it ends");
            finding = finding.related(At::Local(source), ends);
        }
        if access.kind == AccessKind::Move && scene.has_clone(word) {
            let title = "move a copy: `.clone()`".to_owned();
            finding =
                finding.remedy(Remedy::InsertAfter(At::Expr(word), title, ".clone()".to_owned()));
        }
        finding
    }

    /// The scope of a place ends while a reference to it may still be used.
    pub(super) fn outlived(
        &mut self,
        place: &Place,
        loan: usize,
        holder: LocalId,
        at: (BlockId, usize),
    ) {
        let scene = self.scene;
        let expr = self.loans[loan].expr;
        if !self.reported.insert(expr) {
            return;
        }
        let name = scene.show(place);
        let message = format!("{name} does not live long enough for this reference to it");
        let mut finding = Finding::new(DANGLING, At::Expr(expr), message);
        if let Some(source) = scene.source(place.local) {
            let declared = format!("{name} is declared here and ends with its block");
            finding = finding.related(At::Local(source), declared);
        }
        if let Some(later) = next_use(scene, at, holder) {
            finding = finding.related(At::Expr(later), "the reference is used here");
        }
        self.findings.push(finding);
    }

    /// What a statement puts behind a parameter is there when the function has ended.
    pub(super) fn kept(&mut self, at: (BlockId, usize), statement: &Statement<'db>, held: &Held) {
        if self.keepers.is_empty() {
            return;
        }
        let scene = self.scene;
        for Store { through, loans } in self.stores(at, statement, held) {
            let Some(parameter) = self.reached_parameters(through, held).first().copied() else {
                continue;
            };
            let found = loans.iter().find_map(|loan| {
                let loan = &self.loans[loan];
                Some((loan, self.escapes(loan, parameter)?))
            });
            let Some((loan, escape)) = found else { continue };
            let name = scene.show(&loan.place);
            let keeper = scene.show(&Place::local(parameter));
            let owner = scene.owner_name();
            let (word, message) = match escape {
                Escape::Ends if loan.kind == LoanKind::Captures => {
                    (loan.expr, format!("this closure ends with {owner}, and {keeper} keeps it"))
                }
                Escape::Ends => (
                    loan.expr,
                    format!("{name} ends with {owner}, and {keeper} keeps this reference to it"),
                ),
                Escape::Lent => (
                    loan.expr,
                    format!(
                        "{name} is lent for this call only, and {keeper} keeps this reference to it"
                    ),
                ),
                Escape::Unseen => (
                    statement.expr,
                    format!(
                        "{keeper} keeps what {name} refers to, which nobody sees who calls {owner} by its trait"
                    ),
                ),
            };
            if self.reported.insert(word) {
                let mut finding = Finding::new(DANGLING, At::Expr(word), message);
                if word != statement.expr && !scene.is_inside(word, statement.expr) {
                    finding = finding.related(At::Expr(statement.expr), "it is put there here");
                }
                self.findings.push(finding);
            }
        }
    }

    /// The result is a reference: to what does it refer?
    pub(super) fn given_back(&mut self, statement: &Statement<'db>, point: &Point<'_>) {
        let scene = self.scene;
        let Some(ret) = scene.body.ret else { return };
        let Some(loans) = point.after.get(&ret) else { return };
        self.given_unseen(statement, loans);
        let mut loans = loans.iter().map(|loan| &self.loans[loan]);
        let local = |loan: &&Loan| {
            !matches!(loan.kind, LoanKind::Parameter { .. }) && !loan.place.is_behind_reference()
        };
        let Some(loan) = loans.find(local) else { return };
        // The result of a call is given back by the whole call.
        let captures = loan.kind == LoanKind::Captures;
        let word = match scene.hir.exprs[statement.expr] {
            Expr::Borrow { .. } => loan.expr,
            _ if captures => loan.expr,
            _ => statement.expr,
        };
        if !self.reported.insert(word) {
            return;
        }
        let name = scene.show(&loan.place);
        let declaration = &scene.body.locals[loan.place.local];
        let what = match (declaration.kind, loan.kind) {
            (_, LoanKind::Captures) => "what this closure captured".to_owned(),
            (LocalKind::Param, LoanKind::Gradient) => {
                format!("the gradient of the parameter {name}")
            }
            (_, LoanKind::Gradient) => format!("the gradient of {name}"),
            (LocalKind::Param, _) => format!("a reference to the parameter {name}"),
            (_, _) => format!("a reference to {name}"),
        };
        let owner = scene.owner_name();
        let message = format!("cannot return {what}, which ends with {owner}");
        let mut finding = Finding::new(DANGLING, At::Expr(word), message);
        if loan.expr != word {
            finding = finding.related(At::Expr(loan.expr), format!("{name} is borrowed here"));
        }
        if captures {
            finding =
                finding.note("pass what is done with it instead: take a function as a parameter");
        }
        if matches!(scene.body.place_ty(&loan.place), Ty::Tensor(_)) {
            finding = finding.note("return the tensor itself, which moves it to the caller");
        }
        self.findings.push(finding);
    }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "use",
        AccessKind::Move => "move",
        AccessKind::Borrow { mutable: false } => "borrow",
        AccessKind::Borrow { mutable: true } => "mutably borrow",
        AccessKind::BorrowGradient => "read the gradient of",
        AccessKind::Empty => "empty the gradient of",
        AccessKind::Assign => "assign to",
        AccessKind::Change => "change",
        AccessKind::End => "end",
    }
}
