//! Operators on types of the program: newtypes compare as what they wrap, and everything else has the
//! methods of the operators' traits. Each operator calls its own method.

use neuro_db::codes;
use neuro_hir::{BinaryOp, BuiltinTrait, CompareOp, Container, ExprId, UnaryOp, functions_of};

use super::Context;
use super::operator::symbol;
use crate::traits::conform::conformance;
use crate::traits::{Proof, known, prove};
use crate::unclear::Missed;
use crate::{Callee, Finding, GenericArg, Owner, Place, TraitDef, Ty};

impl<'db> Context<'db> {
    /// The result of a binary operator that a type of the program defines; none if it does not.
    pub(super) fn operator_method(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Option<Ty> {
        let of_trait = binary_trait(op);
        let own = self.program_type(lhs.1)?;
        let method = known::methods(of_trait).first()?;
        let Some(proof) = self.operator_proof(&own, of_trait) else {
            if self.may_operate(&own, of_trait) {
                return Some(Ty::Error);
            }
            let finding = self.no_trait(expr, symbol(op), &own, of_trait, rhs.1);
            return Some(self.refuse(finding));
        };
        if let Proof::Unknown = proof {
            return Some(Ty::Error);
        }
        let right = self.resolved(rhs.1);
        if !self.table.unify(&own, right.peeled()) {
            if self.conforms_not(&proof) {
                self.give_up(&right);
                return Some(self.output(&own, of_trait));
            }
            return Some(self.other_operand(expr, symbol(op), &own, &right));
        }
        self.owned_operands(&[lhs, rhs], symbol(op), &own);
        self.call_operator(expr, &proof, of_trait, 0, method.name, &own, symbol(op));
        Some(self.output(&own, of_trait))
    }

    /// The result of a prefix operator that a type of the program defines; none if it does not.
    pub(super) fn prefix_method(
        &mut self,
        expr: ExprId,
        op: UnaryOp,
        operand: (ExprId, &Ty),
    ) -> Option<Ty> {
        let (of_trait, sign) = match op {
            UnaryOp::Neg => (BuiltinTrait::Neg, "-"),
            UnaryOp::BitNot => (BuiltinTrait::Not, "~"),
            UnaryOp::Not => return None,
        };
        let own = self.program_type(operand.1)?;
        let method = known::methods(of_trait).first()?;
        let Some(proof) = self.operator_proof(&own, of_trait) else {
            if self.may_operate(&own, of_trait) {
                return Some(Ty::Error);
            }
            let finding = Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!(
                    "`{sign}` does not exist on `{own}`, which does not have `{}`",
                    of_trait.name()
                ),
            );
            return Some(self.refuse(finding));
        };
        self.owned_operands(&[operand], sign, &own);
        self.call_operator(expr, &proof, of_trait, 0, method.name, &own, sign);
        Some(self.output(&own, of_trait))
    }

    /// Whether two values of types of the program can be compared; what is wrong is reported then.
    pub(super) fn comparison_method(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> bool {
        let (of_trait, index, sign) = comparison_trait(op);
        let Some(own) = self.program_type(lhs.1) else { return false };
        let right = self.resolved(rhs.1);
        if !self.table.unify(&own, right.peeled()) {
            self.other_operand(expr, sign, &own, &right);
            return true;
        }
        let Some(proof) = self.operator_proof(&own, of_trait) else {
            if self.may_operate(&own, of_trait) {
                return true;
            }
            let finding = self.no_trait(expr, sign, &own, of_trait, rhs.1);
            self.report(finding);
            return true;
        };
        let name = known::methods(of_trait).get(index).map_or("", |method| method.name);
        self.call_operator(expr, &proof, of_trait, index, name, &own, sign);
        true
    }

    /// The type of an operand behind its references, if it is one that traits give operators to.
    fn program_type(&self, ty: &Ty) -> Option<Ty> {
        let own = self.resolved(ty).peeled().clone();
        matches!(own, Ty::Adt { .. } | Ty::Param(_) | Ty::Opaque(_) | Ty::Assoc(_) | Ty::Dyn(_))
            .then_some(own)
    }

    fn operator_proof(&self, own: &Ty, of_trait: BuiltinTrait) -> Option<Proof<'db>> {
        prove(&self.env, own, &TraitDef::Builtin(of_trait)).ok()
    }

    /// Whether a type may well have the trait of an operator, if it were not for a mistake in a header.
    fn may_operate(&mut self, own: &Ty, of_trait: BuiltinTrait) -> bool {
        self.may_have(own, Missed::Trait(&TraitDef::Builtin(of_trait)))
    }

    /// Whether the block of an operator declares it otherwise than the trait does, which is told there.
    fn conforms_not(&self, proof: &Proof<'db>) -> bool {
        let Proof::Block(block, _) = proof else { return false };
        let functions = functions_of(self.db, block.file(self.db), Container::Impl(*block));
        functions.iter().any(|function| !conformance(self.db, *function).is_empty())
    }

    /// The type that an operator of a type gives.
    pub(super) fn output(&self, own: &Ty, of_trait: BuiltinTrait) -> Ty {
        if !crate::items::operator_has_output(of_trait) {
            return Ty::BOOL;
        }
        self.projected(Ty::Assoc(std::sync::Arc::new(crate::AssocTy {
            of: own.clone(),
            of_trait: TraitDef::Builtin(of_trait),
            name: neuro_db::Name::new_static("Output"),
        })))
    }

    fn no_trait(
        &self,
        expr: ExprId,
        sign: &str,
        own: &Ty,
        of_trait: BuiltinTrait,
        rhs: &Ty,
    ) -> Finding {
        let name = of_trait.name();
        let right = self.resolved(rhs);
        let between = if right.peeled() == own {
            format!("`{own}`")
        } else {
            format!("`{own}` and {}", self.describe(&right))
        };
        let on = if right.peeled() == own { "on" } else { "between" };
        let finding = Finding::new(
            codes::OPERATOR,
            Place::Head(expr),
            format!("`{sign}` does not exist {on} {between}: `{own}` does not have `{name}`"),
        );
        match own {
            Ty::Adt { def, .. }
                if of_trait == BuiltinTrait::PartialEq && def.as_struct(self.db).is_some() =>
            {
                finding.note("`@derive(PartialEq)` compares field by field")
            }
            // The result is rather of the same type than of any.
            Ty::Param(param) if crate::items::operator_has_output(of_trait) => {
                self.ask_for(finding, param, &format!("{name}<Output = {}>", param.name))
            }
            Ty::Param(param) => self.ask_for(finding, param, name),
            own if self.fallible(own).is_some() => {
                finding.note("`match` looks at what it holds, `x ?? other` takes it")
            }
            _ => finding,
        }
    }

    fn other_operand(&mut self, expr: ExprId, sign: &str, own: &Ty, right: &Ty) -> Ty {
        let described = self.describe(right);
        self.give_up(right);
        let message = format!("`{sign}` of `{own}` takes another `{own}`, and this is {described}");
        let finding = Finding::new(codes::OPERATOR, Place::Head(expr), message);
        let holds = self.fallible(own).is_some();
        self.refuse(match holds {
            true => finding.note("`match` looks at what it holds, `x ?? other` takes it"),
            false => finding,
        })
    }

    /// Operands of these operators are given, so one behind a reference must be copied.
    fn owned_operands(&mut self, operands: &[(ExprId, &Ty)], sign: &str, own: &Ty) {
        if crate::is_copy(self.db, self.env.generics(), own) {
            return;
        }
        for (operand, ty) in operands {
            if matches!(self.resolved(ty), Ty::Ref { .. }) {
                let described = self.describe(&self.resolved(ty));
                let finding = Finding::new(
                    codes::OPERATOR,
                    Place::Expr(*operand),
                    format!("`{sign}` takes its operands, and this is only borrowed: {described}"),
                );
                self.report(finding);
                return;
            }
        }
    }

    /// Notes the method that an operator calls; one that the block leaves out is reported.
    #[expect(clippy::too_many_arguments, reason = "the operator, its trait and its method")]
    fn call_operator(
        &mut self,
        expr: ExprId,
        proof: &Proof<'db>,
        of_trait: BuiltinTrait,
        index: usize,
        name: &str,
        own: &Ty,
        sign: &str,
    ) {
        let Proof::Block(block, args) = proof else {
            if let Ty::Param(_) | Ty::Opaque(_) = own {
                self.callees.insert(expr, Callee::Known(of_trait, index));
                self.generic_args.insert(expr, vec![GenericArg::Type(own.clone())]);
            }
            return;
        };
        let db = self.db;
        let functions = functions_of(db, block.file(db), Container::Impl(*block));
        match functions.iter().find(|function| function.name(db) == name) {
            Some(function) => {
                self.callees.insert(expr, Callee::Function(*function));
                if !args.is_empty() {
                    self.generic_args.insert(expr, args.clone());
                }
            }
            None => {
                let of_trait = of_trait.name();
                let finding = Finding::new(
                    codes::OPERATOR,
                    Place::Head(expr),
                    format!("`{sign}` calls `{name}`, which `{of_trait}` of `{own}` does not have"),
                );
                self.report(finding.elsewhere(
                    Owner::block(db, *block, None),
                    Place::ImplTrait,
                    format!("`{name}` is missing here"),
                ));
            }
        }
    }
}

/// The trait of a binary operator, whose one method it calls.
pub fn binary_trait(op: BinaryOp) -> BuiltinTrait {
    match op {
        BinaryOp::Add => BuiltinTrait::Add,
        BinaryOp::Sub => BuiltinTrait::Sub,
        BinaryOp::Mul => BuiltinTrait::Mul,
        BinaryOp::Div => BuiltinTrait::Div,
        BinaryOp::Rem => BuiltinTrait::Rem,
        BinaryOp::BitAnd => BuiltinTrait::BitAnd,
        BinaryOp::BitOr => BuiltinTrait::BitOr,
        BinaryOp::BitXor => BuiltinTrait::BitXor,
        BinaryOp::Shl => BuiltinTrait::Shl,
        BinaryOp::MatMul => BuiltinTrait::MatMul,
    }
}

/// The trait of a comparison, the index of its method there, and its sign.
fn comparison_trait(op: CompareOp) -> (BuiltinTrait, usize, &'static str) {
    match op {
        CompareOp::Eq => (BuiltinTrait::PartialEq, 0, "=="),
        CompareOp::Ne => (BuiltinTrait::PartialEq, 1, "!="),
        CompareOp::Lt => (BuiltinTrait::Comparable, 0, "<"),
        CompareOp::Le => (BuiltinTrait::Comparable, 1, "<="),
        CompareOp::Gt => (BuiltinTrait::Comparable, 2, ">"),
        CompareOp::Ge => (BuiltinTrait::Comparable, 3, ">="),
    }
}
