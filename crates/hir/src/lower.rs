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

use neuro_db::codes::{self, Code};
use neuro_db::{Db, Name};
use neuro_syntax::AstNode;
use neuro_syntax::ast::{self, Node};
use text_size::TextRange;

use crate::header::params;
use crate::path_map::PathMap;
use crate::{
    Binding, Body, Const, Expr, ExprId, Function, Local, LocalId, Module, Resolution, SourceMap,
    resolve_name, tree,
};
use closure::Frame;
use control::LoopAround;
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

/// Where the parts of a body stand, and what was refused in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Places {
    pub(crate) source_map: SourceMap,
    pub(crate) findings: Vec<LoweringFinding>,
}

/// The body of a function. Equal after an edit of white space or comments.
#[salsa::tracked]
pub fn body<'db>(db: &'db dyn Db, function: Function<'db>) -> Body {
    lower_function(db, function, false).body()
}

/// The value of a constant, as a body without parameters.
#[salsa::tracked]
pub fn const_body<'db>(db: &'db dyn Db, constant: Const<'db>) -> Body {
    lower_const(db, constant, false).body()
}

/// Where the parts of a function's body stand. Asked for only where a place is shown, and made by lowering the body
/// again: what is well is never shown, and the places take as much memory as the body itself.
#[salsa::tracked]
pub(crate) fn function_places<'db>(db: &'db dyn Db, function: Function<'db>) -> Places {
    lower_function(db, function, true).places()
}

/// Where the parts of a constant's value stand.
#[salsa::tracked]
pub(crate) fn const_places<'db>(db: &'db dyn Db, constant: Const<'db>) -> Places {
    lower_const(db, constant, true).places()
}

/// Whether lowering a function's body refused nothing.
pub fn is_lowered<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    !body(db, function).refused
}

fn lower_function<'db>(db: &'db dyn Db, function: Function<'db>, with_places: bool) -> Lowered {
    let Some(func) = ast::Func::cast(tree::node(function.source(db))) else {
        return Lowered::default();
    };
    let mut lowering = Lowering::new(db, function.module(db), with_places);
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

fn lower_const<'db>(db: &'db dyn Db, constant: Const<'db>, with_places: bool) -> Lowered {
    let Some(item) = ast::Const::cast(tree::node(constant.source(db))) else {
        return Lowered::default();
    };
    let mut lowering = Lowering::new(db, constant.module(db), with_places);
    lowering.out.body.root = item.value().map(|value| lowering.lower_expr(&value));
    lowering.finish()
}

/// A condition of a `where` clause, as a body without parameters.
pub(crate) fn condition<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    expr: &ast::Expr,
) -> (Body, SourceMap) {
    let mut lowering = Lowering::new(db, module, true);
    lowering.out.body.root = Some(lowering.lower_expr(expr));
    let Lowered { body, source_map, .. } = lowering.finish();
    (body, source_map.unwrap_or_default())
}

/// The walk over one body.
struct Lowering<'db> {
    db: &'db dyn Db,
    module: Module<'db>,
    types: TypeLowering,
    /// The closures around what is being lowered, outermost first.
    frames: Vec<Frame>,
    /// The loops around what is being lowered, outermost first; of a closure, only its own.
    loops: Vec<LoopAround>,
    out: Lowered,
}

/// What a walk has made so far.
#[derive(Default)]
struct Lowered {
    body: Body,
    /// None if nobody wants it.
    source_map: Option<SourceMap>,
    findings: Vec<LoweringFinding>,
}

impl Lowered {
    fn body(self) -> Body {
        Body { refused: !self.findings.is_empty(), ..self.body }
    }

    fn places(self) -> Places {
        Places { source_map: self.source_map.unwrap_or_default(), findings: self.findings }
    }
}

impl<'db> Lowering<'db> {
    fn new(db: &'db dyn Db, module: Module<'db>, with_places: bool) -> Self {
        let paths = if with_places { PathMap::default() } else { PathMap::forgetting() };
        let types = TypeLowering::noting(paths);
        let source_map = with_places.then(SourceMap::default);
        let out = Lowered { source_map, ..Lowered::default() };
        Self { db, module, types, frames: Vec::new(), loops: Vec::new(), out }
    }

    fn finish(mut self) -> Lowered {
        for (range, message) in std::mem::take(&mut self.types.problems) {
            self.refuse(codes::SYNTAX, range, message);
        }
        self.out.body.type_uses = self.types.uses;
        if let Some(map) = &mut self.out.source_map {
            map.set_paths(self.types.paths);
            map.shrink_to_fit();
        }
        let Lowered { mut body, source_map, findings } = self.out;
        body.exprs.shrink_to_fit();
        body.pats.shrink_to_fit();
        body.locals.shrink_to_fit();
        Lowered { body, source_map, findings }
    }

    /// Notes a place, if places are wanted.
    fn note(&mut self, note: impl FnOnce(&mut SourceMap)) {
        if let Some(map) = &mut self.out.source_map {
            note(map);
        }
    }

    /// Adds an expression; `head` is the word that says what it does.
    fn alloc(&mut self, expr: Expr, whole: TextRange, head: TextRange) -> ExprId {
        let id = self.out.body.exprs.alloc(expr);
        self.note(|map| map.insert_expr(id, whole, head));
        id
    }

    /// Adds an expression that stands where `node` does.
    fn alloc_at(&mut self, expr: Expr, node: &Node, head: TextRange) -> ExprId {
        self.alloc(expr, tree::trimmed_range(node), head)
    }

    /// Adds what stands for an expression that the parser did not find in `parent`.
    fn missing(&mut self, parent: &Node) -> ExprId {
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
        self.note(|map| map.insert_local(local, range, ty));
        self.types.scopes.declare(name, local, binding == Binding::Const);
        local
    }

    /// What a name that is no local stands for.
    fn resolve(&self, name: &Name) -> Option<Resolution<'db>> {
        resolve_name(self.db, self.module, name.clone())
    }
}
