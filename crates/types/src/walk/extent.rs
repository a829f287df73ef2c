//! Numbers of positions written as expressions: constants, and sums of names that never change.

use std::collections::BTreeMap;

use neuro_hir::{BinaryOp, Binding, Expr, ExprId, Literal, LocalId, UnaryOp};

use super::Context;
use crate::{Callee, Extent, Formula, Param, Ty};

/// How deeply an expression of a bound is looked into.
const DEPTH: usize = 64;

/// A name whose value does not change while it can be seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Atom {
    /// A constant parameter.
    Param(Param),
    /// An immutable integer of the body.
    Local(LocalId),
}

/// A polynomial of such names with integer coefficients.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    /// The coefficients, not 0, of products of names; the empty product is the constant part.
    terms: BTreeMap<Vec<Atom>, i128>,
}

impl Sum {
    /// A number.
    pub(super) fn number(value: i128) -> Sum {
        let mut sum = Sum::default();
        sum.add(Vec::new(), value);
        sum
    }

    fn atom(atom: Atom) -> Sum {
        Sum { terms: BTreeMap::from([(vec![atom], 1)]) }
    }

    /// An extent as a sum; none of one that only the running program knows.
    pub(super) fn of_extent(extent: &Extent) -> Option<Sum> {
        let terms = extent.terms()?.into_iter().map(|(product, coefficient)| {
            (product.into_iter().map(Atom::Param).collect::<Vec<_>>(), coefficient)
        });
        Some(Sum { terms: terms.collect() })
    }

    fn add(&mut self, product: Vec<Atom>, coefficient: i128) -> Option<()> {
        let sum = self.terms.get(&product).copied().unwrap_or(0).checked_add(coefficient)?;
        if sum == 0 {
            self.terms.remove(&product);
        } else {
            self.terms.insert(product, sum);
        }
        Some(())
    }

    /// The sum; none when a coefficient is too large.
    pub(super) fn plus(&self, other: &Sum) -> Option<Sum> {
        let mut result = self.clone();
        for (product, coefficient) in &other.terms {
            result.add(product.clone(), *coefficient)?;
        }
        Some(result)
    }

    /// The difference; none when a coefficient is too large.
    pub(super) fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(&other.times(&Sum::number(-1))?)
    }

    fn times(&self, other: &Sum) -> Option<Sum> {
        let mut result = Sum::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut product: Vec<Atom> = left.iter().chain(right).cloned().collect();
                product.sort();
                result.add(product, a.checked_mul(*b)?)?;
            }
        }
        Some(result)
    }

    /// The number, if it is one.
    pub(super) fn constant(&self) -> Option<i128> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(0),
            (Some((product, value)), None) if product.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The extent, if it speaks of no local; none of a number below 0.
    pub(super) fn extent(&self) -> Option<Extent> {
        Extent::of_terms(self.params()?)
    }

    /// The polynomial of constant parameters, if it speaks of no local.
    pub(super) fn formula(&self) -> Option<Formula> {
        Formula::of_terms(self.params()?)
    }

    fn params(&self) -> Option<Vec<(Vec<Param>, i128)>> {
        let mut terms = Vec::new();
        for (product, coefficient) in &self.terms {
            let params: Option<Vec<Param>> = product
                .iter()
                .map(|atom| match atom {
                    Atom::Param(param) => Some(param.clone()),
                    Atom::Local(_) => None,
                })
                .collect();
            terms.push((params?, *coefficient));
        }
        Some(terms)
    }

    /// Whether it speaks of a local, so that only the running program knows it.
    pub(super) fn is_dynamic(&self) -> bool {
        self.terms.keys().flatten().any(|atom| matches!(atom, Atom::Local(_)))
    }
}

impl Context<'_> {
    /// The value of an integer expression that has been inferred, as a sum of names that never change; else
    /// the part of it that is no such sum.
    pub(super) fn sum_of(&self, expr: ExprId) -> Result<Sum, ExprId> {
        self.sum_within(expr, DEPTH)
    }

    fn sum_within(&self, expr: ExprId, depth: usize) -> Result<Sum, ExprId> {
        let Some(depth) = depth.checked_sub(1) else { return Err(expr) };
        let found = match self.expr(expr) {
            Expr::Literal(Literal::Int(value, _)) => Some(Sum::number(i128::from(*value))),
            Expr::Unary { op: UnaryOp::Neg, operand } => {
                Sum::number(0).minus(&self.sum_within(*operand, depth)?)
            }
            Expr::Binary { op, lhs, rhs } => {
                let (left, right) = (self.sum_within(*lhs, depth)?, self.sum_within(*rhs, depth)?);
                match op {
                    BinaryOp::Add => left.plus(&right),
                    BinaryOp::Sub => left.minus(&right),
                    BinaryOp::Mul => left.times(&right),
                    BinaryOp::Div => divided(&left, &right, i128::checked_div),
                    BinaryOp::Rem => divided(&left, &right, i128::checked_rem),
                    BinaryOp::MatMul
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Shl => None,
                }
            }
            // What a cast does to a number that is known here is checked with the constant.
            Expr::Cast { operand, .. } if matches!(self.type_of(expr), Ty::Scalar(dtype) if dtype.is_int()) =>
            {
                let sum = self.sum_within(*operand, depth)?;
                (!sum.is_dynamic()).then_some(sum)
            }
            Expr::Local(local) => self.local_sum(*local),
            Expr::Path(_) => match self.callees.get(expr) {
                Some(Callee::ConstParam(index)) => {
                    let params = &self.env.generics().params;
                    params.get(*index as usize).map(|param| {
                        Sum::atom(Atom::Param(Param { index: *index, name: param.name.clone() }))
                    })
                }
                Some(Callee::Const(constant)) => crate::const_value(self.db, *constant)
                    .value
                    .and_then(|value| value.as_int())
                    .map(Sum::number),
                _ => None,
            },
            _ => None,
        };
        found.ok_or(expr)
    }

    fn local_sum(&self, local: LocalId) -> Option<Sum> {
        let declared = &self.body.locals[local];
        if declared.binding == Binding::Const {
            return self.const_of(local)?.as_int().map(Sum::number);
        }
        let ty = self.locals.get(local).map(|ty| self.resolved(ty))?;
        let integer = match ty {
            Ty::Scalar(dtype) => dtype.is_int(),
            Ty::Var(var) => var.is_int(),
            _ => false,
        };
        (integer && !declared.mutable && !self.is_assigned(local))
            .then(|| Sum::atom(Atom::Local(local)))
    }

    /// Whether the body assigns a local: a parameter that is passed by value may be.
    fn is_assigned(&self, local: LocalId) -> bool {
        self.body.locals[local].binding == Binding::Param
            && self.body.exprs.values().any(|expr| {
                let place = match expr {
                    Expr::Assign { place, .. } => *place,
                    Expr::Borrow { mutable: true, operand } => *operand,
                    _ => return false,
                };
                matches!(self.expr(place), Expr::Local(found) if *found == local)
            })
    }
}

/// A quotient or remainder of numbers.
fn divided(left: &Sum, right: &Sum, by: fn(i128, i128) -> Option<i128>) -> Option<Sum> {
    by(left.constant()?, right.constant()?).map(Sum::number)
}
