//! What was likely meant by a name that stands for nothing here, and what is done here in place of a method that
//! other languages have.

use neuro_db::Name;
use neuro_hir::{
    Container, Expr, ExprId, HeadSource, IndexArg, Item, Resolution, functions_of, resolve_name,
    shown_elsewhere,
};

use super::Context;
use super::method::MethodCall;
use crate::traits::impls;
use crate::{DefKind, Finding, MemberOf, Place, Remedy, Ty, fn_sig};

/// How many methods a message lists.
const LISTED: usize = 12;

impl Context<'_> {
    /// Says how a name is written that a method knows as a field or a method of `self`, or that an imported module
    /// shows; none if it is neither.
    pub(super) fn elsewhere(&self, finding: &Finding, expr: ExprId, name: &str) -> Option<Finding> {
        let called = self.is_called(expr);
        let place = finding.place;
        let finding = || finding.clone();
        let before = |finding: Finding, prefix: &str| {
            let title = format!("write `{prefix}{name}`");
            match self.is_shorthand(expr, name) {
                true => finding,
                false => finding.remedy(Remedy::InsertBefore(place, title, prefix.to_owned())),
            }
        };
        let receiver = self.body.receiver;
        let own = match receiver.and_then(|local| self.locals.get(local)) {
            Some(ty) => Some(self.resolved(ty)),
            None => self.env.self_ty(),
        };
        if let (Some(Ty::Adt { def, .. }), Some(_), false) =
            (own.as_ref().map(Ty::peeled), receiver, called)
            && self.fields_of(def).iter().any(|field| field.name == *name)
        {
            let note = format!("a field is read through the receiver: `self.{name}`");
            return Some(before(finding().note(note), "self."));
        }
        if let (Some(own), true) = (&own, called) {
            let members = crate::methods::associated(&self.env, own.peeled(), name);
            if let Some(function) = members.first().and_then(|found| found.item()) {
                let method = fn_sig(self.db, function).receiver.is_some();
                return Some(match (method, receiver) {
                    (true, Some(_)) => {
                        let note = format!("it is a method: `self.{name}(..)`");
                        before(finding().note(note), "self.")
                    }
                    (true, None) => finding()
                        .note(format!("it is a method, and is called on a value: `x.{name}(..)`")),
                    (false, _) => {
                        let note = format!("it is a function of the type: `Self::{name}(..)`");
                        before(finding().note(note), "Self::")
                    }
                });
            }
        }
        if let Some(path) = shown_elsewhere(self.db, self.module, &Name::from(name)) {
            let finding = finding().note(format!("`{path}` is what an imported module has"));
            let title = format!("write `{path}`");
            return Some(match self.is_shorthand(expr, name) {
                true => finding,
                false => finding.remedy(Remedy::Replace(place, title, path)),
            });
        }
        let of = called.then(|| self.type_with_method(name)).flatten()?;
        Some(finding().note(format!("`{of}` has a method of this name: `x.{name}(..)`")))
    }

    /// Whether an expression may be the value of a field that is written by its name alone.
    fn is_shorthand(&self, expr: ExprId, name: &str) -> bool {
        self.body.exprs.values().any(|other| match other {
            Expr::StructLit { fields, .. } => {
                fields.iter().any(|field| field.value == expr && field.name == *name)
            }
            _ => false,
        })
    }

    /// A type of the file with a method of a name.
    fn type_with_method(&self, name: &str) -> Option<Ty> {
        let blocks = impls::blocks(self.db, self.module.file(self.db)).iter();
        blocks.copied().find_map(|block| {
            let own = functions_of(self.db, block.file(self.db), Container::Impl(block));
            let found = own.iter().find(|function| function.name(self.db) == name)?;
            let ty = &crate::impl_header(self.db, block).self_ty;
            let method = fn_sig(self.db, *found).receiver.is_some();
            (method && !ty.is_wrong()).then(|| ty.clone())
        })
    }

    /// Says what is done in place of a method that a type does not have, if other languages have it.
    pub(super) fn in_place_of(
        &self,
        finding: &Finding,
        method: &MethodCall<'_>,
        found: &Ty,
    ) -> Option<Finding> {
        let MethodCall { call, receiver, name, .. } = *method;
        let adapter = matches!(name.as_str(), "rev" | "step" | "map" | "filter" | "enumerate");
        if let Some(start) = self.range_ending_in(call).filter(|_| adapter) {
            let places = (Place::Expr(start), Place::Expr(receiver));
            let title = "put the range in parentheses";
            let note = format!("what follows a range needs it in parentheses: `(a..b).{name}(..)`");
            let remedy = Remedy::parenthesize(places, "", title);
            return Some(finding.clone().note(note).remedy(remedy));
        }
        instead(name, found.peeled()).map(|note| finding.clone().note(note))
    }

    /// Says which function has the name of a method that is none, or which methods there are.
    pub(super) fn what_there_is(&self, finding: Finding, name: &Name, found: &Ty) -> Finding {
        if let Some(Resolution::Item(Item::Function(function))) =
            resolve_name(self.db, self.module, name.clone())
            && !fn_sig(self.db, function).params.is_empty()
        {
            return finding.note(format!(
                "`{name}` is a function: what it is about stands in its parentheses"
            ));
        }
        let rows = MemberOf::of(found).into_iter().flat_map(MemberOf::rows);
        let rows: Vec<String> = rows.map(|row| format!("`.{}()`", row.name)).collect();
        match found.peeled() {
            Ty::Text | Ty::Array { .. } | Ty::Slice(_) | Ty::Collection { .. }
                if !rows.is_empty() && rows.len() <= LISTED =>
            {
                finding.note(format!("its methods are {}", rows.join(", ")))
            }
            _ => finding,
        }
    }

    /// Where the range begins that an expression ends.
    fn range_ending_in(&self, last: ExprId) -> Option<ExprId> {
        self.body.exprs.values().find_map(|expr| match expr {
            Expr::Range { start: Some(start), end: Some(end), .. } if *end == last => Some(*start),
            Expr::For { head, .. } => match head.source {
                HeadSource::Range { start, end, .. } if end == last => Some(start),
                HeadSource::Range { .. } | HeadSource::Expr(_) => None,
            },
            Expr::Index { args, .. } => args.iter().find_map(|arg| match arg {
                IndexArg::Range { start: Some(start), end: Some(end), .. } if *end == last => {
                    Some(*start)
                }
                IndexArg::Range { .. } | IndexArg::At(_) => None,
            }),
            _ => None,
        })
    }
}

/// What is done here in place of a method of other languages on values of a type.
fn instead(name: &str, ty: &Ty) -> Option<String> {
    let fixed = |text: &str| Some(text.to_owned());
    match ty {
        Ty::Array { .. } | Ty::Slice(_) | Ty::Collection { .. } => match name {
            "map" | "filter" | "enumerate" => Some(format!(
                "`.{name}(..)` stands in the head of a `for` only: `for x in xs.{name}(..)`"
            )),
            "rev" | "reverse" | "reversed" | "step" | "step_by" => fixed(
                "a range walks backwards and in steps: `for i in (0..xs.len()).rev() { .. xs[i] .. }`",
            ),
            "iter" | "into_iter" | "iter_mut" | "forEach" | "for_each" => {
                fixed("`for x in xs` walks it as it is")
            }
            "is_empty" | "isEmpty" | "empty" => fixed("compare its length: `xs.len() == 0`"),
            "first" | "front" => fixed("the first element is `xs[0]`"),
            "last" | "back" => fixed("the last element is `xs[xs.len() - 1]`"),
            "sum" | "fold" | "reduce" | "any" | "all" | "find" | "index" | "index_of"
            | "indexOf" | "includes" | "join" => {
                fixed("a `for` over the elements does this; tensors have `.sum()` and its like")
            }
            "sort" | "sorted" => {
                fixed("tensors have `.sort()`; a `BTreeMap` keeps its keys in order")
            }
            _ => None,
        },
        Ty::Adt { def, .. } if def.kind() == DefKind::Enum => match (def.name().as_str(), name) {
            ("Option" | "Result", "unwrap" | "expect" | "unwrap_or_else") => fixed(
                "`x ?? panic(\"..\")` takes what it holds, or ends the program; `?` hands the failure on",
            ),
            ("Option" | "Result", "unwrap_or" | "unwrap_or_default" | "or" | "orElse") => {
                fixed("`x ?? other` takes what it holds, or else something other")
            }
            (
                "Option" | "Result",
                "map" | "and_then" | "map_err" | "ok_or" | "ok" | "err" | "flatten" | "filter",
            ) => fixed("`match` looks at what it holds; `?` takes it, and hands the failure on"),
            ("Option", "is_some" | "is_none" | "has_value") => fixed(
                "`match` asks whether it holds something: `match x { Some(_) => true, None => false }`",
            ),
            ("Result", "is_ok" | "is_err") => fixed(
                "`match` asks whether it failed: `match x { Ok(_) => true, Err(_) => false }`",
            ),
            _ => None,
        },
        Ty::Text => match name {
            "char_indices" => fixed("`.char_indices()` stands in the head of a `for` only"),
            "is_empty" | "isEmpty" => fixed("compare its length: `text.len() == 0`"),
            "to_string" | "to_owned" | "into" | "as_str" => {
                fixed("text is what it is; `.clone()` makes a copy of its own")
            }
            "format" => fixed("values are shown in the holes of a text: `\"{x}\"`"),
            "append" | "push" | "push_str" | "concat" => {
                fixed("text is joined by `+`; a `StringBuilder` grows by `.push_str(..)`")
            }
            "bytes" | "iter" | "characters" => fixed("`.chars()` gives the characters"),
            _ => None,
        },
        Ty::Scalar(_) | Ty::Char | Ty::Var(_) => match name {
            "to_string" | "toString" | "str" | "format" => {
                fixed("a hole of a text shows it: `\"{x}\"`")
            }
            "to_f32" | "to_f64" | "to_int" | "to_float" | "astype" | "into" | "try_into" => {
                fixed("`as` converts numbers: `x as f64`")
            }
            "shl" | "shift_left" => fixed("`<<` shifts to the left"),
            _ => None,
        },
        _ => None,
    }
}
