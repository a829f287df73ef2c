//! Calls of functions of the program.

use neuro_db::Db;
use neuro_hir::{Builtin, Container, Expr, ExprId, Function, UnaryOp};
use neuro_types::{
    Callee, Collection, GenericArg, Member, Ty, fn_sig, impl_header, implementation,
};

use super::Lowering;
use super::read::Reading;
use crate::{NumberOp, Operand, Operation, Place, PrintPart, Rvalue, StatementKind, Terminator};

/// What a method is called on.
enum Receiver {
    /// A value.
    Given(Operand),
    /// A place that is lent.
    Lent { place: Place, mutable: bool, expr: ExprId },
}

impl<'db> Lowering<'_, 'db> {
    /// A call; the result is put in `dest`.
    pub(super) fn call(&mut self, expr: ExprId, dest: Option<&Place>) {
        let Expr::Call { callee, args } = &self.hir.exprs[expr] else { return };
        let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
        self.call_of(expr, *callee, &args, dest);
    }

    /// A call of what an expression names or holds, written as one or as a stage of `|>`.
    pub(super) fn call_of(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: &[ExprId],
        dest: Option<&Place>,
    ) {
        match self.callee(expr, callee) {
            Some(Callee::Function(function)) => {
                self.call_function(expr, function, None, args, dest);
            }
            Some(Callee::Value) => self.call_value(expr, callee, args, dest),
            Some(Callee::Constructor(constructor)) => {
                if let Some(dest) = dest {
                    self.construct(constructor, args, dest, expr);
                }
            }
            Some(Callee::Newtype(_)) => {
                if let Some(dest) = dest {
                    self.aggregate(args, dest, expr);
                }
            }
            Some(Callee::Variant(_, variant)) => {
                if let Some(dest) = dest {
                    self.variant(variant, args, dest, expr);
                }
            }
            Some(Callee::Member(Member::New)) => {
                if let Some(dest) = dest {
                    self.empty_collection(dest, expr);
                }
            }
            // None of these is called by its name, or it has no graph yet.
            Some(
                Callee::Const(_)
                | Callee::ConstParam(_)
                | Callee::Member(_)
                | Callee::Method(_)
                | Callee::Known(..),
            )
            | None => {
                for arg in args {
                    self.effect(*arg);
                }
            }
        }
    }

    /// A call of a method of the program.
    pub(super) fn call_method(
        &mut self,
        expr: ExprId,
        function: Function<'db>,
        receiver: ExprId,
        args: &[ExprId],
        dest: Option<&Place>,
    ) {
        let Some(taken) = &fn_sig(self.db, function).receiver else { return };
        let generics = self.types.generic_args.get(expr).map(Vec::as_slice).unwrap_or_default();
        let taken = self.applied(taken, generics);
        let receiver = self.receiver(receiver, &taken, args);
        self.call_function(expr, function, Some(receiver), args, dest);
    }

    /// Locates a receiver, or evaluates it where it is given by value. A place is lent when the arguments are
    /// known, so that they may read it.
    fn receiver(&mut self, expr: ExprId, taken: &Ty, rest: &[ExprId]) -> Receiver {
        if let Ty::Ref { mutable, .. } = taken {
            let place = match self.place(expr) {
                Some(place) => place,
                None => self.materialize(expr),
            };
            let place = self.peel(place);
            // An element of a vector is where it is as long as the vector does not change.
            if self.is_in_vec(&place) && self.may_write(rest) {
                return Receiver::Given(self.lend(place, *mutable, expr));
            }
            return Receiver::Lent { place, mutable: *mutable, expr };
        }
        if self.moves(taken) {
            return Receiver::Given(Operand::Move(self.materialize(expr)));
        }
        Receiver::Given(self.read(expr, Reading::Looking, rest).operand)
    }

    fn call_function(
        &mut self,
        expr: ExprId,
        function: Function<'db>,
        receiver: Option<Receiver>,
        args: &[ExprId],
        dest: Option<&Place>,
    ) {
        let generics = self.types.generic_args.get(expr).map(Vec::as_slice).unwrap_or_default();
        let (function, generics) = implementation(self.db, function, generics);
        let sig = fn_sig(self.db, function);
        // `Type::method(x, ..)`: the receiver is the first argument.
        let (receiver, args) = match (&sig.receiver, receiver, args.split_first()) {
            (Some(ty), None, Some((first, rest))) => {
                let operand = self.argument(*first, &self.applied(ty, &generics), rest);
                (Some(Receiver::Given(operand)), rest)
            }
            (_, receiver, _) => (receiver, args),
        };
        if is_next_of_characters(self.db, function, &generics) {
            return self.next_of_characters(receiver, dest, expr);
        }
        let order = self.argument_order(expr, sig.params.len());
        let mut operands: Vec<Option<Operand>> = vec![None; sig.params.len()];
        for (index, arg) in args.iter().enumerate() {
            let Some(param) = order.iter().position(|written| *written == index) else { continue };
            let (Some(sig), Some(slot)) = (sig.params.get(param), operands.get_mut(param)) else {
                continue;
            };
            *slot =
                Some(self.argument(*arg, &self.applied(&sig.ty, &generics), &args[index + 1..]));
        }
        let Some(mut args) = operands.into_iter().collect::<Option<Vec<Operand>>>() else { return };
        match receiver {
            Some(Receiver::Given(operand)) => args.insert(0, operand),
            Some(Receiver::Lent { place, mutable, expr }) => {
                if mutable {
                    self.read_before(&place, &mut args, expr);
                }
                args.insert(0, self.lend(place, mutable, expr));
            }
            None => {}
        }
        self.give(&args);
        self.refuse_nan(function, &args, expr);
        let ret = self.applied(&sig.ret, &generics);
        let dest = dest.filter(|_| super::gives_value(&ret)).cloned();
        let through_dyn = matches!(generics.first(), Some(GenericArg::Type(Ty::Dyn(_))))
            && matches!(function.container(self.db), Container::Trait(_));
        let call = if through_dyn {
            StatementKind::CallDyn { dest, function, args }
        } else {
            StatementKind::Call { dest, function, generics, args }
        };
        self.emit(call, expr);
    }

    /// Arguments that are copied of what the receiver is a part of are read before it is lent.
    fn read_before(&mut self, receiver: &Place, args: &mut [Operand], expr: ExprId) {
        for arg in args {
            let of_receiver = matches!(arg, Operand::Copy(place) if place.local == receiver.local);
            if of_receiver {
                *arg = self.fix(arg.clone(), expr);
            }
        }
    }

    /// A float that is to have an order is checked where it is given: the place of the panic is one of the program.
    fn refuse_nan(&mut self, function: Function<'db>, args: &[Operand], expr: ExprId) {
        let (Container::Impl(block), [value]) = (function.container(self.db), args) else { return };
        let Ty::Adt { def, .. } = &impl_header(self.db, block).self_ty else { return };
        let ordered = matches!(def.name().as_str(), "OrderedF32" | "OrderedF64");
        if !ordered || def.file() != self.db.prelude() || function.name(self.db) != "new" {
            return;
        }
        let [nan, number] = [(); 2].map(|()| Place::local(self.temporary(Ty::BOOL)));
        let op = Operation::Number(NumberOp::IsNan);
        self.operation(&nan, op, vec![value.clone()], expr);
        let op = Operation::Unary(UnaryOp::Not);
        self.operation(&number, op, vec![Operand::Copy(nan)], expr);
        let message = vec![PrintPart::Text(format!("{} cannot hold NaN", def.name()))];
        let refused = Terminator::Panic { kind: Builtin::Panic, message, expr };
        self.require(Operand::Copy(number), refused);
    }

    /// `next` of the trait, where the characters of a text are what it is called on.
    fn next_of_characters(
        &mut self,
        receiver: Option<Receiver>,
        dest: Option<&Place>,
        expr: ExprId,
    ) {
        let characters = match receiver {
            Some(Receiver::Lent { place, .. }) => place,
            Some(Receiver::Given(Operand::Copy(place) | Operand::Move(place))) => place.deref(),
            Some(Receiver::Given(Operand::Const(_))) | None => return,
        };
        let next = self.next_character(characters, expr);
        if let Some(dest) = dest {
            self.character_or_none(next, dest, expr);
        }
    }

    /// What a call, or the name that it calls, stands for.
    pub(super) fn callee(&self, call: ExprId, name: ExprId) -> Option<Callee<'db>> {
        self.types.callees.get(call).or_else(|| self.types.callees.get(name)).copied()
    }

    /// What is given away is no longer dropped here.
    pub(super) fn give(&mut self, operands: &[Operand]) {
        for operand in operands {
            if let Operand::Move(place) = operand
                && place.projections.is_empty()
            {
                self.disown(place.local);
            }
        }
    }

    /// For each parameter, which argument as written fills it.
    pub(super) fn argument_order(&self, call: ExprId, params: usize) -> Vec<usize> {
        match self.types.arguments.get(call) {
            Some(order) => order.clone(),
            None => (0..params).collect(),
        }
    }

    /// Evaluates an argument for a parameter of type `param`.
    pub(super) fn argument(&mut self, expr: ExprId, param: &Ty, rest: &[ExprId]) -> Operand {
        match param {
            Ty::Ref { mutable, .. } => self.reference(expr, *mutable, rest),
            ty if self.moves(ty) => Operand::Move(self.materialize(expr)),
            _ => self.read(expr, Reading::Looking, rest).operand,
        }
    }

    /// Evaluates an argument that is passed by reference. A `&mut` binding is lent on, shared where the
    /// parameter is.
    pub(super) fn reference(&mut self, expr: ExprId, mutable: bool, rest: &[ExprId]) -> Operand {
        if let Expr::Borrow { mutable: written, operand } = self.hir.exprs[expr]
            && self.types.coercions.get(expr).is_none()
        {
            let place = match self.place(operand) {
                Some(place) => place,
                None => self.materialize(operand),
            };
            return self.lend(place, written && mutable, expr);
        }
        let Some(place) = self.place(expr) else {
            return Operand::Copy(self.materialize(expr));
        };
        match self.place_ty(&place) {
            Ty::Ref { mutable: true, .. } => self.lend(place.deref(), mutable, expr),
            _ if self.may_write(rest) || !place.projections.is_empty() => {
                self.fix(Operand::Copy(place), expr)
            }
            _ => Operand::Copy(place),
        }
    }

    /// A reference to a place in a temporary.
    pub(super) fn lend(&mut self, place: Place, mutable: bool, expr: ExprId) -> Operand {
        let ty = self.place_ty(&place).reference(mutable);
        let temporary = Place::local(self.temporary(ty));
        self.assign(&temporary, Rvalue::Ref { mutable, place }, expr);
        Operand::Copy(temporary)
    }
}

/// Whether a function is `next` of the prelude's `Iterator`, and what it is called on are the characters of a text: there
/// the language gives it.
pub(super) fn is_next_of_characters(
    db: &dyn Db,
    function: Function<'_>,
    generics: &[GenericArg],
) -> bool {
    let characters = Ty::Collection { kind: Collection::Chars, args: [].into() };
    matches!(generics.first(), Some(GenericArg::Type(own)) if *own == characters)
        && matches!(function.container(db), Container::Trait(item) if item.file(db) == db.prelude())
        && function.name(db) == "next"
}
