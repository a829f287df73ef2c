//! What collections can hold: values that are copied, and text; as keys, what can be looked up.
//!
//! Whether a value is copied is said by the declarations of its parts, which may speak of collections again. So
//! the types of headers only note what has to be asked, and it is asked when their diagnostics are made.

use neuro_db::{Db, codes};
use neuro_hir::PathId;
use neuro_num::DType;

use crate::lower::At;
use crate::{Collection, DefKind, Finding, Generics, Place, Ty, is_copy};

/// A collection that is written somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    kind: Collection,
    args: Vec<Ty>,
    path: PathId,
    segment: usize,
}

impl Content {
    pub(crate) fn new(kind: Collection, args: &[Ty], path: PathId, segment: usize) -> Self {
        Self { kind, args: args.to_vec(), path, segment }
    }

    /// What is wrong with it, if anything is; `header` says whether it stands in a header.
    pub(crate) fn finding(
        &self,
        db: &dyn Db,
        generics: &Generics,
        header: bool,
    ) -> Option<Finding> {
        let at = |arg: usize| At::Arg(self.path, self.segment, arg).place(Place::ItemName, header);
        let name = self.kind.name();
        let keyed = matches!(self.kind, Collection::HashMap | Collection::BTreeMap);
        if let Some(Ty::Scalar(dtype)) = self.args.first().filter(|_| keyed)
            && dtype.is_float()
        {
            let asks = if self.kind == Collection::HashMap { "Hashable" } else { "Comparable" };
            let ordered = if *dtype == DType::F32 { "OrderedF32" } else { "OrderedF64" };
            let finding = Finding::new(
                codes::BOUND,
                at(0),
                format!("`{dtype}` is no key of a `{name}`: it is not `{asks}`"),
            );
            return Some(finding.note(format!("a `BTreeMap<{ordered}, ..>` has floats as keys")));
        }
        let held = self.args.iter().enumerate();
        let (index, wrong) = held.into_iter().find(|(_, arg)| {
            // A type parameter is asked where it is known.
            let open =
                matches!(arg, Ty::Error | Ty::Text | Ty::Var(_) | Ty::Param(_) | Ty::Assoc(_));
            !open && !is_copy(db, generics, arg)
        })?;
        let finding = Finding::new(
            codes::BOUND,
            at(index),
            format!(
                "a `{name}` holds what is copied, and text: `{wrong}` is neither `Copy` nor text"
            ),
        );
        Some(match wrong {
            Ty::Adt { def, .. } if def.kind() == DefKind::Struct => finding
                .note(format!("`@derive(Copy)` makes `{}` copied if its fields are", def.name())),
            _ => finding.note("keep such values in an array, or their parts in collections"),
        })
    }
}
