//! `for`: what is walked, and what each round binds.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Adapter, Expr, ExprId, ForBinding, Head, HeadSource};
use neuro_num::DType;

use super::{Context, Pending, Why};
use crate::traits::prove;
use crate::traits::walks::walk_traits;
use crate::{AssocTy, Collection, Finding, FnTy, Place, Ty};

impl Context<'_> {
    pub(super) fn infer_for(
        &mut self,
        expr: ExprId,
        label: &Option<Name>,
        binding: ForBinding,
        head: &Head,
        body: ExprId,
    ) -> Ty {
        let item = match head.source {
            HeadSource::Range { start, end, .. } => self.range_head(start, end, &head.adapters),
            HeadSource::Expr(source) => match self.char_pairs(source) {
                Some(pair) => {
                    self.bind_pair(expr, binding, head, pair);
                    self.infer_loop_body(label, body);
                    return Ty::Void;
                }
                None => self.source_head(expr, source, &head.adapters),
            },
        };
        let item = self.adapted(expr, item, &head.adapters);
        self.bind_round(expr, binding, head, item);
        self.infer_loop_body(label, body);
        Ty::Void
    }

    /// The type of the values of a range, with its stride.
    fn range_head(&mut self, start: ExprId, end: ExprId, adapters: &[Adapter]) -> Ty {
        let mut ty = self.infer_range(start, end);
        for adapter in adapters {
            let Adapter::Step(step) = adapter else { continue };
            let found = self.infer(*step, None);
            let literal = matches!(self.expr(start), Expr::Literal(_));
            ty = self.same_integer(*step, &found, &ty, if literal { end } else { start });
            self.pending.push(Pending::Step { step: *step });
        }
        self.table.finish(&ty)
    }

    /// The type of the values that something other than a range gives.
    fn source_head(&mut self, expr: ExprId, source: ExprId, adapters: &[Adapter]) -> Ty {
        for (index, adapter) in adapters.iter().enumerate() {
            let (word, step) = match adapter {
                Adapter::Rev => (".rev()", None),
                Adapter::Step(step) => (".step(..)", Some(*step)),
                Adapter::Map(_) | Adapter::Filter(_) => continue,
            };
            if let Some(step) = step {
                self.infer(step, None);
            }
            self.report(Finding::new(
                codes::MEMBER,
                Place::ForAdapter(expr, index),
                format!("`{word}` changes the walk of a range only"),
            ));
        }
        let found = self.infer(source, None);
        if self.absorbed(&found).is_some() {
            return Ty::Error;
        }
        let found = self.settled(source, &found);
        let found = self.table.finish(&found);
        match self.walked(&found) {
            Some(item) => item,
            None => {
                if found == Ty::Error {
                    return Ty::Error;
                }
                let described = self.describe(&found);
                let finding = Finding::new(
                    codes::MISMATCH,
                    Place::Expr(source),
                    format!(
                        "`for` walks ranges, arrays, slices, vectors and iterators; this is {described}"
                    ),
                );
                let owned =
                    matches!(found, Ty::Ref { .. }) && self.walked(found.peeled()).is_some();
                self.refuse(match found.peeled() {
                    _ if owned => {
                        finding.note("an iterator is used up by its walk: it is given, not lent")
                    }
                    Ty::Text => finding.note("`.chars()` gives the characters of a text"),
                    Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. } => {
                        finding.note("`.keys()` gives the keys of a map")
                    }
                    Ty::Scalar(dtype) if dtype.is_int() => {
                        finding.note("a range counts: `for i in 0..n`")
                    }
                    Ty::Tensor(_) => {
                        finding.note("count its positions: `for i in 0..n`, and read `t[i]`")
                    }
                    _ => finding,
                })
            }
        }
    }

    /// What each round gets of a walk: the elements by value; of what is only borrowed, references to those
    /// that are not copied, text excepted, which is copied.
    pub(super) fn walked(&self, ty: &Ty) -> Option<Ty> {
        let element = |elem: &Ty| {
            let copied = *elem == Ty::Text || crate::is_copy(self.db, self.env.generics(), elem);
            match ty {
                Ty::Ref { .. } if !copied => elem.clone().reference(false),
                _ => elem.clone(),
            }
        };
        match ty.peeled() {
            Ty::Array { elem, .. } | Ty::Slice(elem) => Some(element(elem)),
            Ty::Collection { kind: Collection::Vec, args } => args.first().map(element),
            Ty::Collection { kind: Collection::Chars, .. } => Some(Ty::Char),
            Ty::Adt { .. } | Ty::Param(_) | Ty::Opaque(_) if !matches!(ty, Ty::Ref { .. }) => {
                self.iterator_item(ty)
            }
            _ => None,
        }
    }

    /// What a type gives that is an `Iterator`, or that becomes one.
    fn iterator_item(&self, ty: &Ty) -> Option<Ty> {
        walk_traits(self.db, self.module).into_iter().find_map(|of_trait| {
            prove(&self.env, ty, &of_trait).ok()?;
            let name = Name::new_static("Item");
            Some(self.projected(Ty::Assoc(Arc::new(AssocTy { of: ty.clone(), of_trait, name }))))
        })
    }

    /// `text.char_indices()`, which stands in the head of a `for` alone.
    fn char_pairs(&mut self, source: ExprId) -> Option<(Ty, Ty)> {
        let Expr::MethodCall { receiver, name, args, type_args: None } = self.expr(source) else {
            return None;
        };
        if name != "char_indices" || !args.is_empty() {
            return None;
        }
        let found = self.infer(*receiver, None);
        if *self.resolved(&found).peeled() != Ty::Text {
            return None;
        }
        self.callees.insert(source, crate::Callee::Member(crate::Member::CharIndices));
        self.record(source, Ty::Void);
        Some((Ty::Scalar(DType::U64), Ty::Char))
    }

    /// What `.map` and `.filter` make of the values.
    fn adapted(&mut self, expr: ExprId, item: Ty, adapters: &[Adapter]) -> Ty {
        let mut item = item;
        for (index, adapter) in adapters.iter().enumerate() {
            match adapter {
                Adapter::Rev | Adapter::Step(_) => {}
                Adapter::Map(function) => {
                    let ret = self.fresh();
                    self.head_function(*function, &item, &ret, ".map");
                    let ret = self.table.finish(&ret);
                    item = if ret == Ty::Void {
                        self.refuse(Finding::new(
                            codes::MISMATCH,
                            Place::ForAdapter(expr, index),
                            "`.map` needs a function that gives something",
                        ))
                    } else {
                        ret
                    };
                }
                Adapter::Filter(function) => {
                    let shown = self.shown(&item);
                    self.head_function(*function, &shown, &Ty::BOOL, ".filter");
                }
            }
        }
        item
    }

    /// What a filter is given of a value: the value where it is copied, else a reference to it.
    fn shown(&self, item: &Ty) -> Ty {
        let copied = crate::is_copy(self.db, self.env.generics(), item);
        match item {
            Ty::Text | Ty::Tensor(_) | Ty::Error => item.clone(),
            _ if copied => item.clone(),
            _ => item.clone().reference(false),
        }
    }

    /// A function of a head: one parameter, the value.
    fn head_function(&mut self, function: ExprId, item: &Ty, ret: &Ty, of: &'static str) {
        self.borrowing.insert(function);
        let ty = Ty::Fn(Arc::new(FnTy { params: vec![item.clone()], ret: ret.clone() }));
        let why = Why::Value { of: Name::from(format!("`{of}`")), index: 0 };
        self.check(function, &ty, &why);
    }

    /// Binds what each round gets.
    fn bind_round(&mut self, expr: ExprId, binding: ForBinding, head: &Head, item: Ty) {
        match (binding, head.enumerate) {
            (ForBinding::One(local), false) => {
                self.locals.insert(local, item);
            }
            (ForBinding::Pair(index, local), true) => {
                self.locals.insert(index, Ty::Scalar(DType::U64));
                self.locals.insert(local, item);
            }
            (ForBinding::One(local), true) => {
                self.report(Finding::new(
                    codes::PATTERN_TYPE,
                    Place::ForBinding(expr),
                    "`.enumerate()` gives a count and a value: write `(i, x)`",
                ));
                self.locals.insert(local, Ty::Error);
            }
            (ForBinding::Pair(first, second), false) => match &item {
                // A pair that is a value is taken apart.
                Ty::Tuple(parts) if parts.len() == 2 => {
                    for (local, part) in [first, second].into_iter().zip(parts.iter()) {
                        self.locals.insert(local, part.clone());
                    }
                }
                Ty::Error => {
                    self.locals.insert(first, Ty::Error);
                    self.locals.insert(second, Ty::Error);
                }
                item => {
                    self.report(
                        Finding::new(
                            codes::PATTERN_TYPE,
                            Place::ForBinding(expr),
                            format!("each round gives one value, a `{item}`"),
                        )
                        .note("`.enumerate()` gives a count with it"),
                    );
                    self.locals.insert(first, Ty::Error);
                    self.locals.insert(second, Ty::Error);
                }
            },
        }
    }

    fn bind_pair(
        &mut self,
        expr: ExprId,
        binding: ForBinding,
        head: &Head,
        (first_ty, second_ty): (Ty, Ty),
    ) {
        if head.enumerate || !head.adapters.is_empty() {
            self.report(Finding::new(
                codes::MEMBER,
                if head.enumerate { Place::ForEnumerate(expr) } else { Place::ForAdapter(expr, 0) },
                "nothing follows `.char_indices()`",
            ));
            for adapter in &head.adapters {
                if let Adapter::Map(inner) | Adapter::Filter(inner) | Adapter::Step(inner) = adapter
                {
                    self.infer(*inner, None);
                }
            }
        }
        match binding {
            ForBinding::Pair(first, second) => {
                self.locals.insert(first, first_ty);
                self.locals.insert(second, second_ty);
            }
            ForBinding::One(local) => {
                self.report(Finding::new(
                    codes::PATTERN_TYPE,
                    Place::ForBinding(expr),
                    "`.char_indices()` gives a position and a character: write `(i, c)`",
                ));
                self.locals.insert(local, Ty::Error);
            }
        }
    }
}
