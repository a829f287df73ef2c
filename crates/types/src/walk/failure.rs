//! `?` and `??`: what may have failed.

use neuro_db::{Name, codes};
use neuro_hir::{Enum, ExprId, Item, Resolution, resolve_name};

use super::{Context, Why};
use crate::{Def, DefKind, Finding, GenericArg, Place, Ty};

/// An `Option` or a `Result` taken apart.
pub(super) struct Fallible {
    /// The enum.
    pub(super) def: Def,
    /// What it holds when nothing failed.
    pub(super) value: Ty,
    /// What a `Result` holds when something did.
    pub(super) error: Option<Ty>,
}

impl<'db> Context<'db> {
    /// A type as an `Option` or a `Result`.
    pub(super) fn fallible(&self, ty: &Ty) -> Option<Fallible> {
        let Ty::Adt { def, args } = self.resolved(ty) else { return None };
        if def.kind() != DefKind::Enum {
            return None;
        }
        match (def.name().as_str(), &args[..]) {
            ("Option", [GenericArg::Type(value)]) => {
                Some(Fallible { value: value.clone(), error: None, def: def.clone() })
            }
            ("Result", [GenericArg::Type(value), GenericArg::Type(error)]) => Some(Fallible {
                value: value.clone(),
                error: Some(error.clone()),
                def: def.clone(),
            }),
            _ => None,
        }
    }

    /// The enum `Option` or `Result` as it is visible here.
    fn failure_enum(&self, name: &'static str) -> Option<Enum<'db>> {
        match resolve_name(self.db, self.module, Name::new_static(name))? {
            Resolution::Item(Item::Enum(item)) => Some(item),
            _ => None,
        }
    }

    /// `Option<T>` of a type, for what the language itself returns.
    pub(super) fn option_of(&mut self, expr: ExprId, value: Ty) -> Ty {
        match self.failure_enum("Option") {
            Some(item) => {
                let args = [GenericArg::Type(value)];
                Ty::Adt { def: Def::of_enum(self.db, item), args: args.into() }
            }
            None => self.refuse(Finding::new(
                codes::UNDECLARED,
                Place::Head(expr),
                "this gives an `Option`, and no enum of this name is visible here",
            )),
        }
    }

    /// `e?`: the value, or out of the function with the failure.
    pub(super) fn infer_try(&mut self, expr: ExprId, operand: ExprId) -> Ty {
        let found = self.infer(operand, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        let found = self.settled(operand, &found);
        let Some(fallible) = self.fallible(&found) else {
            if found == Ty::Error {
                return Ty::Error;
            }
            let described = self.describe(&found);
            self.give_up(&found);
            let finding = Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!("`?` takes an `Option` or a `Result`, and this is {described}"),
            );
            let borrowed =
                matches!(&found, Ty::Ref { inner, .. } if self.fallible(inner).is_some());
            return self.refuse(if borrowed {
                finding.note("`?` takes what is inside, and this is only borrowed: use `match`")
            } else {
                finding
            });
        };
        if self.leaves_with(expr, &fallible) { fallible.value } else { Ty::Error }
    }

    /// Whether the function around can return the failure; that it cannot is reported.
    fn leaves_with(&mut self, expr: ExprId, fallible: &Fallible) -> bool {
        let ret = self.resolved(&self.frame.ret);
        if ret == Ty::Error {
            return true;
        }
        let place = Place::Head(expr);
        let kind = fallible.def.name().clone();
        // A closure without a written result returns what its `?` asks for.
        if let Ty::Var(_) = ret {
            let value = GenericArg::Type(self.fresh());
            let args = std::iter::once(value)
                .chain(fallible.error.clone().map(GenericArg::Type))
                .collect();
            let ty = Ty::Adt { def: fallible.def.clone(), args };
            self.table.unify(&ret, &ty);
            return true;
        }
        let finding = match self.fallible(&ret) {
            Some(outer) if outer.def == fallible.def => match (&outer.error, &fallible.error) {
                (Some(wanted), Some(error)) if !self.table.unify(wanted, error) => {
                    let (wanted, error) = (self.resolved(wanted), self.resolved(error));
                    Finding::new(
                            codes::MISMATCH,
                            place,
                            format!("`?` returns the error as it is: `{error}`, where `{wanted}` is expected"),
                        )
                        .note("convert it first: `match` the `Result`, and return your own `Err(..)`")
                }
                _ => return true,
            },
            _ => Finding::new(
                codes::MISMATCH,
                place,
                format!("`?` returns a failed `{kind}` from the function, which returns `{ret}`"),
            ),
        };
        let finding = match self.frame.closure {
            None if ret == Ty::Void => finding,
            None => finding.related(Place::ReturnType, format!("`{ret}` is declared here")),
            Some(closure) => {
                finding.related(Place::WrittenType(closure), "the closure around returns this")
            }
        };
        self.report(finding);
        false
    }

    /// `a ?? b`: the value of `a`, or else `b`.
    pub(super) fn infer_coalesce(&mut self, lhs: ExprId, rhs: ExprId, hint: Option<&Ty>) -> Ty {
        let found = self.infer(lhs, None);
        if let Some(absorbed) = self.absorbed(&found) {
            self.infer(rhs, hint);
            return absorbed;
        }
        let found = self.settled(lhs, &found);
        match self.fallible(&found) {
            Some(fallible) => {
                if let Some(hint) = hint {
                    self.table.unify(&fallible.value, hint);
                }
                self.check(rhs, &fallible.value, &Why::Instead(lhs));
                fallible.value
            }
            None => {
                self.infer(rhs, hint);
                if found == Ty::Error {
                    return Ty::Error;
                }
                let described = self.describe(&found);
                self.give_up(&found);
                self.refuse(Finding::new(
                    codes::OPERATOR,
                    Place::Expr(lhs),
                    format!(
                        "`??` takes an `Option` or a `Result` on its left, and this is {described}"
                    ),
                ))
            }
        }
    }
}
