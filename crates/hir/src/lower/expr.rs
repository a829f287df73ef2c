//! Expressions.

use neuro_db::{Name, codes};
use neuro_syntax::AstNode;
use neuro_syntax::ast::{self, Node};

use super::Lowering;
use crate::{
    Arg, BinaryOp, Builtin, CompareOp, Expr, ExprId, FieldInit, FormatPart, Literal, LogicOp,
    RangeEnd, Resolution, UnaryOp, tree,
};

impl Lowering<'_> {
    /// An expression that may be missing in `parent`; then the parser has reported it.
    pub(super) fn lower_expr_opt(&mut self, expr: Option<ast::Expr>, parent: &Node) -> ExprId {
        match expr {
            Some(expr) => self.lower_expr(&expr),
            None => self.missing(parent),
        }
    }

    /// An expression.
    pub(super) fn lower_expr(&mut self, expr: &ast::Expr) -> ExprId {
        let node = expr.syntax();
        let first = || tree::token_or_first(None, node);
        match expr {
            ast::Expr::Literal(literal) => self.lower_literal(literal),
            ast::Expr::String(string) => self.lower_text(string),
            ast::Expr::Path(path) => self.lower_path(path),
            ast::Expr::Paren(paren) => self.lower_expr_opt(paren.inner(), node),
            ast::Expr::Array(array) => {
                let elements = array.elements().map(|element| self.lower_expr(&element)).collect();
                self.alloc_at(Expr::Array(elements), node, first())
            }
            ast::Expr::Block(block) => self.lower_block(block),
            // It permits nothing more than a plain block outside of kernels.
            ast::Expr::Unsafe(block) => self.lower_block_opt(block.body(), node),
            ast::Expr::If(expr) => self.lower_if(expr),
            ast::Expr::Prefix(prefix) => self.lower_prefix(prefix),
            ast::Expr::Borrow(borrow) => {
                let operand = self.lower_expr_opt(borrow.operand(), node);
                let mutable = borrow.mut_token().is_some();
                self.alloc_at(Expr::Borrow { mutable, operand }, node, first())
            }
            ast::Expr::Bin(bin) => self.lower_binary(bin),
            ast::Expr::Cast(_)
            | ast::Expr::Call(_)
            | ast::Expr::MethodCall(_)
            | ast::Expr::Field(_)
            | ast::Expr::Index(_)
            | ast::Expr::Try(_) => self.lower_postfix(expr),
            ast::Expr::Return(expr) => self.lower_return(expr),
            ast::Expr::Break(expr) => self.lower_break(expr),
            ast::Expr::Continue(expr) => self.lower_continue(expr),
            ast::Expr::While(expr) => self.lower_while(expr),
            ast::Expr::For(expr) => self.lower_for(expr),
            ast::Expr::Loop(expr) => self.lower_loop(expr),
            ast::Expr::Tuple(tuple) => {
                let elements = tuple.elements().map(|element| self.lower_expr(&element)).collect();
                self.alloc_at(Expr::Tuple(elements), node, first())
            }
            ast::Expr::Match(expr) => self.lower_match(expr),
            ast::Expr::Closure(closure) => self.lower_closure(closure),
            ast::Expr::Range(range) => self.lower_range(range),
            ast::Expr::StructLit(literal) => self.lower_struct_literal(literal),
            ast::Expr::Aliased(_) => {
                let message = "an alias stands only in a list of an attribute";
                self.refuse(codes::SYNTAX, first(), message);
                self.alloc_at(Expr::Missing, node, first())
            }
        }
    }

    fn lower_literal(&mut self, literal: &ast::Literal) -> ExprId {
        // The parser reports a literal that has no value.
        let value = literal.kind().and_then(|kind| match kind {
            ast::LiteralKind::Int(int) => {
                let value = int.value().ok()?;
                Some(Literal::Int(value.value, value.suffix))
            }
            ast::LiteralKind::Float(float) => {
                let (digits, suffix) = float.value().ok()?;
                Some(Literal::Float(Name::from(digits), suffix))
            }
            ast::LiteralKind::Char(value) => value.map(Literal::Char),
            ast::LiteralKind::Bool(value) => Some(Literal::Bool(value)),
        });
        let range = tree::trimmed_range(literal.syntax());
        self.alloc(value.map_or(Expr::Missing, Expr::Literal), range, range)
    }

    fn lower_text(&mut self, string: &ast::StringLit) -> ExprId {
        let parts = string
            .parts()
            .into_iter()
            .map(|part| match part {
                ast::StringPart::Text { value, .. } => FormatPart::Text(value),
                ast::StringPart::Hole(hole) => FormatPart::Hole {
                    value: self.lower_expr_opt(hole.expr(), hole.syntax()),
                    spec: hole.spec(),
                },
            })
            .collect();
        let range = tree::trimmed_range(string.syntax());
        self.alloc(Expr::Text(parts), range, range)
    }

    fn lower_path(&mut self, expr: &ast::PathExpr) -> ExprId {
        let node = expr.syntax();
        let Some(path) = expr.path() else { return self.missing(node) };
        if let Some(name) = path.as_single_name() {
            return self.lower_name(Name::from(name.text()), node);
        }
        let lowered = self.types.lower_path(&path);
        let ranges = self.types.paths.get(lowered.id).cloned().unwrap_or_default();
        let head = ranges.segments.last().map_or(ranges.whole, |segment| segment.name);
        let id = self.alloc_at(Expr::Path(lowered), node, head);
        // A type in front of a function, when it is given in full.
        if let [base, .., _] = ranges.segments.as_slice()
            && let Some(list) = base.list
        {
            self.note(|map| map.insert_written_type(id, base.name.cover(list)));
        }
        id
    }

    /// A name without arguments.
    pub(super) fn lower_name(&mut self, name: Name, node: &Node) -> ExprId {
        let whole = tree::trimmed_range(node);
        if name.is_empty() {
            return self.alloc(Expr::Missing, whole, whole);
        }
        if let Some(local) = self.types.scopes.find(&name) {
            self.note_use(local);
            return self.alloc(Expr::Local(local), whole, whole);
        }
        let path = self.types.name_path(name, whole);
        self.alloc(Expr::Path(path), whole, whole)
    }

    /// The function of the language that a name means, unless the program has its own.
    pub(super) fn builtin(&self, name: &Name) -> Option<Builtin> {
        let known = Builtin::from_name(name)?;
        match self.resolve(name) {
            Some(Resolution::Function(found)) if self.types.scopes.find(name).is_none() => {
                debug_assert_eq!(known, found, "a name means one function of the language");
                Some(found)
            }
            _ => None,
        }
    }

    fn lower_struct_literal(&mut self, literal: &ast::StructLit) -> ExprId {
        let node = literal.syntax();
        let path = match literal.path() {
            Some(path) => self.types.lower_path(&path),
            None => self.types.no_path(tree::token_or_first(None, node)),
        };
        let mut fields = Vec::new();
        for field in literal.fields() {
            let name = tree::name_ref_text(field.name());
            let range = field.name().map_or_else(
                || tree::trimmed_range(field.syntax()),
                |name| tree::trimmed_range(name.syntax()),
            );
            let value = match (field.value(), field.name()) {
                (Some(value), _) => self.lower_expr(&value),
                (None, Some(shorthand)) => self.lower_name(name.clone(), shorthand.syntax()),
                (None, None) => self.missing(field.syntax()),
            };
            self.note(|map| map.insert_label(value, range));
            fields.push(FieldInit { name, value });
        }
        fields.shrink_to_fit();
        let base = literal.base().map(|base| self.lower_expr_opt(base.expr(), base.syntax()));
        let head = self.types.paths.whole(path.id);
        let path = Box::new(path);
        self.alloc_at(Expr::StructLit { path, fields, base }, node, head)
    }

    /// A range that is no index and no head of a `for`.
    fn lower_range(&mut self, range: &ast::RangeExpr) -> ExprId {
        let (start, end, end_kind) = self.lower_range_parts(range);
        let head = tree::token_or_first(range.op_token(), range.syntax());
        self.alloc_at(Expr::Range { start, end, end_kind }, range.syntax(), head)
    }

    pub(super) fn lower_range_parts(
        &mut self,
        range: &ast::RangeExpr,
    ) -> (Option<ExprId>, Option<ExprId>, RangeEnd) {
        let start = range.start().map(|bound| self.lower_expr(&bound));
        let end = range.end().map(|bound| self.lower_expr(&bound));
        let end_kind = match range.is_inclusive() {
            true => RangeEnd::Inclusive,
            false => RangeEnd::Exclusive,
        };
        (start, end, end_kind)
    }

    fn lower_prefix(&mut self, prefix: &ast::PrefixExpr) -> ExprId {
        let node = prefix.syntax();
        let operand = self.lower_expr_opt(prefix.operand(), node);
        let lowered = match prefix.op() {
            Some(ast::PrefixOp::Neg) => Expr::Unary { op: UnaryOp::Neg, operand },
            Some(ast::PrefixOp::Not) => Expr::Unary { op: UnaryOp::Not, operand },
            Some(ast::PrefixOp::BitNot) => Expr::Unary { op: UnaryOp::BitNot, operand },
            Some(ast::PrefixOp::Deref) => Expr::Deref(operand),
            None => Expr::Missing,
        };
        self.alloc_at(lowered, node, tree::token_or_first(prefix.op_token(), node))
    }

    /// A binary operator. A chain as long as the text is walked down its left side without recursion.
    fn lower_binary(&mut self, bin: &ast::BinExpr) -> ExprId {
        let mut chain = vec![bin.clone()];
        let mut leftmost = bin.lhs();
        while let Some(ast::Expr::Bin(inner)) = leftmost {
            leftmost = inner.lhs();
            chain.push(inner);
        }
        let mut lhs = self.lower_expr_opt(leftmost, bin.syntax());
        while let Some(bin) = chain.pop() {
            lhs = self.lower_operator(lhs, &bin);
        }
        lhs
    }

    fn lower_operator(&mut self, lhs: ExprId, bin: &ast::BinExpr) -> ExprId {
        let node = bin.syntax();
        let head = tree::token_or_first(bin.op_token(), node);
        let Some(op) = bin.op() else { return self.missing(node) };
        let rhs = self.lower_expr_opt(bin.rhs(), node);
        let lowered = match operator(op) {
            Operator::Binary(op) => Expr::Binary { op, lhs, rhs },
            Operator::Compare(op) => Expr::Compare { op, lhs, rhs },
            Operator::Logic(op) => Expr::Logic { op, lhs, rhs },
            Operator::Coalesce => Expr::Coalesce { lhs, rhs },
            Operator::Pipeline => Expr::Pipeline { value: lhs, function: rhs },
            Operator::Compose => Expr::Compose { first: lhs, second: rhs },
        };
        self.alloc_at(lowered, node, head)
    }

    pub(super) fn lower_args(&mut self, args: impl Iterator<Item = ast::Arg>) -> Vec<Arg> {
        args.map(|arg| {
            let value = self.lower_expr_opt(arg.value(), arg.syntax());
            let label = arg.label().map(|label| {
                self.note(|map| map.insert_label(value, tree::trimmed_range(label.syntax())));
                Name::from(label.text())
            });
            Arg { label, value }
        })
        .collect()
    }
}

/// What an operator of the grammar is here.
enum Operator {
    Binary(BinaryOp),
    Compare(CompareOp),
    Logic(LogicOp),
    Coalesce,
    Pipeline,
    Compose,
}

/// The operator of a compound assignment.
pub(super) fn binary_op(op: ast::BinOp) -> Option<BinaryOp> {
    match operator(op) {
        Operator::Binary(op) => Some(op),
        Operator::Compare(_)
        | Operator::Logic(_)
        | Operator::Coalesce
        | Operator::Pipeline
        | Operator::Compose => None,
    }
}

fn operator(op: ast::BinOp) -> Operator {
    use Operator::{Binary, Compare, Logic};
    match op {
        ast::BinOp::Add => Binary(BinaryOp::Add),
        ast::BinOp::Sub => Binary(BinaryOp::Sub),
        ast::BinOp::Mul => Binary(BinaryOp::Mul),
        ast::BinOp::Div => Binary(BinaryOp::Div),
        ast::BinOp::Rem => Binary(BinaryOp::Rem),
        ast::BinOp::MatMul => Binary(BinaryOp::MatMul),
        ast::BinOp::Shl => Binary(BinaryOp::Shl),
        ast::BinOp::BitAnd => Binary(BinaryOp::BitAnd),
        ast::BinOp::BitXor => Binary(BinaryOp::BitXor),
        ast::BinOp::BitOr => Binary(BinaryOp::BitOr),
        ast::BinOp::Eq => Compare(CompareOp::Eq),
        ast::BinOp::Ne => Compare(CompareOp::Ne),
        ast::BinOp::Lt => Compare(CompareOp::Lt),
        ast::BinOp::Le => Compare(CompareOp::Le),
        ast::BinOp::Gt => Compare(CompareOp::Gt),
        ast::BinOp::Ge => Compare(CompareOp::Ge),
        ast::BinOp::And => Logic(LogicOp::And),
        ast::BinOp::Or => Logic(LogicOp::Or),
        ast::BinOp::Coalesce => Operator::Coalesce,
        ast::BinOp::Compose => Operator::Compose,
        ast::BinOp::Pipe => Operator::Pipeline,
    }
}
