//! What stands behind its operand: calls, fields, indexes, casts, `?`.

use neuro_db::Name;
use neuro_syntax::ast::{self, Node};
use neuro_syntax::{AstNode, SyntaxKind};

use super::Lowering;
use super::types::arg_ranges;
use crate::source_map::TurbofishRanges;
use crate::{Expr, ExprId, IndexArg, tree};

impl Lowering<'_> {
    /// A chain such as `a.f()[0]?`, walked down to its first operand without recursion: it may be as long as
    /// the text.
    pub(super) fn lower_postfix(&mut self, expr: &ast::Expr) -> ExprId {
        let mut chain = Vec::new();
        let mut next = Some(expr.clone());
        let mut operand = loop {
            let Some(outer) = next else { break None };
            if self.calls_builtin(&outer) {
                chain.push(outer);
                break None;
            }
            next = match operand_of(&outer) {
                Operand::Inside(inner) => inner,
                Operand::None => break Some(self.lower_expr(&outer)),
            };
            chain.push(outer);
        };
        while let Some(outer) = chain.pop() {
            operand = Some(self.lower_step(operand, &outer));
        }
        match operand {
            Some(operand) => operand,
            None => self.missing(expr.syntax()),
        }
    }

    /// One step of a chain, from its operand; none where the parser found none.
    fn lower_step(&mut self, operand: Option<ExprId>, outer: &ast::Expr) -> ExprId {
        let node = outer.syntax();
        if let ast::Expr::Call(call) = outer
            && let Some(id) = self.lower_builtin_call(call)
        {
            return id;
        }
        let operand = match operand {
            Some(operand) => operand,
            None => self.missing(node),
        };
        match outer {
            ast::Expr::Cast(cast) => self.lower_cast(operand, cast),
            ast::Expr::Call(call) => {
                let map = self.out.source_map.as_ref();
                let head = map.map(|map| map.head(operand)).unwrap_or_default();
                let args = self.lower_args(call.args());
                self.alloc_at(Expr::Call { callee: operand, args }, node, head)
            }
            ast::Expr::MethodCall(call) => self.lower_method_call(operand, call),
            ast::Expr::Field(field) => self.lower_field(operand, field),
            ast::Expr::Index(index) => self.lower_index(operand, index),
            ast::Expr::Try(_) => {
                let head = node.last_token().map(|token| token.text_range());
                let head = head.unwrap_or_else(|| tree::trimmed_range(node));
                self.alloc_at(Expr::Try(operand), node, head)
            }
            _ => operand,
        }
    }

    fn calls_builtin(&self, expr: &ast::Expr) -> bool {
        match expr {
            ast::Expr::Call(call) => {
                callee_name(call).is_some_and(|name| self.builtin(&name).is_some())
            }
            _ => false,
        }
    }

    /// `print(..)` and its like, unless the program has its own.
    fn lower_builtin_call(&mut self, call: &ast::CallExpr) -> Option<ExprId> {
        let builtin = self.builtin(&callee_name(call)?)?;
        let head = tree::trimmed_range(call.callee()?.syntax());
        let args = self.lower_args(call.args());
        Some(self.alloc_at(Expr::BuiltinCall { builtin, args }, call.syntax(), head))
    }

    fn lower_cast(&mut self, operand: ExprId, cast: &ast::CastExpr) -> ExprId {
        let node = cast.syntax();
        let ty = Box::new(self.types.lower_opt(cast.ty()));
        let keyword = node
            .children_with_tokens()
            .filter_map(|element| element.into_token())
            .find(|token| token.kind() == SyntaxKind::AS_KW);
        let id =
            self.alloc_at(Expr::Cast { operand, ty }, node, tree::token_or_first(keyword, node));
        if let Some(ty) = cast.ty() {
            self.note(|map| map.insert_written_type(id, tree::trimmed_range(ty.syntax())));
        }
        id
    }

    fn lower_method_call(&mut self, receiver: ExprId, call: &ast::MethodCallExpr) -> ExprId {
        let node = call.syntax();
        let turbofish = call.turbofish();
        let type_args = turbofish.as_ref().map(|list| Box::new(self.types.lower_args(list)));
        let args = self.lower_args(call.args());
        let head = name_or_last(call.name(), node);
        // What a tuple holds is called like any other value.
        if let Some(index) = call.tuple_index() {
            let callee = self.alloc_at(Expr::TupleField { base: receiver, index }, node, head);
            return self.alloc_at(Expr::Call { callee, args }, node, head);
        }
        let name = tree::name_ref_text(call.name());
        let id = self.alloc_at(
            Expr::MethodCall { receiver, name, type_args, args: args.into() },
            node,
            head,
        );
        if let Some(list) = turbofish {
            self.note(|map| {
                let (whole, args) = (tree::trimmed_range(list.syntax()), arg_ranges(&list));
                map.insert_turbofish(id, TurbofishRanges { list: whole, args });
            });
        }
        id
    }

    fn lower_field(&mut self, base: ExprId, field: &ast::FieldExpr) -> ExprId {
        let node = field.syntax();
        let head = name_or_last(field.name(), node);
        let lowered = match (field.tuple_index(), field.name()) {
            (Some(index), _) => Expr::TupleField { base, index },
            (None, name) => Expr::Field { base, name: tree::name_ref_text(name) },
        };
        self.alloc_at(lowered, node, head)
    }

    fn lower_index(&mut self, base: ExprId, index: &ast::IndexExpr) -> ExprId {
        let node = index.syntax();
        let args: Vec<IndexArg> =
            index.indexes().map(|entry| self.lower_index_arg(&entry)).collect();
        let head = node
            .children()
            .find(|child| child.kind() == SyntaxKind::INDEX_LIST)
            .map_or_else(|| tree::trimmed_range(node), |list| tree::trimmed_range(&list));
        let expr = self.alloc_at(Expr::Index { base, args }, node, head);
        self.note(|map| {
            let range = |entry: ast::Expr| tree::trimmed_range(entry.syntax());
            map.insert_index_args(expr, index.indexes().map(range).collect());
        });
        expr
    }

    fn lower_index_arg(&mut self, entry: &ast::Expr) -> IndexArg {
        match entry {
            ast::Expr::Range(range) => {
                let (start, end, end_kind) = self.lower_range_parts(range);
                IndexArg::Range { start, end, end_kind }
            }
            entry => IndexArg::At(self.lower_expr(entry)),
        }
    }
}

/// What an expression has in front of its last part.
enum Operand {
    /// The operand, if the parser found it.
    Inside(Option<ast::Expr>),
    /// It has no such parts.
    None,
}

fn operand_of(expr: &ast::Expr) -> Operand {
    match expr {
        ast::Expr::Cast(cast) => Operand::Inside(cast.operand()),
        ast::Expr::Call(call) => Operand::Inside(call.callee()),
        ast::Expr::MethodCall(call) => Operand::Inside(call.receiver()),
        ast::Expr::Field(field) => Operand::Inside(field.base()),
        ast::Expr::Index(index) => Operand::Inside(index.base()),
        ast::Expr::Try(operation) => Operand::Inside(operation.operand()),
        _ => Operand::None,
    }
}

/// The name that is called, if it is a name.
fn callee_name(call: &ast::CallExpr) -> Option<Name> {
    match call.callee()? {
        ast::Expr::Path(path) => Some(Name::from(path.path()?.as_single_name()?.text())),
        _ => None,
    }
}

/// Where a name stands, or the last character of a node that lacks it.
fn name_or_last(name: Option<ast::NameRef>, node: &Node) -> text_size::TextRange {
    name.map_or_else(|| tree::token_or_first(None, node), |name| tree::trimmed_range(name.syntax()))
}
