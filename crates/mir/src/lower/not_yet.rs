//! Methods of tensors that do not run yet, as far as the checks ask: what they look at, take, borrow.

use neuro_hir::{Expr, ExprId};
use neuro_types::Method;

use super::Lowering;
use super::read::Reading;
use crate::{Operand, Operation, Place, Rvalue};

impl Lowering<'_, '_> {
    pub(super) fn method_not_yet(
        &mut self,
        method: Method,
        (receiver, args): (ExprId, &[ExprId]),
        dest: &Place,
        expr: ExprId,
    ) {
        let mut operands = vec![receiver];
        match method {
            Method::Permute | Method::Reshape | Method::Flatten | Method::To => {
                return self.apply(dest, Operation::NotYet, &operands, Reading::Taking, expr);
            }
            Method::Reduce => return self.fold(receiver, args, dest, expr),
            Method::Flat | Method::Map | Method::Zip | Method::Matvec => operands.extend(args),
            Method::Forward | Method::Hvp => return self.direction(receiver, args, dest, expr),
            Method::Hessian => {
                let place = match args {
                    [] => self.tensor_place(receiver),
                    [name] => self.hessian_of(receiver, *name),
                    _ => {
                        return self.apply(
                            dest,
                            Operation::NotYet,
                            &operands,
                            Reading::Looking,
                            expr,
                        );
                    }
                };
                return self.assign(dest, Rvalue::Gradient(place), expr);
            }
            // It lies beside the value of the call.
            Method::Jacobian => {
                let place = self.tensor_place(receiver);
                return self.assign(dest, Rvalue::Gradient(place), expr);
            }
            Method::Values | Method::Rows | Method::Cols | Method::RowPtr => {
                let place = self.tensor_place(receiver);
                return self.assign(dest, Rvalue::Ref { mutable: false, place }, expr);
            }
            // Their arguments are constants and names of axes.
            Method::Sum
            | Method::Mean
            | Method::Max
            | Method::Min
            | Method::Sort
            | Method::Argsort
            | Method::Topk
            | Method::Nnz
            | Method::ToDense => {}
            // These run.
            Method::Math(_)
            | Method::Item
            | Method::Clone
            | Method::Transpose
            | Method::Detach
            | Method::Backward
            | Method::Grad
            | Method::ZeroGrad => {}
        }
        self.apply(dest, Operation::NotYet, &operands, Reading::Looking, expr);
    }

    /// `.reduce(seed, f)`: the seed is taken.
    fn fold(&mut self, receiver: ExprId, args: &[ExprId], dest: &Place, expr: ExprId) {
        let mut reads = vec![self.read(receiver, Reading::Looking, args)];
        for (index, arg) in args.iter().enumerate() {
            let reading = if index == 0 { Reading::Taking } else { Reading::Looking };
            reads.push(self.read(*arg, reading, &args[index + 1..]));
        }
        let operands = reads.iter().map(|read| read.operand.clone()).collect();
        self.operation(dest, Operation::NotYet, operands, expr);
        self.after(reads);
    }

    /// `.forward(w: &v)`, `.hvp(w: &v)`: the arguments of the call are read again.
    fn direction(&mut self, receiver: ExprId, args: &[ExprId], dest: &Place, expr: ExprId) {
        let mut exprs = vec![receiver];
        exprs.extend(args);
        let reads = self.read_all(&exprs, Reading::Looking, &[]);
        let mut operands: Vec<Operand> = reads.iter().map(|read| read.operand.clone()).collect();
        for held in self.held_by(receiver) {
            operands.extend(held.reference.map(Operand::Copy));
        }
        self.operation(dest, Operation::NotYet, operands, expr);
        self.after(reads);
    }

    /// `l.hessian(w)`: beside the argument `w` where it is kept as a whole, beside the value of the call otherwise.
    fn hessian_of(&mut self, receiver: ExprId, argument: ExprId) -> Place {
        let hir = self.hir;
        let name = match &hir.exprs[argument] {
            Expr::Local(local) => Some(&hir.locals[*local].name),
            Expr::Path(path) => path.as_name(),
            _ => None,
        };
        let asked = match &hir.exprs[receiver] {
            Expr::Local(local) => self.asked.get(local).filter(|asked| !asked.spec.is_sparse()),
            _ => None,
        };
        let held = asked.and_then(|asked| {
            let wrt = asked.spec.wrt.iter().find(|wrt| wrt.name.as_ref() == name)?;
            asked.held.iter().find(|held| held.base == wrt.base)
        });
        match held {
            Some(held) => held.place.clone(),
            None => self.tensor_place(receiver),
        }
    }
}
