//! The way from ids back to text. Every range is relative to the item that holds the body.

use la_arena::ArenaMap;
use neuro_db::Db;
use text_size::{TextRange, TextSize};

use crate::lower::{const_with_source_map, function_with_source_map};
use crate::{Const, ExprId, Function, LocalId};

/// Where the expressions and locals of a body stand.
///
/// Complete for a body of the same lowering: what has an id has a range, possibly an empty one where
/// a syntax error left nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceMap {
    exprs: ArenaMap<ExprId, ExprRanges>,
    locals: ArenaMap<LocalId, LocalRanges>,
    cast_types: ArenaMap<ExprId, TextRange>,
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

impl SourceMap {
    /// The whole expression.
    pub fn expr(&self, expr: ExprId) -> TextRange {
        self.exprs.get(expr).map(|ranges| ranges.whole).unwrap_or_default()
    }

    /// The word that says what the expression does: the name of a method or of what is called, the
    /// token of an operator, the brackets of an index, the keyword, or the label of a jump. The whole
    /// expression when it is one word.
    pub fn head(&self, expr: ExprId) -> TextRange {
        self.exprs.get(expr).map(|ranges| ranges.head).unwrap_or_default()
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

    /// The type that a cast names, or that a turbofish gives to an associated function.
    pub fn written_type(&self, expr: ExprId) -> Option<TextRange> {
        self.cast_types.get(expr).copied()
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

    pub(crate) fn insert_local(&mut self, local: LocalId, name: TextRange, ty: Option<TextRange>) {
        self.locals.insert(local, LocalRanges { name, ty });
    }

    pub(crate) fn insert_written_type(&mut self, expr: ExprId, range: TextRange) {
        self.cast_types.insert(expr, range);
    }
}

/// Where the parts of a function's body stand.
pub fn source_map<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db SourceMap {
    &function_with_source_map(db, function).source_map
}

/// Where the parts of a constant's value stand.
pub fn const_source_map<'db>(db: &'db dyn Db, constant: Const<'db>) -> &'db SourceMap {
    &const_with_source_map(db, constant).source_map
}
