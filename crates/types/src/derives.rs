//! What `@derive` gives a struct.

use neuro_hir::{Attr, AttrValue};

/// Whether the attributes of a struct derive a trait. `Copy` brings `Clone` with it.
pub(crate) fn derives(attrs: &[Attr], name: &str) -> bool {
    let named = |value: &AttrValue| match value {
        AttrValue::Name(found) => found == name || (name == "Clone" && found == "Copy"),
        _ => false,
    };
    attrs
        .iter()
        .filter(|attr| attr.name == "derive")
        .any(|attr| attr.args.iter().any(|arg| named(&arg.value)))
}
