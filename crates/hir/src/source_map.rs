//! The way from ids back to text. Every range is relative to the item that holds the body.

use la_arena::ArenaMap;
use neuro_db::Db;
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use crate::lower::{const_places, function_places};
use crate::path_map::{ArgRanges, PathMap};
use crate::{Const, ExprId, Function, LocalId, PatId};

/// Where the expressions, patterns and locals of a body stand.
///
/// Complete for a body of the same lowering: what has an id has a range, possibly an empty one where
/// a syntax error left nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceMap {
    exprs: ArenaMap<ExprId, ExprRanges>,
    pats: ArenaMap<PatId, TextRange>,
    locals: ArenaMap<LocalId, LocalRanges>,
    written_types: FxHashMap<ExprId, TextRange>,
    /// The label of an argument and the field of a struct literal, by the value behind.
    labels: FxHashMap<ExprId, TextRange>,
    /// The field of a struct pattern, by the pattern behind.
    fields: FxHashMap<PatId, TextRange>,
    loop_labels: FxHashMap<ExprId, TextRange>,
    heads: FxHashMap<ExprId, HeadRanges>,
    turbofish: FxHashMap<ExprId, TurbofishRanges>,
    /// What stands between the brackets of an index.
    index_args: FxHashMap<ExprId, Vec<TextRange>>,
    paths: PathMap,
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ExprRanges {
    whole: TextRange,
    head: TextRange,
}

/// Where a local is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct LocalRanges {
    name: TextRange,
    ty: Option<TextRange>,
}

/// Where the parts of the head of a `for` stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeadRanges {
    /// All of it, adapters included.
    pub whole: TextRange,
    /// What is walked: the range or the expression.
    pub source: TextRange,
    /// The names of the adapters.
    pub adapters: Vec<TextRange>,
    /// The name `enumerate`, if it is there.
    pub enumerate: Option<TextRange>,
    /// The variable, or the pair.
    pub binding: TextRange,
}

/// Where the type arguments of a method call stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurbofishRanges {
    /// The list with its angle brackets.
    pub list: TextRange,
    /// The arguments.
    pub args: Vec<ArgRanges>,
}

impl SourceMap {
    /// The whole expression.
    pub fn expr(&self, expr: ExprId) -> TextRange {
        self.exprs.get(expr).map(|ranges| ranges.whole).unwrap_or_default()
    }

    /// The word that says what the expression does: the name of a method, a field or of what is called, the
    /// token of an operator, the brackets of an index, the keyword, or the label of a jump. The whole
    /// expression when it is one word.
    pub fn head(&self, expr: ExprId) -> TextRange {
        self.exprs.get(expr).map(|ranges| ranges.head).unwrap_or_default()
    }

    /// The whole pattern.
    pub fn pat(&self, pat: PatId) -> TextRange {
        self.pats.get(pat).copied().unwrap_or_default()
    }

    /// The name of a local where it is declared.
    pub fn local(&self, local: LocalId) -> TextRange {
        self.locals.get(local).map(|ranges| ranges.name).unwrap_or_default()
    }

    /// The type written at a local's declaration, or its name if there is none.
    pub fn local_type(&self, local: LocalId) -> TextRange {
        self.locals.get(local).map(|ranges| ranges.ty.unwrap_or(ranges.name)).unwrap_or_default()
    }

    /// Whether a type is written at a local's declaration.
    pub fn has_local_type(&self, local: LocalId) -> bool {
        self.locals.get(local).is_some_and(|ranges| ranges.ty.is_some())
    }

    /// The type that a cast names, that a turbofish gives to an associated function (with the type's
    /// name), or that a closure returns.
    pub fn written_type(&self, expr: ExprId) -> Option<TextRange> {
        self.written_types.get(&expr).copied()
    }

    /// The label in front of an argument, or the field in front of a value of a struct literal; none for
    /// an argument without one. Of the shorthand `S { x }` it is the value itself.
    pub fn label(&self, value: ExprId) -> Option<TextRange> {
        self.labels.get(&value).copied()
    }

    /// The field in front of a pattern of a struct pattern. Of the shorthand it is the pattern itself.
    pub fn field(&self, pat: PatId) -> Option<TextRange> {
        self.fields.get(&pat).copied()
    }

    /// Whether a local is the shorthand of a struct pattern, which names a field too.
    pub fn is_shorthand(&self, local: LocalId) -> bool {
        let name = self.local(local);
        self.fields.iter().any(|(pat, field)| *field == name && self.pat(*pat) == name)
    }

    /// The label of a loop, without its colon.
    pub fn loop_label(&self, expr: ExprId) -> Option<TextRange> {
        self.loop_labels.get(&expr).copied()
    }

    /// The parts of the head of a `for`.
    pub fn for_head(&self, expr: ExprId) -> Option<&HeadRanges> {
        self.heads.get(&expr)
    }

    /// The type arguments of a method call.
    pub fn turbofish(&self, expr: ExprId) -> Option<&TurbofishRanges> {
        self.turbofish.get(&expr)
    }

    /// A position or range between the brackets of an index.
    pub fn index_arg(&self, index: ExprId, arg: usize) -> Option<TextRange> {
        self.index_args.get(&index)?.get(arg).copied()
    }

    /// The paths of the body, those of its types included.
    pub fn paths(&self) -> &PathMap {
        &self.paths
    }

    /// The innermost expression of the character behind an offset, or else the one that ends there.
    pub fn expr_at(&self, offset: TextSize) -> Option<ExprId> {
        self.innermost(|range| range.contains(offset))
            .or_else(|| self.innermost(|range| range.end() == offset))
    }

    /// The shortest expression among those whose range fits.
    fn innermost(&self, fits: impl Fn(TextRange) -> bool) -> Option<ExprId> {
        // Operands are numbered before what uses them, so of two of one length the first is inner.
        self.exprs
            .iter()
            .filter(|(_, ranges)| !ranges.whole.is_empty() && fits(ranges.whole))
            .min_by_key(|(_, ranges)| ranges.whole.len())
            .map(|(expr, _)| expr)
    }

    /// The local that is declared at an offset, the ends of its name included.
    pub fn local_at(&self, offset: TextSize) -> Option<LocalId> {
        self.locals
            .iter()
            .find(|(_, ranges)| ranges.name.contains_inclusive(offset) && !ranges.name.is_empty())
            .map(|(local, _)| local)
    }

    pub(crate) fn insert_expr(&mut self, expr: ExprId, whole: TextRange, head: TextRange) {
        self.exprs.insert(expr, ExprRanges { whole, head });
    }

    pub(crate) fn insert_pat(&mut self, pat: PatId, range: TextRange) {
        self.pats.insert(pat, range);
    }

    pub(crate) fn insert_local(&mut self, local: LocalId, name: TextRange, ty: Option<TextRange>) {
        self.locals.insert(local, LocalRanges { name, ty });
    }

    pub(crate) fn insert_written_type(&mut self, expr: ExprId, range: TextRange) {
        self.written_types.insert(expr, range);
    }

    pub(crate) fn insert_label(&mut self, value: ExprId, range: TextRange) {
        self.labels.insert(value, range);
    }

    pub(crate) fn insert_field(&mut self, pat: PatId, range: TextRange) {
        self.fields.insert(pat, range);
    }

    pub(crate) fn insert_loop_label(&mut self, expr: ExprId, range: TextRange) {
        self.loop_labels.insert(expr, range);
    }

    pub(crate) fn insert_head(&mut self, expr: ExprId, ranges: HeadRanges) {
        self.heads.insert(expr, ranges);
    }

    pub(crate) fn insert_turbofish(&mut self, expr: ExprId, ranges: TurbofishRanges) {
        self.turbofish.insert(expr, ranges);
    }

    pub(crate) fn insert_index_args(&mut self, index: ExprId, ranges: Vec<TextRange>) {
        self.index_args.insert(index, ranges);
    }

    /// Gives back the memory that growing left over.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.exprs.shrink_to_fit();
        self.pats.shrink_to_fit();
        self.locals.shrink_to_fit();
    }

    pub(crate) fn set_paths(&mut self, paths: PathMap) {
        self.paths = paths;
    }
}

/// Where the parts of a function's body stand.
pub fn source_map<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db SourceMap {
    &function_places(db, function).source_map
}

/// Where the parts of a constant's value stand.
pub fn const_source_map<'db>(db: &'db dyn Db, constant: Const<'db>) -> &'db SourceMap {
    &const_places(db, constant).source_map
}
