//! Closures, and what they capture.

use neuro_db::{Name, codes};
use neuro_syntax::{AstNode, ast};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::{Lowering, LoweringFinding};
use crate::{Binding, Closure, ClosureParam, Expr, ExprId, LocalId, tree};

/// A closure that is being lowered.
pub(super) struct Frame {
    /// How many locals there were outside: those with lower numbers are captured.
    outside: usize,
    captures: Vec<LocalId>,
}

impl Lowering<'_> {
    pub(super) fn lower_closure(&mut self, closure: &ast::ClosureExpr) -> ExprId {
        let node = closure.syntax();
        let outside = self.out.body.locals.len();
        self.frames.push(Frame { outside, captures: Vec::new() });
        let loops = std::mem::take(&mut self.loops);
        let mark = self.types.scopes.enter();
        let mut seen: FxHashMap<Name, TextRange> = FxHashMap::default();
        let params =
            closure.params().map(|param| self.lower_closure_param(&param, &mut seen)).collect();
        let ret_range = closure.ret_type().map(|ty| tree::trimmed_range(ty.syntax()));
        let ret = closure.ret_type().map(|ty| self.types.lower(&ty));
        let body = self.lower_expr_opt(closure.body(), node);
        self.types.scopes.leave(mark);
        self.loops = loops;
        let mut captures = self.frames.pop().map(|frame| frame.captures).unwrap_or_default();
        captures.sort_unstable();
        let moves = closure.move_token().is_some();
        let lowered = Closure { params, ret, body, captures, moves };
        let head = tree::token_or_first(None, node);
        let id = self.alloc_at(Expr::Closure(Box::new(lowered)), node, head);
        if let Some(range) = ret_range {
            self.note(|map| map.insert_written_type(id, range));
        }
        id
    }

    fn lower_closure_param(
        &mut self,
        param: &ast::ClosureParam,
        seen: &mut FxHashMap<Name, TextRange>,
    ) -> ClosureParam {
        let range = param.name().map_or_else(
            || tree::trimmed_range(param.syntax()),
            |name| tree::trimmed_range(name.syntax()),
        );
        let name = param.name().map_or(Name::new_static("_"), |name| Name::from(name.text()));
        match seen.get(&name) {
            Some(first) if !name.is_empty() && name != "_" => {
                let message = format!("the parameter `{name}` is declared twice");
                let related = Some((*first, "first declared here"));
                let code = codes::DUPLICATE;
                self.out.findings.push(LoweringFinding { code, range, message, related });
            }
            _ => {
                seen.insert(name.clone(), range);
            }
        }
        let ty_range = param.ty().map(|ty| tree::trimmed_range(ty.syntax()));
        let ty = param.ty().map(|ty| self.types.lower(&ty));
        let local = self.declare(name, false, Binding::ClosureParam, range, ty_range);
        ClosureParam { local, ty }
    }

    /// Notes that a local is named, for the closures that it is outside of.
    pub(super) fn note_use(&mut self, local: LocalId) {
        if self.out.body.locals[local].binding == Binding::Const {
            return;
        }
        let number = usize::try_from(local.into_raw().into_u32()).unwrap_or(usize::MAX);
        for frame in &mut self.frames {
            if number < frame.outside && !frame.captures.contains(&local) {
                frame.captures.push(local);
            }
        }
    }
}
