//! Expressions.
//!
//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.

use crate::ast::*;

nodes! {
    /// A number, a character or a truth value.
    Literal = LITERAL;
    /// A string: text and holes.
    StringLit = STRING_LIT;
    /// `{expr:format}` in a string.
    Hole = HOLE;
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
    /// The arms of a `match`.
    MatchArmList = MATCH_ARM_LIST;
    /// `pattern if guard => body`.
    MatchArm = MATCH_ARM;
    /// `if guard`, in an arm.
    MatchGuard = MATCH_GUARD;
    /// `|a: i32| e`.
    ClosureExpr = CLOSURE_EXPR;
    /// The parameters of a closure.
    ClosureParamList = CLOSURE_PARAM_LIST;
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
    /// The indexes of an index expression.
    IndexList = INDEX_LIST;
    /// `e?`.
    TryExpr = TRY_EXPR;
    /// `S { x: a, y, ..base }`.
    StructLit = STRUCT_LIT;
    /// The fields of a struct literal.
    StructLitFieldList = STRUCT_LIT_FIELD_LIST;
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

impl StringLit {
    /// The holes, in order.
    pub fn holes(&self) -> AstChildren<Hole> {
        children(self.syntax())
    }
}

impl Hole {
    /// The expression.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The token behind the colon.
    pub fn spec_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::FORMAT_SPEC)
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
    /// The opening brace.
    pub fn l_brace_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::L_BRACE)
    }

    /// The statements, in order, the tail expression included.
    pub fn stmts(&self) -> AstChildren<Stmt> {
        children(self.syntax())
    }

    /// The closing brace.
    pub fn r_brace_token(&self) -> Option<Token> {
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
    /// The word `else`.
    pub fn else_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::ELSE_KW)
    }
}

impl MatchExpr {
    /// What is matched.
    pub fn scrutinee(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The arms in braces.
    pub fn arm_list(&self) -> Option<MatchArmList> {
        child(self.syntax())
    }
}

impl MatchArmList {
    /// The arms, in order.
    pub fn arms(&self) -> AstChildren<MatchArm> {
        children(self.syntax())
    }
}

impl MatchArm {
    /// The pattern.
    pub fn pat(&self) -> Option<Pat> {
        child(self.syntax())
    }

    /// The guard.
    pub fn match_guard(&self) -> Option<MatchGuard> {
        child(self.syntax())
    }

    /// The body behind `=>`.
    pub fn body(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl MatchGuard {
    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ClosureExpr {
    /// The word `move`.
    pub fn move_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MOVE_KW)
    }

    /// The parameters between bars.
    pub fn param_list(&self) -> Option<ClosureParamList> {
        child(self.syntax())
    }

    /// `-> T`.
    pub fn result(&self) -> Option<RetType> {
        child(self.syntax())
    }

    /// The body: a block or an expression.
    pub fn body(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ClosureParamList {
    /// The parameters, in order.
    pub fn params(&self) -> AstChildren<ClosureParam> {
        children(self.syntax())
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
    /// The operand.
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl BorrowExpr {
    /// The word `mut`.
    pub fn mut_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// What is borrowed.
    pub fn operand(&self) -> Option<Expr> {
        child(self.syntax())
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
}

impl IndexExpr {
    /// The value that is indexed.
    pub fn base(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The indexes in brackets.
    pub fn index_list(&self) -> Option<IndexList> {
        child(self.syntax())
    }
}

impl IndexList {
    /// The indexes, in order; ranges and the bare `..` are range expressions.
    pub fn indexes(&self) -> AstChildren<Expr> {
        children(self.syntax())
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

    /// The fields in braces.
    pub fn field_list(&self) -> Option<StructLitFieldList> {
        child(self.syntax())
    }
}

impl StructLitFieldList {
    /// The fields, in the order written.
    pub fn fields(&self) -> AstChildren<StructLitField> {
        children(self.syntax())
    }

    /// The struct that gives the other fields.
    pub fn base(&self) -> Option<StructBase> {
        child(self.syntax())
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
    pub fn return_token(&self) -> Option<Token> {
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

impl WhileExpr {
    /// The label.
    pub fn label(&self) -> Option<Label> {
        child(self.syntax())
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
}

impl LoopExpr {
    /// The label.
    pub fn label(&self) -> Option<Label> {
        child(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        child(self.syntax())
    }
}
