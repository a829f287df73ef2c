//! Expressions.

use neuro_db::{Name, codes};
use neuro_syntax::{AstNode, SyntaxKind, SyntaxNode, ast};

use super::Lowering;
use crate::{
    Arg, BinaryOp, Builtin, CompareOp, Expr, ExprId, FormatPart, IndexArg, Literal, LogicOp,
    TypeRef, UnaryOp, tree,
};

/// Names that the language provides and this compiler does not support yet, and how a message says
/// so. An item or local of the name comes first.
const UNSUPPORTED_NAMES: &[(&str, &str)] = &[
    ("Some", "`Some`"),
    ("None", "`None`"),
    ("Ok", "`Ok`"),
    ("Err", "`Err`"),
    ("einsum", "`einsum`"),
    ("self", "`self`"),
];

/// The same for names in front of `::`.
const UNSUPPORTED_TYPES: &[(&str, &str)] = &[
    ("Vec", "`Vec`"),
    ("HashMap", "`HashMap`"),
    ("BTreeMap", "`BTreeMap`"),
    ("StringBuilder", "`StringBuilder`"),
    ("Option", "`Option`"),
    ("Result", "`Result`"),
    ("Device", "`Device`"),
    ("SparseTensor", "`SparseTensor`"),
    ("Self", "`Self`"),
];

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// What an operator of the grammar is here.
enum Operator {
    Binary(BinaryOp),
    Compare(CompareOp),
    Logic(LogicOp),
    Unsupported(&'static str),
}

impl Lowering<'_> {
    /// An expression that may be missing in `parent`; then the parser has reported it.
    pub(super) fn lower_expr_opt(
        &mut self,
        expr: Option<ast::Expr>,
        parent: &SyntaxNode,
    ) -> ExprId {
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
            ast::Expr::Cast(cast) => self.lower_cast(cast),
            ast::Expr::Call(call) => self.lower_call(call),
            ast::Expr::MethodCall(call) => self.lower_method_call(call),
            ast::Expr::Index(index) => self.lower_index(index),
            ast::Expr::Return(expr) => self.lower_return(expr),
            ast::Expr::Break(expr) => self.lower_break(expr),
            ast::Expr::Continue(expr) => self.lower_continue(expr),
            ast::Expr::While(expr) => self.lower_while(expr),
            ast::Expr::For(expr) => self.lower_for(expr),
            ast::Expr::Loop(expr) => self.lower_loop(expr),
            ast::Expr::Tuple(_) => self.unsupported("tuples", node, first()),
            ast::Expr::Match(_) => self.unsupported("`match`", node, first()),
            ast::Expr::Closure(_) => self.unsupported("closures", node, first()),
            ast::Expr::Range(range) => {
                let head = tree::token_or_first(range.op_token(), node);
                self.unsupported("a range as a value", node, head)
            }
            ast::Expr::Field(field) => {
                let head =
                    field.name().map_or_else(first, |name| tree::trimmed_range(name.syntax()));
                // Where a type of the file is refused, its fields are refused with it.
                match self.types.reports_any() {
                    true => self.silent("fields", node, head),
                    false => self.unsupported("fields", node, head),
                }
            }
            ast::Expr::Try(_) => {
                let head = node.last_token().map_or_else(first, |token| token.text_range());
                self.unsupported("the operator `?`", node, head)
            }
            ast::Expr::StructLit(literal) => self.lower_struct_literal(literal),
            ast::Expr::Aliased(_) => {
                let id = self.silent("an alias", node, first());
                self.refuse(codes::SYNTAX, id, "an alias stands only in a list of an attribute");
                id
            }
        }
    }

    fn lower_literal(&mut self, literal: &ast::Literal) -> ExprId {
        // The parser reports a literal that has no value.
        let value = literal.kind().and_then(|kind| match kind {
            ast::LiteralKind::Int(int) => {
                let value = int.value().ok()?;
                Some(Literal::Int(value.value, value.suffix.map(Name::new_static)))
            }
            ast::LiteralKind::Float(float) => {
                let (digits, suffix) = float.value().ok()?;
                Some(Literal::Float(Name::from(digits), suffix.map(Name::new_static)))
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
        let whole = tree::trimmed_range(node);
        let segments: Vec<_> = expr.path().into_iter().flat_map(|path| path.segments()).collect();
        match segments.as_slice() {
            [] => self.missing(node),
            [name] if name.type_args().is_none() => {
                self.lower_name(tree::name_ref_text(name.name()), node)
            }
            [base, name] if name.type_args().is_none() => self.lower_assoc(base, name, node),
            [first, ..] => {
                let name = tree::name_ref_text(first.name());
                match (self.types.is_reported(&name), segments.len()) {
                    (true, _) => self.silent("this path", node, whole),
                    (false, 1 | 2) => self.unsupported("explicit type arguments", node, whole),
                    (false, _) => self.unsupported("a path into a module", node, whole),
                }
            }
        }
    }

    fn lower_name(&mut self, name: Name, node: &SyntaxNode) -> ExprId {
        let whole = tree::trimmed_range(node);
        if name.is_empty() {
            return self.alloc(Expr::Missing, whole, whole);
        }
        if let Some(local) = self.scopes.find(&name) {
            return self.alloc(Expr::Local(local), whole, whole);
        }
        if self.types.is_reported(&name) {
            return self.silent("this name", node, whole);
        }
        if let Some(what) = find(UNSUPPORTED_NAMES, &name)
            && !self.is_item(&name)
        {
            return self.unsupported(what, node, whole);
        }
        if self.builtin(&name).is_some() {
            return self.unsupported("a function of the language as a value", node, whole);
        }
        self.alloc(Expr::Name(name), whole, whole)
    }

    /// `base::name`, `base::<args>::name`.
    fn lower_assoc(
        &mut self,
        base: &ast::PathSegment,
        name: &ast::PathSegment,
        node: &SyntaxNode,
    ) -> ExprId {
        let base_range = tree::trimmed_range(base.syntax());
        let base_name = tree::name_ref_text(base.name());
        if self.types.is_reported(&base_name) {
            return self.silent("this path", node, base_range);
        }
        if let Some(what) = find(UNSUPPORTED_TYPES, &base_name) {
            return self.unsupported(what, node, base_range);
        }
        let args = base.type_args();
        let ty = args.as_ref().map(|args| self.types.lower_application(&base_name, args));
        let lowered = Expr::Assoc { base: base_name, ty, name: tree::name_ref_text(name.name()) };
        let id = self.alloc_at(lowered, node, tree::trimmed_range(name.syntax()));
        if args.is_some() {
            self.out.source_map.insert_written_type(id, base_range);
        }
        id
    }

    /// The function of the language that a name means, unless the program has its own.
    fn builtin(&self, name: &Name) -> Option<Builtin> {
        let builtin = Builtin::from_name(name)?;
        (self.scopes.find(name).is_none() && !self.types.is_reported(name) && !self.is_item(name))
            .then_some(builtin)
    }

    fn lower_struct_literal(&mut self, literal: &ast::StructLit) -> ExprId {
        let node = literal.syntax();
        let head = tree::token_or_first(None, node);
        let first = literal.path().and_then(|path| path.segments().next());
        let name = tree::name_ref_text(first.and_then(|segment| segment.name()));
        match self.types.is_reported(&name) {
            true => self.silent("struct literals", node, head),
            false => self.unsupported("struct literals", node, head),
        }
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
        let op = match operator(op) {
            Operator::Unsupported(what) => return self.unsupported(what, node, head),
            supported => supported,
        };
        let rhs = self.lower_expr_opt(bin.rhs(), node);
        let lowered = match op {
            Operator::Binary(op) => Expr::Binary { op, lhs, rhs },
            Operator::Compare(op) => Expr::Compare { op, lhs, rhs },
            Operator::Logic(op) => Expr::Logic { op, lhs, rhs },
            Operator::Unsupported(_) => Expr::Missing,
        };
        self.alloc_at(lowered, node, head)
    }

    fn lower_cast(&mut self, cast: &ast::CastExpr) -> ExprId {
        let node = cast.syntax();
        let operand = self.lower_expr_opt(cast.operand(), node);
        let ty = self.types.lower_opt(cast.ty());
        let keyword = node
            .children_with_tokens()
            .filter_map(|element| element.into_token())
            .find(|token| token.kind() == SyntaxKind::AS_KW);
        let id =
            self.alloc_at(Expr::Cast { operand, ty }, node, tree::token_or_first(keyword, node));
        if let Some(ty) = cast.ty() {
            self.out.source_map.insert_written_type(id, tree::trimmed_range(ty.syntax()));
        }
        id
    }

    fn lower_args(&mut self, args: impl Iterator<Item = ast::Arg>) -> Vec<Arg> {
        args.map(|arg| Arg {
            label: arg.label().map(|label| Name::from(label.text())),
            value: self.lower_expr_opt(arg.value(), arg.syntax()),
        })
        .collect()
    }

    fn lower_call(&mut self, call: &ast::CallExpr) -> ExprId {
        let node = call.syntax();
        if let Some(callee @ ast::Expr::Path(path)) = &call.callee()
            && let Some(name) = path.path().and_then(|path| path.as_single_name())
            && let Some(builtin) = self.builtin(&Name::from(name.text()))
        {
            let head = tree::trimmed_range(callee.syntax());
            let args = self.lower_args(call.args());
            return self.alloc_at(Expr::BuiltinCall { builtin, args }, node, head);
        }
        let callee = self.lower_expr_opt(call.callee(), node);
        let head = self.out.source_map.head(callee);
        let args = self.lower_args(call.args());
        self.alloc_at(Expr::Call { callee, args }, node, head)
    }

    fn lower_method_call(&mut self, call: &ast::MethodCallExpr) -> ExprId {
        let node = call.syntax();
        let receiver = self.lower_expr_opt(call.receiver(), node);
        let type_args: Vec<TypeRef> = call
            .turbofish()
            .into_iter()
            .flat_map(|list| list.args())
            .map(|arg| self.types.lower_arg(&arg))
            .collect();
        let args = self.lower_args(call.args());
        let head = call.name().map_or_else(
            || tree::token_or_first(None, node),
            |name| tree::trimmed_range(name.syntax()),
        );
        let name = tree::name_ref_text(call.name());
        self.alloc_at(Expr::MethodCall { receiver, name, type_args, args }, node, head)
    }

    fn lower_index(&mut self, index: &ast::IndexExpr) -> ExprId {
        let node = index.syntax();
        let base = self.lower_expr_opt(index.base(), node);
        let args: Vec<IndexArg> =
            index.indexes().map(|entry| self.lower_index_arg(&entry)).collect();
        let head = node
            .children()
            .find(|child| child.kind() == SyntaxKind::INDEX_LIST)
            .map_or_else(|| tree::trimmed_range(node), |list| tree::trimmed_range(&list));
        self.alloc_at(Expr::Index { base, args }, node, head)
    }

    fn lower_index_arg(&mut self, entry: &ast::Expr) -> IndexArg {
        if is_range(entry) {
            let node = entry.syntax();
            self.unsupported("slicing", node, tree::trimmed_range(node));
            return IndexArg::Range;
        }
        IndexArg::At(self.lower_expr(entry))
    }
}

/// Whether an index is a range, perhaps in parentheses and with adapters.
fn is_range(entry: &ast::Expr) -> bool {
    match entry {
        ast::Expr::Range(_) => true,
        ast::Expr::Paren(paren) => paren.inner().is_some_and(|inner| is_range(&inner)),
        ast::Expr::MethodCall(call) => call.receiver().is_some_and(|inner| is_range(&inner)),
        _ => false,
    }
}

/// The operator of a compound assignment.
pub(super) fn binary_op(op: ast::BinOp) -> Option<BinaryOp> {
    match operator(op) {
        Operator::Binary(op) => Some(op),
        Operator::Compare(_) | Operator::Logic(_) | Operator::Unsupported(_) => None,
    }
}

fn operator(op: ast::BinOp) -> Operator {
    use Operator::{Binary, Compare, Logic, Unsupported};
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
        ast::BinOp::Coalesce => Unsupported("the operator `??`"),
        ast::BinOp::Compose => Unsupported("the operator `>>`"),
        ast::BinOp::Pipe => Unsupported("the operator `|>`"),
    }
}
