//! Conditions on constant parameters behind `where`: whether they hold for what an item is applied to.

use neuro_db::Db;
use neuro_hir::{Item, Predicate};
use neuro_num::{DType, Scalar};

use crate::evaluate::{NotConstant, evaluate};
use crate::generic_params::{GenericKind, generics, written};
use crate::walk::shown;
use crate::{Extent, GenericArg, Ty};

/// A condition that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// Which part of the `where` clause it is; none where a number is no value of its parameter's type.
    pub index: Option<usize>,
    /// What is wrong, with the values of the parameters.
    pub message: String,
}

/// Why an integer is no value of a type; none if it is one.
pub(crate) fn misfit(dtype: DType, value: i128) -> Option<String> {
    let (min, max) = dtype.int_range()?;
    if (min..=max).contains(&value) {
        return None;
    }
    Some(if value < 0 && min == 0 {
        format!("`{value}` is negative, and `{dtype}` has no negative values")
    } else {
        format!("`{value}` does not fit `{dtype}`, whose values go from {min} to {max}")
    })
}

/// The conditions of an item that do not hold for what it is applied to. One over extents that are not known is
/// left out.
pub fn unmet(db: &dyn Db, item: Item<'_>, args: &[GenericArg]) -> Vec<Unmet> {
    let Some(written) = written(db, item) else { return Vec::new() };
    let generics = generics(db, item);
    let value = |index: u32| {
        let GenericArg::Const(Extent::Known(extent)) = args.get(index as usize)? else {
            return None;
        };
        match &generics.params.get(index as usize)?.kind {
            GenericKind::Const { ty: Ty::Scalar(dtype) } => {
                Scalar::int(*dtype, i128::from(*extent))
            }
            GenericKind::Const { .. } | GenericKind::Type { .. } => None,
        }
    };
    let mut found: Vec<Unmet> = generics
        .params
        .iter()
        .zip(args)
        .filter_map(|(param, arg)| match (&param.kind, arg) {
            (GenericKind::Const { ty: Ty::Scalar(dtype) }, GenericArg::Const(extent)) => {
                let message = misfit(*dtype, i128::from(extent.known()?))?;
                Some(format!("`{}` of `{}`: {message}", param.name, item.name(db)))
            }
            _ => None,
        })
        .map(|message| Unmet { index: None, message })
        .collect();
    for (index, predicate) in written.predicates.iter().enumerate() {
        let Predicate::Condition(body) = predicate else { continue };
        let inference = crate::condition(db, item, index);
        let Some(root) = body.root.filter(|_| inference.findings.is_empty()) else { continue };
        let problem = match evaluate(body, inference, root, &value) {
            Ok(value) if value.as_bool() == Some(false) => "does not hold".to_owned(),
            Ok(_) | Err(NotConstant::Construct(_) | NotConstant::Reported) => continue,
            Err(NotConstant::Arithmetic(_, error)) => format!("cannot be computed: {error}"),
        };
        let with: Vec<String> = generics
            .params
            .iter()
            .zip(args)
            .filter_map(|(param, arg)| match arg {
                GenericArg::Const(extent) => Some(format!("`{}` is {extent}", param.name)),
                GenericArg::Type(_) => None,
            })
            .collect();
        let (condition, name) = (shown(body, root), item.name(db));
        let with = with.join(", ");
        let message = format!("`{condition}`, a condition of `{name}`, {problem}: {with}");
        found.push(Unmet { index: Some(index), message });
    }
    found
}
