//! What is known of some expressions of a body.

use neuro_hir::ExprId;

/// A value for some of the expressions of a body, sorted by expression. Few expressions are calls or literals, so
/// this takes far less memory than a slot for each.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct ExprMap<V> {
    // An expression is the index of one, which borrows nothing.
    #[salsa_value(unsafe(prove(V: salsa::SalsaValue)))]
    entries: Vec<(ExprId, V)>,
}

impl<V> Default for ExprMap<V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<V> ExprMap<V> {
    fn find(&self, expr: ExprId) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&expr.into_raw(), |(known, _)| known.into_raw())
    }

    /// The value of an expression.
    pub fn get(&self, expr: ExprId) -> Option<&V> {
        let index = self.find(expr).ok()?;
        self.entries.get(index).map(|(_, value)| value)
    }

    /// Gives an expression a value, which replaces the one that it has. Fast where expressions come nearly in
    /// order.
    pub fn insert(&mut self, expr: ExprId, value: V) {
        if self.entries.last().is_none_or(|(last, _)| last.into_raw() < expr.into_raw()) {
            return self.entries.push((expr, value));
        }
        match self.find(expr) {
            Ok(index) => {
                if let Some(entry) = self.entries.get_mut(index) {
                    entry.1 = value;
                }
            }
            Err(index) => self.entries.insert(index, (expr, value)),
        }
    }

    /// The expressions and their values, in the order of the expressions.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &V)> {
        self.entries.iter().map(|(expr, value)| (*expr, value))
    }

    /// Gives back the memory that growing left over.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
    }
}

impl<V> FromIterator<(ExprId, V)> for ExprMap<V> {
    fn from_iter<I: IntoIterator<Item = (ExprId, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        for (expr, value) in entries {
            map.insert(expr, value);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use la_arena::RawIdx;

    use super::*;

    #[test]
    fn a_map_finds_what_it_was_given() {
        let expr = |index: u32| ExprId::from_raw(RawIdx::from_u32(index));
        let mut map: ExprMap<u32> =
            [7, 2, 9, 4, 2].map(|n| (expr(n), n * 10)).into_iter().collect();
        map.insert(expr(9), 1);
        let all: Vec<(u32, u32)> =
            map.iter().map(|(expr, value)| (expr.into_raw().into_u32(), *value)).collect();
        assert_eq!(all, [(2, 20), (4, 40), (7, 70), (9, 1)]);
        assert_eq!((map.get(expr(4)), map.get(expr(5))), (Some(&40), None));
    }
}
