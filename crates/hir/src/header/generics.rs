//! Generic parameters and `where` clauses as written, and where they stand.

use neuro_db::{Db, Name};
use neuro_syntax::{AstNode, ast};
use text_size::TextRange;

use crate::lower::condition;
use crate::lower::types::TypeLowering;
use crate::{Body, Bound, Module, SourceMap, TypeRef, tree};

/// The generic parameters of an item, and what its `where` clause asks of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Generics {
    /// The parameters.
    pub params: Vec<GenericParam>,
    /// The parts of the `where` clause.
    pub predicates: Vec<Predicate>,
}

/// A generic parameter as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GenericParam {
    /// `'a`, which says nothing more.
    Lifetime(Name),
    /// `T: A + B`.
    Type {
        /// The name.
        name: Name,
        /// The bounds behind the colon.
        bounds: Vec<Bound>,
    },
    /// `const N: u32`.
    Const {
        /// The name.
        name: Name,
        /// The type.
        ty: TypeRef,
    },
}

/// A part of a `where` clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// `T: A + B`.
    Bounds {
        /// The parameter.
        name: Name,
        /// The bounds.
        bounds: Vec<Bound>,
    },
    /// A condition over constant parameters, as a body without parameters of its own.
    Condition(Body),
}

/// Where the generic parameters of an item and its `where` clause stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GenericsRanges {
    /// The list with its angle brackets, if it is written.
    pub list: Option<TextRange>,
    /// The parameters.
    pub params: Vec<GenericParamRanges>,
    /// The word `where`, if it is written.
    pub where_word: Option<TextRange>,
    /// The parts of the `where` clause.
    pub predicates: Vec<PredicateRanges>,
}

/// Where the parts of a generic parameter stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GenericParamRanges {
    /// The whole parameter.
    pub whole: TextRange,
    /// The name, or the whole parameter if there is none.
    pub name: TextRange,
    /// The type of a constant parameter, or its name if there is none.
    pub ty: TextRange,
}

/// Where a part of a `where` clause stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PredicateRanges {
    /// The whole part.
    pub whole: TextRange,
    /// The parameter of `T: A`; the whole part of a condition.
    pub name: TextRange,
    /// Where the expressions of a condition stand.
    pub source_map: SourceMap,
}

impl GenericParam {
    /// The name; empty where a syntax error left none.
    pub fn name(&self) -> &Name {
        match self {
            GenericParam::Lifetime(name)
            | GenericParam::Type { name, .. }
            | GenericParam::Const { name, .. } => name,
        }
    }
}

impl Generics {
    /// The index of the type or constant parameter of a name. Of two with one name, the first is found.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| match param {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type { name: found, .. } | GenericParam::Const { name: found, .. } => {
                found == name
            }
        })
    }
}

/// Lowers the parameters and the clause of one item.
pub(super) fn lower<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    types: &mut TypeLowering,
    list: Option<ast::GenericParamList>,
    clause: Option<ast::WhereClause>,
) -> (Generics, GenericsRanges) {
    let mut generics = Generics::default();
    let mut ranges = GenericsRanges {
        list: list.as_ref().map(|list| tree::trimmed_range(list.syntax())),
        where_word: clause.as_ref().map(|clause| tree::token_or_first(None, clause.syntax())),
        ..GenericsRanges::default()
    };
    for param in list.into_iter().flat_map(|list| list.params()) {
        let (param, param_ranges) = lower_param(types, &param);
        generics.params.push(param);
        ranges.params.push(param_ranges);
    }
    for predicate in clause.into_iter().flat_map(|clause| clause.predicates()) {
        let (predicate, predicate_ranges) = lower_predicate(db, module, types, &predicate);
        generics.predicates.push(predicate);
        ranges.predicates.push(predicate_ranges);
    }
    (generics, ranges)
}

fn lower_param(
    types: &mut TypeLowering,
    param: &ast::GenericParam,
) -> (GenericParam, GenericParamRanges) {
    let whole = tree::trimmed_range(param.syntax());
    let named = |name: Option<ast::Name>| {
        let range = name.as_ref().map_or(whole, |name| tree::trimmed_range(name.syntax()));
        (tree::name_text(name), range)
    };
    match param {
        ast::GenericParam::Type(param) => {
            let (name, range) = named(param.name());
            let bounds = param.bounds().map(|bound| types.lower_bound(&bound)).collect();
            let ranges = GenericParamRanges { whole, name: range, ty: range };
            (GenericParam::Type { name, bounds }, ranges)
        }
        ast::GenericParam::Const(param) => {
            let (name, range) = named(param.name());
            let ty = param.ty().map_or(range, |ty| tree::trimmed_range(ty.syntax()));
            let ranges = GenericParamRanges { whole, name: range, ty };
            (GenericParam::Const { name, ty: types.lower_opt(param.ty()) }, ranges)
        }
        ast::GenericParam::Lifetime(_) => {
            let name = Name::from(tree::text(param.syntax()));
            (GenericParam::Lifetime(name), GenericParamRanges { whole, name: whole, ty: whole })
        }
    }
}

fn lower_predicate<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    types: &mut TypeLowering,
    predicate: &ast::WherePred,
) -> (Predicate, PredicateRanges) {
    let whole = tree::trimmed_range(predicate.syntax());
    if let Some(expr) = predicate.expr() {
        let (body, source_map) = condition(db, module, &expr);
        let ranges = PredicateRanges { whole, name: whole, source_map };
        return (Predicate::Condition(body), ranges);
    }
    let name = predicate.name();
    let range = name.as_ref().map_or(whole, |name| tree::trimmed_range(name.syntax()));
    let bounds = predicate.bounds().map(|bound| types.lower_bound(&bound)).collect();
    let ranges = PredicateRanges { whole, name: range, source_map: SourceMap::default() };
    (Predicate::Bounds { name: tree::name_ref_text(name), bounds }, ranges)
}
