//! Printing, and the calls that end the program.

use neuro_db::codes;
use neuro_hir::{Arg, Builtin, Expr, ExprId, FormatPart};

use super::{Context, Pending, Type, Why};
use crate::{Finding, Place, Ty};

impl Context<'_> {
    pub(super) fn infer_builtin(&mut self, call: ExprId, builtin: Builtin, args: &[Arg]) -> Type {
        let (name, params, result): (&'static str, &[&str], Type) = match builtin {
            Builtin::Print => ("print", &["text"], Type::VOID),
            Builtin::Println => ("println", &["text"], Type::VOID),
            Builtin::Panic => ("panic", &["text"], Type::NEVER),
            Builtin::Assert => ("assert", &["condition"], Type::VOID),
            Builtin::Unreachable => ("unreachable", &[], Type::NEVER),
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
        if let Expr::Text(parts) = self.expr(text) {
            self.infer_holes(parts);
            self.record(text, Type::Known(Ty::Text));
            return;
        }
        let found = self.infer(text, None);
        if self.absorbed(&found).is_none() {
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
