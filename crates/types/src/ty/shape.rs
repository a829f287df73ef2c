//! Shapes: one axis after the other, each with an extent and perhaps a name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use neuro_db::Name;

use crate::Param;

/// A shape: one axis after the other; none for rank 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape(Arc<[Dim]>);

/// An axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dim {
    /// Its name; names take part in nothing but the checks.
    pub name: Option<Name>,
    /// How many positions it has.
    pub extent: Extent,
}

/// A number of positions, or the argument for a constant parameter of a generic item.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// A number.
    Known(u64),
    /// A constant parameter of the item around.
    Param(Param),
    /// Computed from constant parameters. Never a number or a single parameter: those have variants of
    /// their own, so that equal extents are equal values.
    Formula(Arc<Formula>),
    /// `?`: known at run time only. Two of these need not be equal.
    Dynamic,
    /// Not known yet. Never outside inference.
    Var(ExtentVar),
}

/// Names an extent that inference has not found yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExtentVar(pub(crate) u32);

/// A polynomial of constant parameters with integer coefficients, in one canonical form.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Formula {
    /// The coefficient, not 0, of each product of parameters; the empty product is the constant part.
    terms: BTreeMap<Vec<Param>, i128>,
}

impl Formula {
    fn of(extent: &Extent) -> Option<Formula> {
        let mut formula = Formula::default();
        match extent {
            Extent::Known(value) => formula.add_term(Vec::new(), i128::from(*value))?,
            Extent::Param(param) => formula.add_term(vec![param.clone()], 1)?,
            Extent::Formula(formula) => return Some((**formula).clone()),
            Extent::Dynamic | Extent::Var(_) => return None,
        }
        Some(formula)
    }

    fn add_term(&mut self, product: Vec<Param>, coefficient: i128) -> Option<()> {
        let sum = self.terms.get(&product).copied().unwrap_or(0).checked_add(coefficient)?;
        if sum == 0 {
            self.terms.remove(&product);
        } else {
            self.terms.insert(product, sum);
        }
        Some(())
    }

    /// The extent in its canonical variant; none for a number that is no extent.
    fn extent(self) -> Option<Extent> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(Extent::Known(0)),
            (Some((product, value)), None) => match product.as_slice() {
                [] => u64::try_from(*value).ok().map(Extent::Known),
                [param] if *value == 1 => Some(Extent::Param(param.clone())),
                _ => Some(Extent::Formula(Arc::new(self))),
            },
            (Some(_), Some(_)) => Some(Extent::Formula(Arc::new(self))),
        }
    }

    /// The polynomial of these terms; none when a coefficient is too large.
    pub(crate) fn of_terms(terms: impl IntoIterator<Item = (Vec<Param>, i128)>) -> Option<Formula> {
        let mut formula = Formula::default();
        for (mut product, coefficient) in terms {
            product.sort();
            formula.add_term(product, coefficient)?;
        }
        Some(formula)
    }

    /// The number, if it is one.
    pub(crate) fn constant(&self) -> Option<i128> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(0),
            (Some((product, value)), None) if product.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The parameters in it.
    pub(crate) fn params(&self) -> impl Iterator<Item = &Param> {
        self.terms.keys().flatten()
    }

    /// The extent with each parameter replaced; none when the result is no number of positions, or
    /// depends on an extent that is not known.
    pub(crate) fn replace(&self, by: &mut dyn FnMut(&Param) -> Extent) -> Option<Extent> {
        self.applied(by)?.extent()
    }

    /// The polynomial with each parameter replaced; none when it depends on an extent that is not known.
    pub(crate) fn applied(&self, by: &mut dyn FnMut(&Param) -> Extent) -> Option<Formula> {
        let mut result = Formula::default();
        for (product, coefficient) in &self.terms {
            let mut term = Formula::default();
            term.add_term(Vec::new(), *coefficient)?;
            for param in product {
                term = term.times(&Formula::of(&by(param))?)?;
            }
            for (product, coefficient) in term.terms {
                result.add_term(product, coefficient)?;
            }
        }
        Some(result)
    }

    fn times(&self, other: &Formula) -> Option<Formula> {
        let mut result = Formula::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut product: Vec<Param> = left.iter().chain(right).cloned().collect();
                product.sort();
                result.add_term(product, a.checked_mul(*b)?)?;
            }
        }
        Some(result)
    }
}

impl Extent {
    /// The number, if it is one.
    pub fn known(&self) -> Option<u64> {
        match self {
            Extent::Known(extent) => Some(*extent),
            Extent::Param(_) | Extent::Formula(_) | Extent::Dynamic | Extent::Var(_) => None,
        }
    }

    /// The sum; none when one of them is not known yet or only at run time.
    pub fn plus(&self, other: &Extent) -> Option<Extent> {
        let mut sum = Formula::of(self)?;
        for (product, coefficient) in Formula::of(other)?.terms {
            sum.add_term(product, coefficient)?;
        }
        sum.extent()
    }

    /// The difference; none when one of them is not known, or when it is a number below 0.
    pub fn minus(&self, other: &Extent) -> Option<Extent> {
        let mut sum = Formula::of(self)?;
        for (product, coefficient) in Formula::of(other)?.terms {
            sum.add_term(product, coefficient.checked_neg()?)?;
        }
        sum.extent()
    }

    /// The extent whose product with `other` this is; none if there is none, or it cannot be told.
    pub fn divided_by(&self, other: &Extent) -> Option<Extent> {
        if self == other && *other != Extent::Known(0) {
            return Some(Extent::Known(1));
        }
        let divisor = Formula::of(other)?;
        let mut terms = divisor.terms.iter();
        let (Some((product, coefficient)), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let mut quotient = Formula::default();
        for (found, value) in Formula::of(self)?.terms {
            let mut rest = found;
            for param in product {
                let at = rest.iter().position(|found| found == param)?;
                rest.remove(at);
            }
            if value.checked_rem(*coefficient)? != 0 {
                return None;
            }
            quotient.add_term(rest, value.checked_div(*coefficient)?)?;
        }
        quotient.extent()
    }

    /// The polynomial of constant parameters that it is; none of what is not known before the program runs.
    pub(crate) fn terms(&self) -> Option<Vec<(Vec<Param>, i128)>> {
        Some(Formula::of(self)?.terms.into_iter().collect())
    }

    /// The extent of a polynomial of constant parameters; none of a number below 0.
    pub(crate) fn of_terms(terms: impl IntoIterator<Item = (Vec<Param>, i128)>) -> Option<Extent> {
        Formula::of_terms(terms)?.extent()
    }

    /// The product; none when one of them is not known yet or only at run time.
    pub fn times(&self, other: &Extent) -> Option<Extent> {
        Formula::of(self)?.times(&Formula::of(other)?)?.extent()
    }
}

impl Dim {
    /// An axis without a name.
    pub fn new(extent: Extent) -> Self {
        Self { name: None, extent }
    }
}

impl Shape {
    /// A shape of known extents without names.
    pub fn new(extents: impl AsRef<[u64]>) -> Self {
        Self::of(extents.as_ref().iter().map(|extent| Dim::new(Extent::Known(*extent))))
    }

    /// A shape of these axes.
    pub fn of(dims: impl IntoIterator<Item = Dim>) -> Self {
        Self(dims.into_iter().collect())
    }

    /// The axes.
    pub fn dims(&self) -> &[Dim] {
        &self.0
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The extents, when all are numbers; what comes after the checks works with these.
    pub fn known(&self) -> Option<Arc<[u64]>> {
        self.0.iter().map(|dim| dim.extent.known()).collect()
    }

    /// The shape with the axes of another one behind it; of two axes with one name, the later one loses it.
    pub fn join(&self, other: &Shape) -> Shape {
        let mut dims: Vec<Dim> = self.0.to_vec();
        for dim in other.dims() {
            let taken = dim.name.is_some() && dims.iter().any(|found| found.name == dim.name);
            dims.push(Dim {
                name: dim.name.clone().filter(|_| !taken),
                extent: dim.extent.clone(),
            });
        }
        Shape::of(dims)
    }

    /// The product of the extents; none when one of them is known at run time only.
    pub fn size(&self) -> Option<Extent> {
        self.0.iter().try_fold(Extent::Known(1), |size, dim| size.times(&dim.extent))
    }

    /// The shape without one of its axes.
    pub fn without(&self, axis: usize) -> Shape {
        let dims = self.0.iter().enumerate().filter(|(index, _)| *index != axis);
        Shape::of(dims.map(|(_, dim)| dim.clone()))
    }

    /// The number of elements; none when it is no number, or does not fit 64 bits.
    pub fn elements(&self) -> Option<u64> {
        self.0.iter().try_fold(1u64, |product, dim| product.checked_mul(dim.extent.known()?))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (axis, dim) in self.0.iter().enumerate() {
            let separator = if axis == 0 { "" } else { ", " };
            write!(f, "{separator}{dim}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.extent),
            None => self.extent.fmt(f),
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Known(extent) => write!(f, "{extent}"),
            Extent::Param(param) => f.write_str(&param.name),
            Extent::Formula(formula) => formula.fmt(f),
            Extent::Dynamic => f.write_str("?"),
            Extent::Var(_) => f.write_str("_"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The constant part comes last, as people write it.
        let constant = self.terms.iter().filter(|(product, _)| product.is_empty());
        let products = self.terms.iter().filter(|(product, _)| !product.is_empty());
        for (index, (product, coefficient)) in products.chain(constant).enumerate() {
            match (index, *coefficient < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            let size = coefficient.unsigned_abs();
            if product.is_empty() {
                write!(f, "{size}")?;
                continue;
            }
            if size != 1 {
                write!(f, "{size}*")?;
            }
            let names: Vec<&str> = product.iter().map(|param| param.name.as_str()).collect();
            f.write_str(&names.join("*"))?;
        }
        Ok(())
    }
}
