//! Whether the types of two `impl` blocks can be one: the parameters of either stand for any type.
//!
//! Unification with one substitution for both sides (Robinson, 1965), without a check for types that contain
//! themselves: two blocks that only such a type would share count as overlapping.

use rustc_hash::FxHashMap;

use crate::{Extent, GenericArg, Ty};

/// A parameter of one of the two sides.
type Key = (bool, u32);

/// What the parameters stand for, with the side that its own parameters belong to.
#[derive(Default)]
struct Substitution {
    types: FxHashMap<Key, (bool, Ty)>,
    lengths: FxHashMap<Key, Extent>,
    /// How many steps are left before the two count as one.
    fuel: u32,
}

/// Whether some type is an instance of both.
pub(super) fn overlap(a: &Ty, b: &Ty) -> bool {
    Substitution { fuel: 10_000, ..Substitution::default() }.unify((false, a), (true, b))
}

impl Substitution {
    fn unify(&mut self, a: (bool, &Ty), b: (bool, &Ty)) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return true;
        }
        match (a, b) {
            ((a_side, Ty::Param(a)), (b_side, Ty::Param(b)))
                if a_side == b_side && a.index == b.index =>
            {
                true
            }
            ((side, Ty::Param(param)), other) | (other, (side, Ty::Param(param))) => {
                match self.types.get(&(side, param.index)).cloned() {
                    Some((known_side, known)) => self.unify((known_side, &known), other),
                    None => {
                        self.types.insert((side, param.index), (other.0, other.1.clone()));
                        true
                    }
                }
            }
            ((_, Ty::Error), _) | (_, (_, Ty::Error)) => false,
            ((a_side, a), (b_side, b)) => self.parts((a_side, a), (b_side, b)),
        }
    }

    fn parts(&mut self, (a_side, a): (bool, &Ty), (b_side, b): (bool, &Ty)) -> bool {
        match (a, b) {
            (Ty::Adt { def: a, args: left }, Ty::Adt { def: b, args: right }) => {
                a == b
                    && left.iter().zip(right.iter()).all(|pair| match pair {
                        (GenericArg::Type(a), GenericArg::Type(b)) => {
                            self.unify((a_side, a), (b_side, b))
                        }
                        (GenericArg::Const(a), GenericArg::Const(b)) => {
                            self.lengths((a_side, a), (b_side, b))
                        }
                        (GenericArg::Type(_), GenericArg::Const(_))
                        | (GenericArg::Const(_), GenericArg::Type(_)) => false,
                    })
            }
            (Ty::Collection { kind: a, args: left }, Ty::Collection { kind: b, args: right }) => {
                a == b && self.lists((a_side, left), (b_side, right))
            }
            (Ty::Ref { mutable: a, inner: left }, Ty::Ref { mutable: b, inner: right }) => {
                a == b && self.unify((a_side, left), (b_side, right))
            }
            (Ty::Tuple(left), Ty::Tuple(right)) => self.lists((a_side, left), (b_side, right)),
            (Ty::Array { elem: left, len: a }, Ty::Array { elem: right, len: b }) => {
                self.unify((a_side, left), (b_side, right))
                    && self.lengths((a_side, a), (b_side, b))
            }
            (Ty::Slice(left), Ty::Slice(right)) => self.unify((a_side, left), (b_side, right)),
            (Ty::Tensor(a), Ty::Tensor(b)) => {
                a.elem == b.elem
                    && a.shape.rank() == b.shape.rank()
                    && a.shape
                        .dims()
                        .iter()
                        .zip(b.shape.dims())
                        .all(|(a, b)| self.lengths((a_side, &a.extent), (b_side, &b.extent)))
            }
            (a, b) => a == b,
        }
    }

    fn lists(&mut self, (a_side, a): (bool, &[Ty]), (b_side, b): (bool, &[Ty])) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify((a_side, a), (b_side, b)))
    }

    fn lengths(&mut self, (a_side, a): (bool, &Extent), (b_side, b): (bool, &Extent)) -> bool {
        let known = |this: &Self, side: bool, extent: &Extent| match extent {
            Extent::Param(param) => this.lengths.get(&(side, param.index)).cloned(),
            other => Some(other.clone()),
        };
        match (known(self, a_side, a), known(self, b_side, b)) {
            (Some(a), Some(b)) => a == b,
            (None, Some(value)) => self.fix(a_side, a, value),
            (Some(value), None) => self.fix(b_side, b, value),
            (None, None) => true,
        }
    }

    fn fix(&mut self, side: bool, extent: &Extent, value: Extent) -> bool {
        if let Extent::Param(param) = extent {
            self.lengths.insert((side, param.index), value);
        }
        true
    }
}
