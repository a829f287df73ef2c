//! Types that are still open: those of number literals, until something says which they have.

use neuro_num::DType;

use crate::Ty;

/// A type during inference.
///
/// Only a number can be open, and it is never inside another type: what would enclose it fixes it first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// A type.
    Known(Ty),
    /// The type of literals without a suffix.
    Number(NumberId),
}

impl Type {
    pub(super) const ERROR: Type = Type::Known(Ty::Error);
    pub(super) const NEVER: Type = Type::Known(Ty::Never);
    pub(super) const VOID: Type = Type::Known(Ty::Void);

    pub(super) fn scalar(dtype: DType) -> Type {
        Type::Known(Ty::Scalar(dtype))
    }

    pub(super) fn is(&self, ty: &Ty) -> bool {
        matches!(self, Type::Known(known) if known == ty)
    }
}

/// Names an open number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NumberId(usize);

/// What is known of an open number.
#[derive(Clone, Debug)]
enum Number {
    /// Nothing but whether it is written as a float.
    Open { float: bool },
    /// It has the type of another one.
    Same(NumberId),
    /// Its type, a scalar or an error.
    Fixed(Ty),
    /// Its type, which nothing said.
    Default(Ty),
}

/// All open numbers of a body.
#[derive(Default)]
pub(super) struct Numbers(Vec<Number>);

impl Numbers {
    /// A number about which nothing is known yet.
    pub(super) fn open(&mut self, float: bool) -> Type {
        self.0.push(Number::Open { float });
        Type::Number(NumberId(self.0.len() - 1))
    }

    /// The type as far as it is known.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        let Type::Number(mut id) = *ty else { return ty.clone() };
        loop {
            match self.0.get(id.0) {
                Some(Number::Same(other)) => id = *other,
                Some(Number::Fixed(ty) | Number::Default(ty)) => return Type::Known(ty.clone()),
                Some(Number::Open { .. }) => return Type::Number(id),
                None => return Type::ERROR,
            }
        }
    }

    /// Whether an open number is written as a float.
    pub(super) fn is_float(&self, id: NumberId) -> bool {
        matches!(self.0.get(id.0), Some(Number::Open { float: true }))
    }

    /// Fixes the type of an open number; one that is fixed already keeps its type.
    pub(super) fn fix(&mut self, id: NumberId, ty: Ty) {
        self.set(id, Number::Fixed(ty));
    }

    fn set(&mut self, id: NumberId, state: Number) {
        if let Type::Number(NumberId(root)) = self.resolve(&Type::Number(id))
            && let Some(number) = self.0.get_mut(root)
        {
            *number = state;
        }
    }

    /// Whether nothing said which type a number has.
    pub(super) fn is_default(&self, ty: &Type) -> bool {
        let Type::Number(mut id) = *ty else { return false };
        while let Some(Number::Same(other)) = self.0.get(id.0) {
            id = *other;
        }
        matches!(self.0.get(id.0), Some(Number::Default(_)))
    }

    /// Gives two open numbers one type. The first one leads: in `1 + 1 + 1` each literal then leads to
    /// the first in one step.
    pub(super) fn join(&mut self, a: NumberId, b: NumberId) {
        let (a, b) = (self.resolve(&Type::Number(a)), self.resolve(&Type::Number(b)));
        if let (Type::Number(a), Type::Number(b)) = (a, b)
            && a != b
            && let Some(number) = self.0.get_mut(b.0)
        {
            *number = Number::Same(a);
        }
    }

    /// The type, open numbers taking the one that nothing contradicts: `i32` or `f64`.
    pub(super) fn finish(&mut self, ty: &Type) -> Ty {
        match self.resolve(ty) {
            Type::Known(ty) => ty,
            Type::Number(id) => {
                let dtype = if self.is_float(id) { DType::F64 } else { DType::I32 };
                self.set(id, Number::Default(Ty::Scalar(dtype)));
                Ty::Scalar(dtype)
            }
        }
    }
}
