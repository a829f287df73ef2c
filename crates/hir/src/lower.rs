//! Bodies, from the tree.
//!
//! One walk makes the arena, resolves local names and notes where everything stands. What the
//! compiler does not support yet becomes [`Expr::Unsupported`] with a [`LoweringFinding`]; the names
//! that it binds stay in scope, so that one mistake gives one diagnostic.

mod control;
mod expr;
mod scope;
mod stmt;
pub(crate) mod types;

use neuro_db::codes::{self, Code};
use neuro_db::{Db, Name, SourceFile};
use neuro_syntax::{AstNode, SyntaxNode, ast};
use text_size::TextRange;

use crate::header::params;
use crate::item::unsupported_names;
use crate::{
    Binding, Body, Const, Expr, ExprId, Function, Local, LocalId, SourceMap, TypeRef,
    UnsupportedExpr, resolve, tree,
};
use scope::Scopes;
use types::TypeLowering;

/// Something that lowering refuses. Its place is the head of an expression, so that it is equal when
/// only positions moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweringFinding {
    /// The code.
    pub code: Code,
    /// The expression that stands where the refused text is. It may belong to no other expression.
    pub expr: ExprId,
    /// The sentence.
    pub message: String,
}

/// A body, where its parts stand, and what was refused.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lowered {
    pub(crate) body: Body,
    pub(crate) source_map: SourceMap,
    pub(crate) findings: Vec<LoweringFinding>,
}

/// The lowered body of a function, with positions: runs after each edit of the function.
#[salsa::tracked]
pub(crate) fn function_with_source_map<'db>(db: &'db dyn Db, function: Function<'db>) -> Lowered {
    let Some(func) = ast::Func::cast(tree::node(function.source(db))) else {
        return Lowered::default();
    };
    let file = function.file(db);
    let types = TypeLowering::of_function(unsupported_names(db, file), &func);
    let mut lowering = Lowering::new(db, file, types);
    for param in params(&func) {
        let name = tree::name_text(param.name());
        let range = param.name().map_or_else(
            || tree::trimmed_range(param.syntax()),
            |name| tree::trimmed_range(name.syntax()),
        );
        let ty = param.ty().map(|ty| tree::trimmed_range(ty.syntax()));
        let local = lowering.declare(name, false, Binding::Param, range, ty);
        lowering.out.body.params.push(local);
    }
    lowering.out.body.root = func.body().map(|body| lowering.lower_block(&body));
    lowering.out
}

/// The lowered value of a constant, with positions.
#[salsa::tracked]
pub(crate) fn const_with_source_map<'db>(db: &'db dyn Db, constant: Const<'db>) -> Lowered {
    let Some(item) = ast::Const::cast(tree::node(constant.source(db))) else {
        return Lowered::default();
    };
    let file = constant.file(db);
    let types = TypeLowering::new(unsupported_names(db, file));
    let mut lowering = Lowering::new(db, file, types);
    lowering.out.body.root = item.value().map(|value| lowering.lower_expr(&value));
    lowering.out
}

/// The body of a function. Equal after an edit of white space or comments.
#[salsa::tracked]
pub fn body<'db>(db: &'db dyn Db, function: Function<'db>) -> Body {
    function_with_source_map(db, function).body.clone()
}

/// The value of a constant, as a body without parameters.
#[salsa::tracked]
pub fn const_body<'db>(db: &'db dyn Db, constant: Const<'db>) -> Body {
    const_with_source_map(db, constant).body.clone()
}

/// What lowering refused in a function's body. Equal after an edit of white space or comments.
#[salsa::tracked(returns(deref))]
pub fn lowering_findings<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<LoweringFinding> {
    function_with_source_map(db, function).findings.clone()
}

/// What lowering refused in a constant's value.
#[salsa::tracked(returns(deref))]
pub fn const_lowering_findings<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<LoweringFinding> {
    const_with_source_map(db, constant).findings.clone()
}

/// The type that a constant is declared with.
#[salsa::tracked]
pub fn const_type<'db>(db: &'db dyn Db, constant: Const<'db>) -> TypeRef {
    let types = TypeLowering::new(unsupported_names(db, constant.file(db)));
    match ast::Const::cast(tree::node(constant.source(db))) {
        Some(item) => types.lower_opt(item.ty()),
        None => TypeRef::Error,
    }
}

/// The walk over one body.
struct Lowering<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    types: TypeLowering<'db>,
    scopes: Scopes,
    out: Lowered,
}

impl<'db> Lowering<'db> {
    fn new(db: &'db dyn Db, file: SourceFile, types: TypeLowering<'db>) -> Self {
        Self { db, file, types, scopes: Scopes::default(), out: Lowered::default() }
    }

    /// Adds an expression; `head` is the word that says what it does.
    fn alloc(&mut self, expr: Expr, whole: TextRange, head: TextRange) -> ExprId {
        let id = self.out.body.exprs.alloc(expr);
        self.out.source_map.insert_expr(id, whole, head);
        id
    }

    /// Adds an expression that stands where `node` does.
    fn alloc_at(&mut self, expr: Expr, node: &SyntaxNode, head: TextRange) -> ExprId {
        self.alloc(expr, tree::trimmed_range(node), head)
    }

    /// Adds what stands for an expression that the parser did not find in `parent`.
    fn missing(&mut self, parent: &SyntaxNode) -> ExprId {
        let range = TextRange::empty(tree::trimmed_range(parent).end());
        self.alloc(Expr::Missing, range, range)
    }

    /// Adds what stands for an unsupported construct, and reports it at `head`.
    fn unsupported(&mut self, what: &'static str, node: &SyntaxNode, head: TextRange) -> ExprId {
        let id = self.silent(what, node, head);
        let verb = if what.ends_with('s') { "are" } else { "is" };
        self.refuse(codes::UNSUPPORTED, id, format!("{what} {verb} not supported yet"));
        id
    }

    /// Adds what stands for an unsupported construct that is reported elsewhere.
    fn silent(&mut self, what: &'static str, node: &SyntaxNode, head: TextRange) -> ExprId {
        self.alloc_at(Expr::Unsupported(UnsupportedExpr { what }), node, head)
    }

    /// Reports something at the head of an expression.
    fn refuse(&mut self, code: Code, expr: ExprId, message: impl Into<String>) {
        self.out.findings.push(LoweringFinding { code, expr, message: message.into() });
    }

    /// Adds a local and brings its name into scope, where it shadows earlier ones.
    fn declare(
        &mut self,
        name: Name,
        mutable: bool,
        binding: Binding,
        range: TextRange,
        ty: Option<TextRange>,
    ) -> LocalId {
        let local = self.out.body.locals.alloc(Local { name: name.clone(), mutable, binding });
        self.out.source_map.insert_local(local, range, ty);
        self.scopes.declare(name, local);
        local
    }

    /// Whether the file has an item of this name.
    fn is_item(&self, name: &Name) -> bool {
        resolve(self.db, self.file, name.clone()).is_some()
    }
}
