//! Printing, and the calls that end the program.

use neuro_db::codes;
use neuro_hir::{Arg, Builtin, ExprId, FormatPart};

use super::{Context, Pending, Why};
use crate::{Finding, Place, Ty};

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
        if !self.plain_arguments(call, &name.into(), params, args) {
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
            self.give_up(&found);
            self.report(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(text),
                    format!("`{name}` takes text, not {described}"),
                )
                .note(format!("a value is printed in a hole: `{name}(\"{{x}}\")`")),
            );
        }
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
