//! Generic items applied: arguments that are written, or fresh variables that inference finds out.

use neuro_db::codes;
use neuro_hir::{ExprId, Item, Path, TypeArg};

use super::{Context, Declared, Pending};
use crate::constants::Worth;
use crate::generic_params::{GenericKind, Generics};
use crate::lower::{At, wrong_count};
use crate::methods::{Found, Which};
use crate::{
    Bound, Def, Extent, Finding, Fold, GenericArg, OpaqueTy, PathPart, Place, Ty, VarKind,
    generics, impl_header,
};

impl<'db> Context<'db> {
    /// What an item is applied to by the part of a path that names it: what is written there, or fresh
    /// variables. `outer` are the arguments of the `impl` block or trait around it. None when what is
    /// written is wrong, which is reported.
    pub(super) fn instantiate(
        &mut self,
        item: Item<'db>,
        path: &Path,
        segment: usize,
        outer: &[GenericArg],
    ) -> Option<Vec<GenericArg>> {
        let generics = generics(self.db, item);
        let mut args = outer.to_vec();
        let written = path.segments.get(segment).and_then(|part| part.args.as_deref());
        if let Some(written) = written {
            let name = path.segments.get(segment).map_or("", |part| part.name.as_str());
            let list = Place::BodyPath(path.id, PathPart::Segment(segment));
            let at = |index: usize| At::Arg(path.id, segment, index);
            self.written_args(generics, name, written, list, &at, &mut args)?;
        }
        self.fill(generics, &mut args);
        Some(args)
    }

    /// Adds the arguments that are written.
    fn written_args(
        &mut self,
        generics: &Generics,
        name: &str,
        written: &[TypeArg],
        list: Place,
        at: &dyn Fn(usize) -> At,
        args: &mut Vec<GenericArg>,
    ) -> Option<()> {
        let given: Vec<(usize, &TypeArg)> = written
            .iter()
            .enumerate()
            .filter(|(_, arg)| !matches!(arg, TypeArg::Lifetime))
            .collect();
        let own = generics.params.get(generics.outer..).unwrap_or_default();
        let named = generics.written.saturating_sub(generics.outer);
        if given.iter().any(|(_, arg)| matches!(arg, TypeArg::Error)) {
            return None;
        }
        if given.len() != own.len() && given.len() != named || own.is_empty() {
            let superfluous = given.get(own.len()).filter(|_| given.len() > named);
            let list = superfluous.map_or(list, |(index, _)| at(*index).place(list, false));
            let shown = Generics { params: own.to_vec(), ..Generics::default() };
            self.report(Finding::new(
                codes::ARGUMENTS,
                list,
                wrong_count(name, &shown, given.len()),
            ));
            return None;
        }
        for ((index, arg), param) in given.into_iter().zip(own) {
            let consts = &self.local_consts;
            let (arg, problems) =
                self.env.lower_arg(arg, &param.kind, &param.name, at(index), &mut |local| {
                    consts.get(local).and_then(Worth::as_int)
                });
            let problems = problems.into_iter().map(|problem| problem.finding(list, false));
            self.findings.extend(problems);
            args.push(arg?);
        }
        Some(())
    }

    /// Adds a fresh variable for each parameter that has no argument.
    pub(super) fn fill(&mut self, generics: &Generics, args: &mut Vec<GenericArg>) {
        for param in generics.params.iter().skip(args.len()) {
            args.push(match param.kind {
                GenericKind::Type { .. } => GenericArg::Type(self.table.fresh(VarKind::General)),
                GenericKind::Const { .. } => GenericArg::Const(self.table.fresh_extent()),
            });
        }
    }

    /// The arguments that a method call writes.
    pub(super) fn turbofish(
        &mut self,
        call: ExprId,
        item: Item<'db>,
        name: &str,
        written: Option<&[TypeArg]>,
        outer: &[GenericArg],
    ) -> Option<Vec<GenericArg>> {
        let generics = generics(self.db, item);
        let mut args = outer.to_vec();
        if let Some(written) = written {
            let list = Place::Head(call);
            let at = |index: usize| At::Place(Place::Turbofish(call, Some(index)));
            self.written_args(generics, name, written, list, &at, &mut args)?;
        }
        self.fill(generics, &mut args);
        Some(args)
    }

    /// What the block of a function is applied to when the function is one of `ty`.
    pub(super) fn method_args(&mut self, found: &Found<'db>, ty: &Ty) -> Vec<GenericArg> {
        match found.function {
            Which::OfBlock(_, block) => {
                let mut args = Vec::new();
                self.fill(generics(self.db, Item::Impl(block)), &mut args);
                let self_ty = impl_header(self.db, block).self_ty.apply(&args);
                self.table.unify(&self_ty, ty);
                args
            }
            // Of a trait, `Self` comes first.
            Which::OfTrait(_) | Which::Known(..) => vec![GenericArg::Type(ty.clone())],
        }
    }

    /// Notes what a callee is applied to; what the item asks of it is checked when all is known.
    pub(super) fn note_args(
        &mut self,
        expr: ExprId,
        item: Item<'db>,
        args: Vec<GenericArg>,
        place: Place,
    ) {
        self.note_call(expr, item, args, place, &|_| None);
    }

    /// The same, where `given` says which argument of a call a generic parameter was found from.
    pub(super) fn note_call(
        &mut self,
        expr: ExprId,
        item: Item<'db>,
        args: Vec<GenericArg>,
        place: Place,
        given: &dyn Fn(usize) -> Option<ExprId>,
    ) {
        if args.is_empty() {
            return;
        }
        let generics = generics(self.db, item);
        let name = item.name(self.db);
        for (index, (param, arg)) in generics.params.iter().zip(&args).enumerate() {
            let open = match arg {
                GenericArg::Type(ty) => self.resolved(ty).any_var(),
                GenericArg::Const(extent) => {
                    matches!(self.table.resolve_extent(extent), Extent::Var(_))
                }
            };
            if open {
                let help = if index < generics.written && index >= generics.outer {
                    format!("say it: `{name}::<..>`, or annotate what it is put in")
                } else {
                    "annotate what it is put in".to_owned()
                };
                let what = format!("`{}` of `{name}`", param.name);
                self.pending.push(Pending::Found { arg: arg.clone(), what, help, place });
            }
            let asked_by = match param.name.as_str() {
                "Self" | "impl Trait" => format!("`{name}`"),
                param => format!("`{param}` of `{name}`"),
            };
            if let (GenericKind::Type { bounds }, GenericArg::Type(ty)) = (&param.kind, arg) {
                for (nth, bound) in bounds.iter().enumerate() {
                    let bound = bound.apply(&args);
                    self.pin(ty, &bound);
                    let declared = match item {
                        Item::Function(_) => Declared::Here(Place::CalleeBound(expr, index, nth)),
                        Item::Struct(item) => Declared::There(
                            Def::of_struct(self.db, item),
                            Place::GenericParam(index),
                        ),
                        Item::Enum(item) => {
                            Declared::There(Def::of_enum(self.db, item), Place::GenericParam(index))
                        }
                        Item::Const(_)
                        | Item::Newtype(_)
                        | Item::Alias(_)
                        | Item::Trait(_)
                        | Item::Impl(_) => Declared::Nowhere,
                    };
                    self.pending.push(Pending::Bound {
                        ty: ty.clone(),
                        bound,
                        asked_by: asked_by.clone(),
                        place: given(index).map_or(place, Place::Expr),
                        declared,
                    });
                }
            }
        }
        self.pending.push(Pending::Conditions { expr, item, args: args.clone(), place });
        self.generic_args.insert(expr, args);
    }

    /// The declared result of the function whose body this is, with a variable for what it declares as
    /// `impl Trait`: the body says which type that is.
    pub(super) fn opened(&mut self, ret: &Ty) -> Ty {
        struct Open<'a, 'db> {
            context: &'a mut Context<'db>,
            bounds: Vec<(Ty, Bound)>,
        }
        impl Fold for Open<'_, '_> {
            fn ty(&mut self, ty: &Ty) -> Option<Ty> {
                let Ty::Opaque(opaque) = ty else { return None };
                let OpaqueTy { bounds, .. } = &**opaque;
                let hidden = self.context.table.fresh(VarKind::General);
                self.context.hidden.push((bounds.clone(), hidden.clone()));
                self.bounds.extend(bounds.iter().map(|bound| (hidden.clone(), bound.clone())));
                Some(hidden)
            }
            fn extent(&mut self, extent: &Extent) -> Extent {
                extent.clone()
            }
        }
        let mut open = Open { context: self, bounds: Vec::new() };
        let opened = ret.fold(&mut open);
        for (ty, bound) in open.bounds {
            self.pin(&ty, &bound);
            let asked_by = "the declared result".to_owned();
            self.pending.push(Pending::Bound {
                ty,
                bound,
                asked_by,
                place: Place::ReturnType,
                declared: Declared::Nowhere,
            });
        }
        opened
    }
}
