//! Bodies, from the tree.
//!
//! One walk makes the arenas, resolves local names and notes where everything stands. A name that is no local
//! stays a path: what it stands for is asked later. What the grammar lets through and the language does
//! not have is reported here; what it binds stays in scope, so that one mistake gives one diagnostic.

mod binding;
mod closure;
mod control;
mod expr;
mod for_head;
mod pattern;
mod postfix;
mod scope;
mod stmt;
pub(crate) mod types;

use std::sync::Arc;

use neuro_db::codes::{self, Code};
use neuro_db::{Db, Name};
use neuro_syntax::{AstNode, SyntaxNode, ast};
use text_size::TextRange;

use crate::header::params;
use crate::{
    Binding, Body, Const, Expr, ExprId, Function, Local, LocalId, Module, Resolution, SourceMap,
    resolve_name, tree,
};
use closure::Frame;
use types::TypeLowering;

/// Something that lowering refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LoweringFinding {
    /// The code.
    pub(crate) code: Code,
    /// The offending word, relative to the item.
    pub(crate) range: TextRange,
    /// The sentence.
    pub(crate) message: String,
    /// Another place, and what it has to do with it.
    pub(crate) related: Option<(TextRange, &'static str)>,
}

/// A body, where its parts stand, and what was refused.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lowered {
    /// Shared with the query that gives the body alone.
    pub(crate) body: Arc<Body>,
    pub(crate) source_map: SourceMap,
    pub(crate) findings: Vec<LoweringFinding>,
}

/// The lowered body of a function, with positions: runs after each edit of the function.
#[salsa::tracked]
pub(crate) fn function_with_source_map<'db>(db: &'db dyn Db, function: Function<'db>) -> Lowered {
    let Some(func) = ast::Func::cast(tree::node(function.source(db))) else {
        return Lowered::default();
    };
    let mut lowering = Lowering::new(db, function.module(db));
    if let Some(receiver) = func.params().and_then(|list| list.self_param()) {
        let range = tree::token_or_first(receiver.self_token(), receiver.syntax());
        let name = Name::new_static("self");
        // `self` by value is a variable of the method's own, which is never assigned as a whole.
        let local = lowering.declare(name, false, Binding::Receiver, range, None);
        lowering.out.body.receiver = Some(local);
    }
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
    lowering.finish()
}

/// The lowered value of a constant, with positions.
#[salsa::tracked]
pub(crate) fn const_with_source_map<'db>(db: &'db dyn Db, constant: Const<'db>) -> Lowered {
    let Some(item) = ast::Const::cast(tree::node(constant.source(db))) else {
        return Lowered::default();
    };
    let mut lowering = Lowering::new(db, constant.module(db));
    lowering.out.body.root = item.value().map(|value| lowering.lower_expr(&value));
    lowering.finish()
}

/// A condition of a `where` clause, as a body without parameters.
pub(crate) fn condition<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    expr: &ast::Expr,
) -> (Body, SourceMap) {
    let mut lowering = Lowering::new(db, module);
    lowering.out.body.root = Some(lowering.lower_expr(expr));
    let lowered = lowering.finish();
    (Arc::unwrap_or_clone(lowered.body), lowered.source_map)
}

/// The body of a function. Equal after an edit of white space or comments.
#[salsa::tracked(returns(deref))]
pub fn body<'db>(db: &'db dyn Db, function: Function<'db>) -> Arc<Body> {
    Arc::clone(&function_with_source_map(db, function).body)
}

/// The value of a constant, as a body without parameters.
#[salsa::tracked(returns(deref))]
pub fn const_body<'db>(db: &'db dyn Db, constant: Const<'db>) -> Arc<Body> {
    Arc::clone(&const_with_source_map(db, constant).body)
}

/// Whether lowering a function's body refused nothing.
#[salsa::tracked(returns(copy))]
pub fn is_lowered<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    function_with_source_map(db, function).findings.is_empty()
}

/// The walk over one body.
struct Lowering<'db> {
    db: &'db dyn Db,
    module: Module<'db>,
    types: TypeLowering,
    /// The closures around what is being lowered, outermost first.
    frames: Vec<Frame>,
    out: Parts,
}

/// What a walk has made so far.
#[derive(Default)]
struct Parts {
    body: Body,
    source_map: SourceMap,
    findings: Vec<LoweringFinding>,
}

impl<'db> Lowering<'db> {
    fn new(db: &'db dyn Db, module: Module<'db>) -> Self {
        let types = TypeLowering::default();
        Self { db, module, types, frames: Vec::new(), out: Parts::default() }
    }

    fn finish(mut self) -> Lowered {
        for (range, message) in std::mem::take(&mut self.types.problems) {
            self.refuse(codes::SYNTAX, range, message);
        }
        self.out.body.type_uses = self.types.uses;
        self.out.source_map.set_paths(self.types.paths);
        let Parts { mut body, mut source_map, findings } = self.out;
        body.exprs.shrink_to_fit();
        body.pats.shrink_to_fit();
        body.locals.shrink_to_fit();
        source_map.shrink_to_fit();
        Lowered { body: Arc::new(body), source_map, findings }
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

    /// Reports something.
    fn refuse(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        let message = message.into();
        self.out.findings.push(LoweringFinding { code, range, message, related: None });
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
        self.types.scopes.declare(name, local, binding == Binding::Const);
        local
    }

    /// What a name that is no local stands for.
    fn resolve(&self, name: &Name) -> Option<Resolution<'db>> {
        resolve_name(self.db, self.module, name.clone())
    }
}
