//! Generic parameters, bounds and `where` clauses.

use super::{Bound, NameRef, Type, TypeParam, WherePred};

impl TypeParam {
    /// The bounds behind the colon.
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + use<> {
        self.bound_list().into_iter().flat_map(|list| list.bounds())
    }
}

impl Bound {
    /// The associated types that are pinned: name and type.
    pub fn bindings(&self) -> impl Iterator<Item = (Option<NameRef>, Option<Type>)> + use<> {
        self.assoc_bindings().map(|binding| (binding.name(), binding.ty()))
    }
}

impl WherePred {
    /// The bounds of `T: A + B`.
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + use<> {
        self.bound_list().into_iter().flat_map(|list| list.bounds())
    }
}
