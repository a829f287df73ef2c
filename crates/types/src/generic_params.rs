//! The generic parameters that are visible in an item.
//!
//! They are numbered through: those of the `impl` or trait around come first (`Self` of a trait is its
//! number 0), then those that are written, then those that a header only implies: a name in a shape that
//! stands for nothing else is a constant parameter, and each `impl Trait` among the parameters a type.

use neuro_db::{Db, Name, codes};
use neuro_hir::{
    Container, Extent as Written, Function, Item, Module, Predicate, TypeArg, TypeRef,
};
use neuro_num::DType;

use crate::lower::{Env, Lowered, Problem, Site};
use crate::{Bound, Extent, Finding, GenericArg, Param, Place, TraitDef, Ty};

/// The generic parameters of an item, those around it included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Generics {
    /// The parameters, in the order of their numbers.
    pub params: Vec<GenericParam>,
    /// How many of them belong to the `impl` block or trait around.
    pub outer: usize,
    /// How many are written or stand around; what follows is implied by the header.
    pub written: usize,
    /// The numbers of those of which a bound is not understood.
    pub unclear: Vec<u32>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// A generic parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericParam {
    /// Its name; of an `impl Trait`, these words.
    pub name: Name,
    /// What it stands for.
    pub kind: GenericKind,
}

/// What a generic parameter stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GenericKind {
    /// A type.
    Type {
        /// What it is known to be.
        bounds: Vec<Bound>,
    },
    /// A constant of this type, an integer.
    Const {
        /// Its type.
        ty: Ty,
    },
}

impl Generics {
    /// The parameter of a name: the innermost, if there are several.
    pub fn find(&self, name: &str) -> Option<(Param, &GenericParam)> {
        let index = self.params.iter().rposition(|param| param.name == name)?;
        let found = self.params.get(index)?;
        Some((Param { index: index as u32, name: found.name.clone() }, found))
    }

    /// The parameter of a number.
    pub fn get(&self, param: &Param) -> Option<&GenericParam> {
        self.params.get(param.index as usize)
    }

    /// What is known of a type parameter.
    pub fn bounds(&self, param: &Param) -> &[Bound] {
        match self.get(param) {
            Some(GenericParam { kind: GenericKind::Type { bounds }, .. }) => bounds,
            Some(GenericParam { kind: GenericKind::Const { .. }, .. }) | None => &[],
        }
    }

    /// The parameters as the arguments of their own item: what it is applied to inside of itself.
    pub fn own_args(&self) -> Vec<GenericArg> {
        self.params
            .iter()
            .enumerate()
            .map(|(index, param)| {
                let named = Param { index: index as u32, name: param.name.clone() };
                match param.kind {
                    GenericKind::Type { .. } => GenericArg::Type(Ty::Param(named)),
                    GenericKind::Const { .. } => GenericArg::Const(Extent::Param(named)),
                }
            })
            .collect()
    }
}

/// The generic parameters of an item.
#[salsa::tracked]
pub fn generics<'db>(db: &'db dyn Db, item: Item<'db>) -> Generics {
    let mut building = Building::new(db, item);
    if let Item::Function(function) = item {
        let around = match function.container(db) {
            Container::Module(_) => None,
            Container::Impl(block) => Some(generics(db, Item::Impl(block))),
            Container::Trait(item) => Some(generics(db, Item::Trait(item))),
        };
        if let Some(around) = around {
            building.result.params.clone_from(&around.params);
            building.result.unclear.clone_from(&around.unclear);
            building.result.outer = around.params.len();
        }
    }
    if let Item::Trait(found) = item {
        let of_trait = TraitDef::Item(crate::Def::of_trait(db, found));
        let bounds = vec![Bound { of_trait, assoc: Vec::new() }];
        let kind = GenericKind::Type { bounds };
        building.result.params.push(GenericParam { name: Name::new_static("Self"), kind });
    }
    let Some(written) = written(db, item) else { return building.result };
    building.names(written);
    if let Item::Function(function) = item {
        building.implied(function);
    }
    building.bounds(written);
    building.result
}

/// The generic parameters of an item as written.
pub(crate) fn written<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<&'db neuro_hir::Generics> {
    Some(match item {
        Item::Function(function) => &neuro_hir::signature(db, function).generics,
        Item::Struct(item) => &neuro_hir::struct_data(db, item).generics,
        Item::Enum(item) => &neuro_hir::enum_data(db, item).generics,
        Item::Trait(item) => &neuro_hir::trait_data(db, item).generics,
        Item::Impl(block) => &neuro_hir::impl_data(db, block).generics,
        Item::Const(_) | Item::Newtype(_) | Item::Alias(_) => return None,
    })
}

struct Building<'db> {
    db: &'db dyn Db,
    module: Module<'db>,
    item: Item<'db>,
    result: Generics,
    /// The number of each written parameter; none of a lifetime.
    numbers: Vec<Option<usize>>,
}

impl<'db> Building<'db> {
    fn new(db: &'db dyn Db, item: Item<'db>) -> Self {
        let module = item.module(db);
        Self { db, module, item, result: Generics::default(), numbers: Vec::new() }
    }

    fn report(&mut self, finding: Finding) {
        self.result.findings.push(finding);
    }

    /// The parameters as written, without what is known of them.
    fn names(&mut self, written: &neuro_hir::Generics) {
        let extents = self.extents();
        for (index, param) in written.params.iter().enumerate() {
            let name = param.name().clone();
            let kind = match param {
                neuro_hir::GenericParam::Lifetime(_) => {
                    self.numbers.push(None);
                    continue;
                }
                // In the list of a function, a bare name that stands in a shape is short for a constant.
                neuro_hir::GenericParam::Type { bounds, .. }
                    if bounds.is_empty() && extents.contains(&name) =>
                {
                    GenericKind::Const { ty: Ty::Scalar(DType::U32) }
                }
                neuro_hir::GenericParam::Type { .. } => GenericKind::Type { bounds: Vec::new() },
                neuro_hir::GenericParam::Const { ty, .. } => {
                    GenericKind::Const { ty: self.const_type(index, ty) }
                }
            };
            self.numbers.push(Some(self.result.params.len()));
            self.result.params.push(GenericParam { name, kind });
        }
        self.result.written = self.result.params.len();
    }

    /// The type of a constant parameter, which is an integer type.
    fn const_type(&mut self, index: usize, written: &TypeRef) -> Ty {
        let env = Env::new(self.db, self.module, &self.result, Site::Constant);
        let Lowered { ty, problems, .. } = env.lower(written);
        self.problems(problems, Place::GenericParamType(index));
        match ty {
            Ty::Scalar(dtype) if dtype.is_int() => ty,
            Ty::Error => Ty::Error,
            other => {
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::GenericParamType(index),
                    format!("a constant parameter is an integer, not `{other}`"),
                ));
                Ty::Error
            }
        }
    }

    fn problems(&mut self, problems: Vec<Problem>, whole: Place) {
        let findings = problems.into_iter().map(|problem| problem.finding(whole, true));
        self.result.findings.extend(findings);
    }

    /// The names in the shapes of a function's header.
    fn extents(&self) -> Vec<Name> {
        let mut names = Vec::new();
        if let Item::Function(function) = self.item {
            let header = neuro_hir::signature(self.db, function);
            let types = header.params.iter().map(|param| &param.ty).chain(&header.ret);
            types.for_each(|ty| shape_names(ty, &mut names));
        }
        names
    }

    /// What the header of a function implies.
    fn implied(&mut self, function: Function<'db>) {
        let header = neuro_hir::signature(self.db, function);
        for name in self.extents() {
            let known = self.result.find(&name).is_some()
                || neuro_hir::resolve_name(self.db, self.module, name.clone()).is_some();
            if !known {
                let kind = GenericKind::Const { ty: Ty::Scalar(DType::U32) };
                self.result.params.push(GenericParam { name, kind });
            }
        }
        for param in &header.params {
            let mut bounds = Vec::new();
            impl_bounds(&param.ty, &mut bounds);
            for _ in bounds {
                let name = Name::new_static("impl Trait");
                let kind = GenericKind::Type { bounds: Vec::new() };
                self.result.params.push(GenericParam { name, kind });
            }
        }
    }

    /// What is known of the type parameters.
    fn bounds(&mut self, written: &neuro_hir::Generics) {
        let mut found: Vec<(usize, Vec<&neuro_hir::Bound>, Place)> = Vec::new();
        for (index, param) in written.params.iter().enumerate() {
            let Some(number) = self.numbers.get(index).copied().flatten() else { continue };
            if let neuro_hir::GenericParam::Type { bounds, .. } = param {
                found.push((number, bounds.iter().collect(), Place::GenericParam(index)));
            }
        }
        for (index, predicate) in written.predicates.iter().enumerate() {
            let Predicate::Bounds { name, bounds } = predicate else { continue };
            match self.result.find(name) {
                Some((param, GenericParam { kind: GenericKind::Type { .. }, .. })) => {
                    let number = param.index as usize;
                    found.push((number, bounds.iter().collect(), Place::Predicate(index)));
                }
                Some(_) => self.report(Finding::new(
                    codes::BOUND,
                    Place::PredicateName(index),
                    format!("`{name}` is a constant, and only types have traits"),
                )),
                None => self.report(Finding::new(
                    codes::UNDECLARED,
                    Place::PredicateName(index),
                    format!("there is no type parameter `{name}`"),
                )),
            }
        }
        if let Item::Function(function) = self.item {
            let header = neuro_hir::signature(self.db, function);
            let mut number = self.result.params.len();
            let mut implied = Vec::new();
            for (index, param) in header.params.iter().enumerate() {
                let mut bounds = Vec::new();
                impl_bounds(&param.ty, &mut bounds);
                implied.extend(bounds.into_iter().map(|bound| (bound, index)));
            }
            for (bound, index) in implied.into_iter().rev() {
                number -= 1;
                found.push((number, vec![bound], Place::ParamType(index)));
            }
        }
        for (number, bounds, whole) in found {
            for bound in bounds {
                let env = Env::new(self.db, self.module, &self.result, Site::Item);
                let (bound, problems) = env.lower_bound(bound);
                self.problems(problems, whole);
                let Some(bound) = bound else {
                    self.result.unclear.push(number as u32);
                    continue;
                };
                if let Some(GenericParam { kind: GenericKind::Type { bounds }, .. }) =
                    self.result.params.get_mut(number)
                {
                    bounds.push(bound);
                }
            }
        }
    }
}

/// The names in the shapes of a type that may be parameters, each once.
fn shape_names(ty: &TypeRef, names: &mut Vec<Name>) {
    match ty {
        TypeRef::Error | TypeRef::SelfType | TypeRef::SelfAssoc(_) => {}
        TypeRef::Path(path) => {
            for segment in &path.segments {
                for arg in segment.args.iter().flatten() {
                    match arg {
                        TypeArg::Type(ty) => shape_names(ty, names),
                        TypeArg::Shape(dims) => {
                            for dim in dims {
                                if let Written::Name(path) = &dim.extent
                                    && let Some(name) = path.as_name()
                                    && !name.is_empty()
                                    && !names.contains(name)
                                {
                                    names.push(name.clone());
                                }
                            }
                        }
                        TypeArg::Local(_)
                        | TypeArg::Int(_)
                        | TypeArg::Lifetime
                        | TypeArg::Error => {}
                    }
                }
            }
        }
        TypeRef::Ref { inner, .. } => shape_names(inner, names),
        TypeRef::Slice(elem) | TypeRef::Array { elem, .. } => shape_names(elem, names),
        TypeRef::Tuple(parts) => parts.iter().for_each(|part| shape_names(part, names)),
        TypeRef::Fn { params, ret } => {
            params.iter().for_each(|param| shape_names(param, names));
            shape_names(ret, names);
        }
        TypeRef::Dyn(bound) | TypeRef::Impl(bound) => {
            bound.bindings.iter().for_each(|(_, ty)| shape_names(ty, names));
        }
    }
}

/// The bounds of each `impl Trait` in the type of a parameter, in the order of the text.
pub(crate) fn impl_bounds<'a>(ty: &'a TypeRef, bounds: &mut Vec<&'a neuro_hir::Bound>) {
    match ty {
        TypeRef::Impl(bound) => bounds.push(bound),
        TypeRef::Ref { inner, .. } => impl_bounds(inner, bounds),
        TypeRef::Slice(elem) | TypeRef::Array { elem, .. } => impl_bounds(elem, bounds),
        TypeRef::Tuple(parts) => parts.iter().for_each(|part| impl_bounds(part, bounds)),
        TypeRef::Error
        | TypeRef::SelfType
        | TypeRef::SelfAssoc(_)
        | TypeRef::Path(_)
        | TypeRef::Fn { .. }
        | TypeRef::Dyn(_) => {}
    }
}

/// Where a bound of a parameter is written: the item whose header has it, and its place there. Both are given
/// by their numbers in [`Generics`].
pub(crate) fn bound_place<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    number: usize,
    bound: usize,
) -> Option<(Item<'db>, Place)> {
    let all = generics(db, item);
    if number < all.outer
        && let Item::Function(function) = item
    {
        return match function.container(db) {
            Container::Module(_) => None,
            Container::Impl(block) => bound_place(db, Item::Impl(block), number, bound),
            // `Self` has the trait itself.
            Container::Trait(found) => Some((Item::Trait(found), Place::ItemName)),
        };
    }
    let param = all.params.get(number)?;
    let GenericKind::Type { bounds } = &param.kind else { return None };
    let of_trait = bounds.get(bound)?.of_trait.name();
    let written = written(db, item)?;
    let listed = written.params.iter().flat_map(|found| match found {
        neuro_hir::GenericParam::Type { name, bounds } if *name == param.name => bounds.as_slice(),
        neuro_hir::GenericParam::Type { .. }
        | neuro_hir::GenericParam::Const { .. }
        | neuro_hir::GenericParam::Lifetime(_) => &[],
    });
    let asked = written.predicates.iter().flat_map(|predicate| match predicate {
        Predicate::Bounds { name, bounds } if *name == param.name => bounds.as_slice(),
        Predicate::Bounds { .. } | Predicate::Condition(_) => &[],
    });
    let mut implied = Vec::new();
    if let Item::Function(function) = item
        && number >= all.written
    {
        let header = neuro_hir::signature(db, function);
        header.params.iter().for_each(|param| impl_bounds(&param.ty, &mut implied));
        let first = all.params.len().saturating_sub(implied.len());
        let own = number.checked_sub(first).and_then(|index| implied.get(index).copied());
        implied = own.into_iter().collect();
    }
    let found = listed.chain(asked).chain(implied).find(|it| it.path.last_name() == of_trait)?;
    Some((item, Place::HeaderPath(found.path.id, crate::PathPart::Whole)))
}
