//! What inference does not know yet, and what it has found out: the unification table.
//!
//! A variable stands for a type or an extent until something says which. Variables of one class point
//! to its root, the smaller class to the larger one, so that the ways stay short however long the chain
//! `a + b + c` is (union by size: Tarjan, "Efficiency of a good but not linear set union algorithm",
//! 1975). Everything that is written is also logged, so that an attempt that fails leaves no trace.

use neuro_num::DType;

use crate::{Extent, ExtentVar, Fold, GenericArg, Shape, Ty, TyVar, VarKind};

/// What is known of a type variable.
#[derive(Clone, Debug)]
enum Known {
    /// Nothing but its kind, which the variable says; this many variables point here.
    Open { size: u32 },
    /// It is this type; or another variable, to which it points.
    Is(Ty),
    /// Nothing said what it is, and so it is this.
    Default(Ty),
}

/// A change that can be taken back.
enum Change {
    Type(u32, Known),
    Extent(u32, Option<Extent>),
}

/// All variables of a body.
#[derive(Default)]
pub(super) struct Table {
    types: Vec<Known>,
    extents: Vec<Option<Extent>>,
    log: Vec<Change>,
    /// How many attempts are under way; outside them nothing is logged.
    attempts: usize,
}

impl Table {
    /// A type about which only its kind is known.
    pub(super) fn fresh(&mut self, kind: VarKind) -> Ty {
        let id = self.types.len() as u32;
        self.types.push(Known::Open { size: 1 });
        Ty::Var(TyVar { id, kind })
    }

    /// An extent about which nothing is known.
    pub(super) fn fresh_extent(&mut self) -> Extent {
        self.extents.push(None);
        Extent::Var(ExtentVar(self.extents.len() as u32 - 1))
    }

    /// The type as far as it is known: its outermost part is a variable only if nothing is known of it.
    pub(super) fn resolve(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        loop {
            let Ty::Var(var) = ty else { return ty.clone() };
            match self.types.get(var.id as usize) {
                Some(Known::Is(known) | Known::Default(known)) => ty = known,
                Some(Known::Open { .. }) => return ty.clone(),
                None => return Ty::Error,
            }
        }
    }

    /// The type as far as it is known, in its parts too.
    pub(super) fn resolve_all(&self, ty: &Ty) -> Ty {
        if !ty.any_var() {
            return ty.clone();
        }
        ty.fold(&mut Resolve(self))
    }

    /// The extent as far as it is known.
    pub(super) fn resolve_extent(&self, extent: &Extent) -> Extent {
        let mut extent = extent;
        loop {
            let Extent::Var(var) = extent else { return extent.clone() };
            match self.extents.get(var.0 as usize) {
                Some(Some(known)) => extent = known,
                Some(None) | None => return extent.clone(),
            }
        }
    }

    /// Whether nothing said which type a literal has.
    pub(super) fn is_default(&self, ty: &Ty) -> bool {
        let mut ty = ty;
        loop {
            let Ty::Var(var) = ty else { return false };
            match self.types.get(var.id as usize) {
                Some(Known::Is(known)) => ty = known,
                Some(Known::Default(_)) => return true,
                Some(Known::Open { .. }) | None => return false,
            }
        }
    }

    /// Says what a variable is; one of which that is known already stays what it is.
    pub(super) fn fix(&mut self, var: TyVar, ty: Ty) {
        if let Ty::Var(root) = self.resolve(&Ty::Var(var)) {
            self.set(root, Known::Is(ty));
        }
    }

    /// The type with literals that nothing decided taking `i32` or `f64`, in its parts too. Other
    /// variables stay.
    pub(super) fn finish(&mut self, ty: &Ty) -> Ty {
        let resolved = self.resolve_all(ty);
        if !resolved.any_var() {
            return resolved;
        }
        resolved.fold(&mut Defaults(self))
    }

    /// Makes an error of everything that is open in a type.
    pub(super) fn give_up(&mut self, ty: &Ty) {
        let resolved = self.resolve_all(ty);
        if resolved.any_var() {
            resolved.fold(&mut GiveUp(self));
        }
    }

    /// Makes two types one; whether that is possible. When it is not, nothing has changed.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        self.attempt(|table| table.unify_types(a, b))
    }

    /// Makes two extents one; whether that is possible.
    pub(super) fn unify_extents(&mut self, a: &Extent, b: &Extent) -> bool {
        self.attempt(|table| table.unify_lengths(a, b))
    }

    /// Runs an attempt; whatever it changed is taken back if it fails.
    pub(super) fn attempt(&mut self, attempt: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.log.len();
        self.attempts += 1;
        let succeeded = attempt(self);
        self.attempts -= 1;
        if !succeeded {
            for change in self.log.split_off(start).into_iter().rev() {
                match change {
                    Change::Type(id, before) => {
                        if let Some(slot) = self.types.get_mut(id as usize) {
                            *slot = before;
                        }
                    }
                    Change::Extent(id, before) => {
                        if let Some(slot) = self.extents.get_mut(id as usize) {
                            *slot = before;
                        }
                    }
                }
            }
        }
        if self.attempts == 0 {
            self.log.clear();
        }
        succeeded
    }

    fn set(&mut self, var: TyVar, known: Known) {
        if let Some(slot) = self.types.get_mut(var.id as usize) {
            let before = std::mem::replace(slot, known);
            if self.attempts > 0 {
                self.log.push(Change::Type(var.id, before));
            }
        }
    }

    fn unify_types(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        match (&a, &b) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Var(a), Ty::Var(b)) => self.join(*a, *b),
            (Ty::Var(var), ty) | (ty, Ty::Var(var)) => self.is(*var, ty),
            (Ty::Tensor(a), Ty::Tensor(b)) => {
                a.elem == b.elem && self.unify_shapes(&a.shape, &b.shape)
            }
            (Ty::Sparse(a), Ty::Sparse(b)) => {
                a.elem == b.elem
                    && self.unify_shapes(&a.rows, &b.rows)
                    && self.unify_shapes(&a.cols, &b.cols)
            }
            (Ty::Ref { mutable: a, inner: left }, Ty::Ref { mutable: b, inner: right }) => {
                a == b && self.unify_types(left, right)
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => self.unify_lists(a, b),
            (Ty::Array { elem: a, len: left }, Ty::Array { elem: b, len: right }) => {
                self.unify_types(a, b) && self.unify_lengths(left, right)
            }
            (Ty::Slice(a), Ty::Slice(b)) => self.unify_types(a, b),
            (Ty::Fn(a), Ty::Fn(b)) => {
                self.unify_lists(&a.params, &b.params) && self.unify_types(&a.ret, &b.ret)
            }
            (Ty::Adt { def: a, args: left }, Ty::Adt { def: b, args: right }) => {
                a == b && self.unify_args(left, right)
            }
            (Ty::Collection { kind: a, args: left }, Ty::Collection { kind: b, args: right }) => {
                a == b && self.unify_lists(left, right)
            }
            (Ty::Assoc(a), Ty::Assoc(b)) => {
                a.of_trait == b.of_trait && a.name == b.name && self.unify_types(&a.of, &b.of)
            }
            (Ty::Opaque(a), Ty::Opaque(b)) => {
                a.function == b.function && self.unify_args(&a.args, &b.args)
            }
            // What has no parts, and what differs in kind.
            _ => a == b,
        }
    }

    fn unify_lists(&mut self, a: &[Ty], b: &[Ty]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify_types(a, b))
    }

    fn unify_args(&mut self, a: &[GenericArg], b: &[GenericArg]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|pair| match pair {
                (GenericArg::Type(a), GenericArg::Type(b)) => self.unify_types(a, b),
                (GenericArg::Const(a), GenericArg::Const(b)) => self.unify_lengths(a, b),
                (GenericArg::Type(_), GenericArg::Const(_))
                | (GenericArg::Const(_), GenericArg::Type(_)) => false,
            })
    }

    /// Shapes agree when their extents do and no axis has two names.
    fn unify_shapes(&mut self, a: &Shape, b: &Shape) -> bool {
        a.rank() == b.rank()
            && a.dims().iter().zip(b.dims()).all(|(a, b)| {
                let names = match (&a.name, &b.name) {
                    (Some(a), Some(b)) => a == b,
                    (None, _) | (_, None) => true,
                };
                names && self.unify_lengths(&a.extent, &b.extent)
            })
    }

    fn unify_lengths(&mut self, a: &Extent, b: &Extent) -> bool {
        match (self.resolve_extent(a), self.resolve_extent(b)) {
            (Extent::Var(a), Extent::Var(b)) if a == b => true,
            // What only the running program knows is the value of no parameter.
            (Extent::Var(_), Extent::Dynamic) | (Extent::Dynamic, Extent::Var(_)) => true,
            (Extent::Var(var), extent) | (extent, Extent::Var(var)) => {
                if let Some(slot) = self.extents.get_mut(var.0 as usize) {
                    let before = slot.replace(extent);
                    if self.attempts > 0 {
                        self.log.push(Change::Extent(var.0, before));
                    }
                }
                true
            }
            (a, b) => a == b,
        }
    }

    /// Gives two variables one root.
    pub(super) fn join(&mut self, a: TyVar, b: TyVar) -> bool {
        if a.id == b.id {
            return true;
        }
        let size = |var: TyVar| match self.types.get(var.id as usize) {
            Some(Known::Open { size }) => *size,
            Some(Known::Is(_) | Known::Default(_)) | None => 1,
        };
        let (a_size, b_size) = (size(a), size(b));
        // What is known to be a number stays known.
        let (root, other) = match (a.kind, b.kind) {
            (VarKind::General, VarKind::Int | VarKind::Float) => (b, a),
            (VarKind::Int | VarKind::Float, VarKind::General) => (a, b),
            (VarKind::Int, VarKind::Float) | (VarKind::Float, VarKind::Int) => return false,
            _ if a_size >= b_size => (a, b),
            _ => (b, a),
        };
        let size = a_size.saturating_add(b_size);
        self.set(root, Known::Open { size });
        self.set(other, Known::Is(Ty::Var(root)));
        true
    }

    /// Says that a variable is a type, if it can be.
    fn is(&mut self, var: TyVar, ty: &Ty) -> bool {
        let fits = match (var.kind, ty) {
            (VarKind::General, ty) => !self.contains(ty, var),
            (VarKind::Int, Ty::Scalar(dtype)) => dtype.is_int(),
            (VarKind::Float, Ty::Scalar(dtype)) => dtype.is_float(),
            (VarKind::Int | VarKind::Float, _) => false,
        };
        if fits {
            self.set(var, Known::Is(ty.clone()));
        }
        fits
    }

    fn contains(&self, ty: &Ty, var: TyVar) -> bool {
        self.resolve_all(ty).any(&mut |part| matches!(part, Ty::Var(part) if part.id == var.id))
    }
}

impl Ty {
    /// Whether a part of the type is not known yet.
    pub(super) fn any_var(&self) -> bool {
        struct Search(bool);
        impl Fold for Search {
            fn ty(&mut self, ty: &Ty) -> Option<Ty> {
                self.0 = self.0 || matches!(ty, Ty::Var(_));
                self.0.then_some(Ty::Error)
            }
            fn extent(&mut self, extent: &Extent) -> Extent {
                self.0 = self.0 || matches!(extent, Extent::Var(_));
                Extent::Dynamic
            }
        }
        match self {
            Ty::Var(_) => true,
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Scalar(_)
            | Ty::Char
            | Ty::Text
            | Ty::Param(_) => false,
            _ => {
                let mut search = Search(false);
                self.fold(&mut search);
                search.0
            }
        }
    }
}

/// Replaces what is known.
struct Resolve<'a>(&'a Table);

impl Fold for Resolve<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Var(_) => match self.0.resolve(ty) {
                var @ Ty::Var(_) => Some(var),
                known => Some(self.0.resolve_all(&known)),
            },
            _ => None,
        }
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        self.0.resolve_extent(extent)
    }
}

/// Makes an error of what is not known.
struct GiveUp<'a>(&'a mut Table);

impl Fold for GiveUp<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        let Ty::Var(var) = ty else { return None };
        self.0.fix(*var, Ty::Error);
        Some(Ty::Error)
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        extent.clone()
    }
}

/// Decides what nothing else did.
struct Defaults<'a>(&'a mut Table);

impl Fold for Defaults<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        let Ty::Var(_) = ty else { return None };
        let resolved = self.0.resolve(ty);
        let Ty::Var(var) = resolved else { return Some(self.0.resolve_all(&resolved)) };
        let default = match var.kind {
            VarKind::General => return Some(resolved),
            VarKind::Int => Ty::Scalar(DType::I32),
            VarKind::Float => Ty::Scalar(DType::F64),
        };
        self.0.set(var, Known::Default(default.clone()));
        Some(default)
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        self.0.resolve_extent(extent)
    }
}
