//! Printing, and the calls that end the program.

use neuro_db::codes;
use neuro_hir::{Arg, Builtin, Expr, ExprId, FormatPart};

use super::{Context, Pending, Why};
use crate::{Finding, Place, Remedy, Ty};

impl Context<'_> {
    pub(super) fn infer_builtin(&mut self, call: ExprId, builtin: Builtin, args: &[Arg]) -> Ty {
        let (name, params, result): (&'static str, &[&str], Ty) = match builtin {
            Builtin::Print => ("print", &["text"], Ty::Void),
            Builtin::Println => ("println", &["text"], Ty::Void),
            Builtin::Panic => ("panic", &["text"], Ty::Never),
            Builtin::Assert => ("assert", &["condition"], Ty::Void),
            Builtin::Unreachable => ("unreachable", &[], Ty::Never),
            Builtin::Einsum => return self.infer_einsum(call, args),
        };
        let before = self.findings.len();
        if !self.plain_arguments(call, &name.into(), params, args) {
            if let Some(finding) = self.findings.get_mut(before)
                && args.len() > params.len()
            {
                finding.notes.extend(match builtin {
                    Builtin::Print | Builtin::Println | Builtin::Panic => Some(format!(
                        "values are shown in the holes of one text: `{name}(\"{{x}}\")`"
                    )),
                    Builtin::Assert => {
                        Some("what is to be said stands in `panic(\"..\")`".to_owned())
                    }
                    Builtin::Unreachable | Builtin::Einsum => None,
                });
            }
            self.infer_arguments(args);
            return result;
        }
        for arg in args {
            if builtin == Builtin::Assert {
                self.check(arg.value, &Ty::Scalar(neuro_num::DType::Bool), &Why::Condition(name));
            } else {
                self.printed_text(name, arg.value);
            }
        }
        result
    }

    /// The argument of a builtin that writes text.
    fn printed_text(&mut self, name: &str, text: ExprId) {
        let found = self.infer(text, None);
        let text_ty = matches!(self.resolved(&found), Ty::Ref { mutable: false, inner } if *inner == Ty::Text);
        if self.absorbed(&found).is_none() && self.resolved(&found) != Ty::Text && !text_ty {
            let described = self.describe(&found);
            let shown = crate::traits::printable(&self.table.finish(&found));
            self.give_up(&found);
            let place = Place::Expr(text);
            let message = format!("`{name}` takes text, not {described}");
            let finding = Finding::new(codes::MISMATCH, place, message)
                .note(format!("a value is printed in a hole: `{name}(\"{{x}}\")`"));
            self.report(match shown && self.fits_hole(text) {
                true => {
                    let open = Remedy::InsertBefore(place, String::new(), "\"{".to_owned());
                    let close = Remedy::InsertAfter(place, String::new(), "}\"".to_owned());
                    let title = "show it in a hole".to_owned();
                    finding.remedy(Remedy::Several(vec![open, close], title))
                }
                false => finding,
            });
        }
    }

    /// Whether an expression may stand in a hole as it is: it has no text of its own, whose quotes would end the
    /// text around, and no braces.
    fn fits_hole(&self, expr: ExprId) -> bool {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match self.expr(expr) {
                Expr::Local(_)
                | Expr::Path(_)
                | Expr::Literal(_)
                | Expr::Field { .. }
                | Expr::TupleField { .. }
                | Expr::Index { .. }
                | Expr::Call { .. }
                | Expr::MethodCall { .. }
                | Expr::Unary { .. }
                | Expr::Binary { .. }
                | Expr::Compare { .. } => {}
                _ => return false,
            }
            self.expr(expr).children(&mut |child| open.push(child));
        }
        true
    }

    pub(super) fn infer_holes(&mut self, parts: &[FormatPart]) {
        for part in parts {
            if let FormatPart::Hole { value, spec } = part {
                self.infer(*value, None);
                self.pending.push(Pending::Hole { value: *value, spec: *spec });
            }
        }
    }
}
