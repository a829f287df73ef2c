//! Expressions.

use super::{
    AstNode, BinOp, Label, Literal, Name, NameRef, Pat, Path, PrefixOp, Stmt, StringLit, Type,
    TypeArgList, child, child_after, child_before, children, choices, nodes, nth_child, token,
    tokens,
};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};
use rowan::ast::AstChildren;

nodes! {
    /// A name, with module, type and type arguments.
    PathExpr = PATH_EXPR;
    /// `(e)`.
    ParenExpr = PAREN_EXPR;
    /// `(a, b)`.
    TupleExpr = TUPLE_EXPR;
    /// `[a, b]`.
    ArrayExpr = ARRAY_EXPR;
    /// `alias: e`, in a list of an attribute.
    AliasedExpr = ALIASED_EXPR;
    /// `{ .. }`.
    Block = BLOCK;
    /// `unsafe { .. }`.
    UnsafeExpr = UNSAFE_EXPR;
    /// `if c { .. } else { .. }`.
    IfExpr = IF_EXPR;
    /// `match e { .. }`.
    MatchExpr = MATCH_EXPR;
    /// `pattern if guard => body`.
    MatchArm = MATCH_ARM;
    /// `|a: i32| e`.
    ClosureExpr = CLOSURE_EXPR;
    /// A parameter of a closure.
    ClosureParam = CLOSURE_PARAM;
    /// `-e`, `!e`, `~e`, `*e`.
    PrefixExpr = PREFIX_EXPR;
    /// `&e`, `&mut e`.
    BorrowExpr = BORROW_EXPR;
    /// `a + b`.
    BinExpr = BIN_EXPR;
    /// `a..b`, `a..=b`, `a..`, `..b`, `..`.
    RangeExpr = RANGE_EXPR;
    /// `e as T`.
    CastExpr = CAST_EXPR;
    /// `f(a, label: b)`.
    CallExpr = CALL_EXPR;
    /// The parenthesised arguments of a call.
    ArgList = ARG_LIST;
    /// An argument with its label.
    Arg = ARG;
    /// `e.name::<T>(a)`.
    MethodCallExpr = METHOD_CALL_EXPR;
    /// `e.name`, `e.0`.
    FieldExpr = FIELD_EXPR;
    /// `e[i, a..b]`.
    IndexExpr = INDEX_EXPR;
    /// `e?`.
    TryExpr = TRY_EXPR;
    /// `S { x: a, y, ..base }`.
    StructLit = STRUCT_LIT;
    /// One field of a struct literal.
    StructLitField = STRUCT_LIT_FIELD;
    /// `..base` of a struct literal.
    StructBase = STRUCT_BASE;
    /// `return e`.
    ReturnExpr = RETURN_EXPR;
    /// `break label e`.
    BreakExpr = BREAK_EXPR;
    /// `continue label`.
    ContinueExpr = CONTINUE_EXPR;
    /// The label of a `break` or `continue`.
    LabelRef = LABEL_REF;
    /// `while c { .. }`.
    WhileExpr = WHILE_EXPR;
    /// `for p in head { .. }`.
    ForExpr = FOR_EXPR;
    /// `loop { .. }`.
    LoopExpr = LOOP_EXPR;
}

choices! {
    /// An expression.
    Expr {
        /// A number, a character or a truth value.
        Literal(Literal) = LITERAL,
        /// A string.
        String(StringLit) = STRING_LIT,
        /// A name.
        Path(PathExpr) = PATH_EXPR,
        /// An expression in parentheses.
        Paren(ParenExpr) = PAREN_EXPR,
        /// A tuple.
        Tuple(TupleExpr) = TUPLE_EXPR,
        /// An array.
        Array(ArrayExpr) = ARRAY_EXPR,
        /// An aliased entry of an attribute's list.
        Aliased(AliasedExpr) = ALIASED_EXPR,
        /// A block.
        Block(Block) = BLOCK,
        /// An `unsafe` block.
        Unsafe(UnsafeExpr) = UNSAFE_EXPR,
        /// An `if`.
        If(IfExpr) = IF_EXPR,
        /// A `match`.
        Match(MatchExpr) = MATCH_EXPR,
        /// A closure.
        Closure(ClosureExpr) = CLOSURE_EXPR,
        /// A prefix operator.
        Prefix(PrefixExpr) = PREFIX_EXPR,
        /// A borrow.
        Borrow(BorrowExpr) = BORROW_EXPR,
        /// A binary operator.
        Bin(BinExpr) = BIN_EXPR,
        /// A range.
        Range(RangeExpr) = RANGE_EXPR,
        /// A cast.
        Cast(CastExpr) = CAST_EXPR,
        /// A call.
        Call(CallExpr) = CALL_EXPR,
        /// A method call.
        MethodCall(MethodCallExpr) = METHOD_CALL_EXPR,
        /// A field or a tuple index.
        Field(FieldExpr) = FIELD_EXPR,
        /// An index.
        Index(IndexExpr) = INDEX_EXPR,
        /// A `?`.
        Try(TryExpr) = TRY_EXPR,
        /// A struct literal.
        StructLit(StructLit) = STRUCT_LIT,
        /// A `return`.
        Return(ReturnExpr) = RETURN_EXPR,
        /// A `break`.
        Break(BreakExpr) = BREAK_EXPR,
        /// A `continue`.
        Continue(ContinueExpr) = CONTINUE_EXPR,
        /// A `while` loop.
        While(WhileExpr) = WHILE_EXPR,
        /// A `for` loop.
        For(ForExpr) = FOR_EXPR,
        /// A `loop`.
        Loop(LoopExpr) = LOOP_EXPR,
    }
}

impl PathExpr {
    /// The path.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }
}

impl ParenExpr {
    /// The expression inside.
    pub fn inner(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl TupleExpr {
    /// The elements, in order.
    pub fn elements(&self) -> AstChildren<Expr> {
        children(self.syntax())
    }
}

impl ArrayExpr {
    /// The elements, in order.
    pub fn elements(&self) -> AstChildren<Expr> {
        children(self.syntax())
    }
}

impl AliasedExpr {
    /// The alias.
    pub fn alias(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The expression behind the colon.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl Block {
    /// The statements, in order, the tail expression included.
    pub fn stmts(&self) -> AstChildren<Stmt> {
        children(self.syntax())
    }

    /// The value of the block: its last statement, when that is an expression.
    pub fn tail(&self) -> Option<Expr> {
        match self.stmts().last()? {
            Stmt::Expr(stmt) => stmt.expr(),
            _ => None,
        }
    }

    /// The opening brace.
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::L_BRACE)
    }

    /// The closing brace.
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::R_BRACE)
    }
}

impl UnsafeExpr {
    /// The block.
    pub fn body(&self) -> Option<Block> {
        child(self.syntax())
    }
}

impl IfExpr {
    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        // A condition may be a block itself, so the block of the branch is the last before `else`.
        self.before_else()
            .next()
            .filter(|_| self.before_else().nth(1).is_some())
            .or_else(|| self.before_else().next().filter(|expr| !matches!(expr, Expr::Block(_))))
    }

    /// The block of the true branch.
    pub fn then_branch(&self) -> Option<Block> {
        match self.before_else().last()? {
            Expr::Block(block) => Some(block),
            _ => None,
        }
    }

    /// The word `else`.
    pub fn else_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::ELSE_KW)
    }

    /// What follows `else`: a block or another `if`.
    pub fn else_branch(&self) -> Option<Expr> {
        child_after(self.syntax(), SyntaxKind::ELSE_KW)
    }

    fn before_else(&self) -> impl Iterator<Item = Expr> + use<> {
        self.syntax()
            .children_with_tokens()
            .take_while(|element| element.kind() != SyntaxKind::ELSE_KW)
            .filter_map(|element| element.into_node())
            .filter_map(Expr::cast)
    }
}

impl MatchExpr {
    /// What is matched.
    pub fn scrutinee(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The arms, in order.
    pub fn arms(&self) -> impl Iterator<Item = MatchArm> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::MATCH_ARM_LIST)
            .flat_map(|list| children::<MatchArm>(&list))
    }
}

impl MatchArm {
    /// The pattern.
    pub fn pat(&self) -> Option<Pat> {
        child(self.syntax())
    }

    /// The condition behind `if`.
    pub fn guard(&self) -> Option<Expr> {
        let guard: SyntaxNode =
            self.syntax().children().find(|node| node.kind() == SyntaxKind::MATCH_GUARD)?;
        child(&guard)
    }

    /// The body behind `=>`.
    pub fn body(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ClosureExpr {
    /// The word `move`.
    pub fn move_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::MOVE_KW)
    }

    /// The parameters, in order.
    pub fn params(&self) -> impl Iterator<Item = ClosureParam> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::CLOSURE_PARAM_LIST)
            .flat_map(|list| children::<ClosureParam>(&list))
    }

    /// The type behind `->`.
    pub fn ret_type(&self) -> Option<Type> {
        let ret: SyntaxNode =
            self.syntax().children().find(|node| node.kind() == SyntaxKind::RET_TYPE)?;
        child(&ret)
    }

    /// The body: a block or an expression.
    pub fn body(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ClosureParam {
    /// The name; `None` for `_`.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl PrefixExpr {
    /// The operator's token.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).next()
    }

    /// The operator.
    pub fn op(&self) -> Option<PrefixOp> {
        PrefixOp::from_kind(self.op_token()?.kind())
    }

    /// The operand.
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl BorrowExpr {
    /// The word `mut`.
    pub fn mut_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// What is borrowed.
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl BinExpr {
    /// The left operand.
    pub fn lhs(&self) -> Option<Expr> {
        child_before(self.syntax(), self.op_token()?.kind())
    }

    /// The operator's token.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).find(|token| BinOp::from_kind(token.kind()).is_some())
    }

    /// The operator.
    pub fn op(&self) -> Option<BinOp> {
        BinOp::from_kind(self.op_token()?.kind())
    }

    /// The right operand.
    pub fn rhs(&self) -> Option<Expr> {
        child_after(self.syntax(), self.op_token()?.kind())
    }
}

impl RangeExpr {
    /// The token `..` or `..=`.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax())
            .find(|token| matches!(token.kind(), SyntaxKind::DOT2 | SyntaxKind::DOT2_EQ))
    }

    /// Whether the end belongs to the range.
    pub fn is_inclusive(&self) -> bool {
        token(self.syntax(), SyntaxKind::DOT2_EQ).is_some()
    }

    /// The start.
    pub fn start(&self) -> Option<Expr> {
        child_before(self.syntax(), self.op_token()?.kind())
    }

    /// The end.
    pub fn end(&self) -> Option<Expr> {
        child_after(self.syntax(), self.op_token()?.kind())
    }
}

impl CastExpr {
    /// The operand.
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The type behind `as`.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl CallExpr {
    /// What is called.
    pub fn callee(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The list of arguments.
    pub fn arg_list(&self) -> Option<ArgList> {
        child(self.syntax())
    }

    /// The arguments, in order.
    pub fn args(&self) -> impl Iterator<Item = Arg> + use<> {
        self.arg_list().into_iter().flat_map(|list| list.args())
    }
}

impl ArgList {
    /// The arguments, in order.
    pub fn args(&self) -> AstChildren<Arg> {
        children(self.syntax())
    }
}

impl Arg {
    /// The label of `label: value`.
    pub fn label(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl MethodCallExpr {
    /// The receiver.
    pub fn receiver(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The method's name.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The type arguments behind `::`.
    pub fn turbofish(&self) -> Option<TypeArgList> {
        child(self.syntax())
    }

    /// The list of arguments.
    pub fn arg_list(&self) -> Option<ArgList> {
        child(self.syntax())
    }

    /// The arguments, in order.
    pub fn args(&self) -> impl Iterator<Item = Arg> + use<> {
        self.arg_list().into_iter().flat_map(|list| list.args())
    }
}

impl FieldExpr {
    /// The value whose field is read.
    pub fn base(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The field: an identifier, or an integer for a tuple.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The index of a tuple's element.
    pub fn tuple_index(&self) -> Option<u32> {
        let token = self.name()?.token()?;
        (token.kind() == SyntaxKind::INT).then(|| token.text().parse().ok())?
    }
}

impl IndexExpr {
    /// The value that is indexed.
    pub fn base(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The indexes, in order; ranges and the bare `..` are range expressions.
    pub fn indexes(&self) -> impl Iterator<Item = Expr> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::INDEX_LIST)
            .flat_map(|list| children::<Expr>(&list))
    }
}

impl TryExpr {
    /// The operand.
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl StructLit {
    /// The struct or variant.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The fields, in the order written.
    pub fn fields(&self) -> impl Iterator<Item = StructLitField> + use<> {
        self.list().into_iter().flat_map(|list| children::<StructLitField>(&list))
    }

    /// The struct that gives the other fields.
    pub fn base(&self) -> Option<StructBase> {
        child(&self.list()?)
    }

    fn list(&self) -> Option<SyntaxNode> {
        self.syntax().children().find(|node| node.kind() == SyntaxKind::STRUCT_LIT_FIELD_LIST)
    }
}

impl StructLitField {
    /// The field.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The value; the shorthand `x` for `x: x` has none.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl StructBase {
    /// The expression behind `..`.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ReturnExpr {
    /// The word `return`.
    pub fn return_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::RETURN_KW)
    }

    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl BreakExpr {
    /// The label: a name that labels an enclosing loop.
    pub fn label(&self) -> Option<LabelRef> {
        child(self.syntax())
    }

    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ContinueExpr {
    /// The label.
    pub fn label(&self) -> Option<LabelRef> {
        child(self.syntax())
    }
}

impl LabelRef {
    /// The name.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }
}

/// The last block of a node, which is the body of a loop whose head may be a block too.
fn last_block(node: &SyntaxNode) -> Option<Block> {
    children::<Block>(node).last()
}

/// The head of a loop: its first expression, unless that is the body.
fn head(node: &SyntaxNode) -> Option<Expr> {
    let first: Expr = nth_child(node, 0)?;
    let lonely = nth_child::<Expr>(node, 1).is_none() && matches!(first, Expr::Block(_));
    (!lonely).then_some(first)
}

impl WhileExpr {
    /// The label.
    pub fn label(&self) -> Option<Label> {
        child(self.syntax())
    }

    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        head(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        last_block(self.syntax())
    }
}

impl ForExpr {
    /// The label.
    pub fn label(&self) -> Option<Label> {
        child(self.syntax())
    }

    /// The loop variable, or the pair of an enumeration.
    pub fn pat(&self) -> Option<Pat> {
        child(self.syntax())
    }

    /// What is walked.
    pub fn head(&self) -> Option<Expr> {
        head(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        last_block(self.syntax())
    }
}

impl LoopExpr {
    /// The label.
    pub fn label(&self) -> Option<Label> {
        child(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        last_block(self.syntax())
    }
}
