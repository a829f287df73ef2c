//! Whether patterns leave something out, and whether one is reached: Maranget, "Warnings for pattern matching"
//! (2007), with intervals of numbers split at the bounds that occur.
//!
//! Knows nothing of types or text: a [`Space`] says what the values of a type are made of. Or-patterns are taken
//! apart where they stand. The work is bounded by fuel, since the problem is NP-complete; who runs out of it
//! is told so.

use neuro_db::Name;

/// What the values of a type are made of.
#[derive(Clone, Debug)]
pub(crate) enum Split<T> {
    /// Parts, all of them: a tuple, a struct, an array.
    Product(Vec<T>),
    /// One of several, each with its parts.
    Sum(Vec<Vec<T>>),
    /// `true` or `false`.
    Bool,
    /// A number between these, both included.
    Numbers(i128, i128),
    /// More values than any list of patterns names.
    Endless,
}

/// Types, seen as what their values are made of.
pub(crate) trait Space {
    /// A type.
    type Ty: Clone;
    /// What its values are made of.
    fn split(&self, ty: &Self::Ty) -> Split<Self::Ty>;
}

/// A pattern. Also a value, or many, that no pattern matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pattern {
    /// Everything.
    Any,
    /// The parts of a product.
    Product(Vec<Pattern>),
    /// A variant and its parts.
    Variant(usize, Vec<Pattern>),
    /// A truth value.
    Bool(bool),
    /// The numbers between these, both included.
    Numbers(i128, i128),
    /// One of endlessly many.
    Text(Name),
    /// Any of these.
    Or(Vec<Pattern>),
}

impl Pattern {
    /// Whether every value is seen at a glance to match.
    pub(crate) fn takes_all(&self) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Product(parts) => parts.iter().all(Pattern::takes_all),
            Pattern::Or(patterns) => patterns.iter().any(Pattern::takes_all),
            Pattern::Variant(..) | Pattern::Bool(_) | Pattern::Numbers(..) | Pattern::Text(_) => {
                false
            }
        }
    }
}

/// The work was too much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMuch;

/// How a value begins.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Head {
    Product,
    Variant(usize),
    Bool(bool),
    Numbers(i128, i128),
    Text(Name),
}

type Row = Vec<Pattern>;

/// Patterns under examination.
pub(crate) struct Usefulness<'a, S: Space> {
    space: &'a S,
    fuel: u32,
}

impl<'a, S: Space> Usefulness<'a, S> {
    pub(crate) fn new(space: &'a S) -> Self {
        Self { space, fuel: 100_000 }
    }

    /// What no pattern matches: patterns that take all of it together, and nothing else.
    ///
    /// # Errors
    /// The work was too much.
    pub(crate) fn missing(
        &mut self,
        patterns: &[Pattern],
        ty: &S::Ty,
    ) -> Result<Vec<Pattern>, TooMuch> {
        let rows = expanded(patterns.iter().map(|pattern| vec![pattern.clone()]).collect());
        if rows.is_empty() {
            return Ok(match self.space.split(ty) {
                Split::Sum(variants) => variants
                    .iter()
                    .enumerate()
                    .map(|(index, parts)| Pattern::Variant(index, vec![Pattern::Any; parts.len()]))
                    .collect(),
                Split::Bool => vec![Pattern::Bool(true), Pattern::Bool(false)],
                Split::Product(_) | Split::Numbers(..) | Split::Endless => vec![Pattern::Any],
            });
        }
        let missing = self.left_out(rows, vec![ty.clone()])?;
        Ok(missing.into_iter().filter_map(|row| row.into_iter().next()).collect())
    }

    /// Whether a pattern matches something that those before it do not.
    ///
    /// # Errors
    /// The work was too much.
    pub(crate) fn reached(
        &mut self,
        before: &[Pattern],
        pattern: &Pattern,
        ty: &S::Ty,
    ) -> Result<bool, TooMuch> {
        let rows = expanded(before.iter().map(|pattern| vec![pattern.clone()]).collect());
        self.useful(rows, vec![pattern.clone()], vec![ty.clone()])
    }

    fn burn(&mut self, rows: &[Row]) -> Result<(), TooMuch> {
        let cost = 1 + rows.len() as u32;
        self.fuel = self.fuel.checked_sub(cost).ok_or(TooMuch)?;
        Ok(())
    }

    fn left_out(&mut self, rows: Vec<Row>, types: Vec<S::Ty>) -> Result<Vec<Row>, TooMuch> {
        self.burn(&rows)?;
        let Some((first, rest)) = types.split_first() else {
            return Ok(if rows.is_empty() { vec![Vec::new()] } else { Vec::new() });
        };
        let split = self.space.split(first);
        let (seen, unseen) = heads(&split, &rows);
        let mut found = Vec::new();
        for head in seen {
            let parts = parts(&split, &head);
            let count = parts.len();
            let mut types = parts;
            types.extend_from_slice(rest);
            let rows = expanded(specialized(&rows, &head, count));
            for mut row in self.left_out(rows, types)? {
                let rest = row.split_off(count.min(row.len()));
                row = std::iter::once(built(&head, row)).chain(rest).collect();
                found.push(row);
            }
        }
        if !unseen.is_empty() {
            for row in self.left_out(expanded(defaults(&rows)), rest.to_vec())? {
                for missing in &unseen {
                    found.push(std::iter::once(missing.clone()).chain(row.clone()).collect());
                }
            }
        }
        Ok(found)
    }

    fn useful(
        &mut self,
        rows: Vec<Row>,
        mut asked: Row,
        types: Vec<S::Ty>,
    ) -> Result<bool, TooMuch> {
        self.burn(&rows)?;
        let Some((first, rest)) = types.split_first() else { return Ok(rows.is_empty()) };
        if asked.is_empty() {
            return Ok(rows.is_empty());
        }
        let pattern = asked.remove(0);
        if let Pattern::Or(alternatives) = pattern {
            for alternative in alternatives {
                let asked = std::iter::once(alternative).chain(asked.clone()).collect();
                if self.useful(rows.clone(), asked, types.clone())? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let split = self.space.split(first);
        // The bounds of what is asked split the numbers, too.
        let mut all = rows.clone();
        all.push(std::iter::once(pattern.clone()).chain(asked.clone()).collect());
        let (seen, unseen) = heads(&split, &all);
        for head in seen {
            let Some(own) = fitting(&pattern, &head, parts(&split, &head).len()) else { continue };
            let mut types = parts(&split, &head);
            let count = types.len();
            types.extend_from_slice(rest);
            let asked = own.into_iter().chain(asked.clone()).collect();
            if self.useful(expanded(specialized(&rows, &head, count)), asked, types)? {
                return Ok(true);
            }
        }
        if pattern == Pattern::Any && !unseen.is_empty() {
            return self.useful(expanded(defaults(&rows)), asked, rest.to_vec());
        }
        Ok(false)
    }
}

/// Rows whose first patterns are no alternatives.
fn expanded(rows: Vec<Row>) -> Vec<Row> {
    let mut result = Vec::with_capacity(rows.len());
    for row in rows {
        match row.first() {
            Some(Pattern::Or(alternatives)) => {
                let rest = row.get(1..).unwrap_or_default();
                let each = alternatives.iter().map(|alternative| {
                    std::iter::once(alternative.clone()).chain(rest.iter().cloned()).collect()
                });
                result.extend(expanded(each.collect()));
            }
            _ => result.push(row),
        }
    }
    result
}

/// The heads that occur, and patterns for all values that begin with another one.
fn heads<T>(split: &Split<T>, rows: &[Row]) -> (Vec<Head>, Vec<Pattern>) {
    let firsts = || rows.iter().filter_map(|row| row.first());
    match split {
        Split::Product(_) => {
            let occurs = firsts().any(|pattern| matches!(pattern, Pattern::Product(_)));
            if occurs {
                (vec![Head::Product], Vec::new())
            } else {
                (Vec::new(), vec![Pattern::Any])
            }
        }
        Split::Sum(variants) => {
            let occurs = |index: usize| {
                firsts()
                    .any(|pattern| matches!(pattern, Pattern::Variant(found, _) if *found == index))
            };
            let (seen, unseen): (Vec<usize>, Vec<usize>) =
                (0..variants.len()).partition(|index| occurs(*index));
            let missing: Vec<Pattern> = if seen.is_empty() {
                // One pattern stands for all, unless there is none.
                if variants.is_empty() { Vec::new() } else { vec![Pattern::Any] }
            } else {
                let parts = |index: usize| variants.get(index).map_or(0, Vec::len);
                unseen
                    .into_iter()
                    .map(|index| Pattern::Variant(index, vec![Pattern::Any; parts(index)]))
                    .collect()
            };
            (seen.into_iter().map(Head::Variant).collect(), missing)
        }
        Split::Bool => {
            let occurs = |value: bool| firsts().any(|pattern| *pattern == Pattern::Bool(value));
            let (seen, unseen): (Vec<bool>, Vec<bool>) =
                [true, false].into_iter().partition(|value| occurs(*value));
            let missing = if seen.is_empty() {
                vec![Pattern::Any]
            } else {
                unseen.into_iter().map(Pattern::Bool).collect()
            };
            (seen.into_iter().map(Head::Bool).collect(), missing)
        }
        Split::Numbers(min, max) => intervals(*min, *max, firsts()),
        Split::Endless => {
            let mut seen: Vec<Head> = Vec::new();
            for pattern in firsts() {
                if let Pattern::Text(text) = pattern {
                    let head = Head::Text(text.clone());
                    if !seen.contains(&head) {
                        seen.push(head);
                    }
                }
            }
            (seen, vec![Pattern::Any])
        }
    }
}

/// The numbers split at every bound that occurs: those that occur, and those that do not, each as few
/// intervals as there are.
fn intervals<'p>(
    min: i128,
    max: i128,
    firsts: impl Iterator<Item = &'p Pattern>,
) -> (Vec<Head>, Vec<Pattern>) {
    let mut written: Vec<(i128, i128)> = firsts
        .filter_map(|pattern| match pattern {
            Pattern::Numbers(low, high) => Some((*low.max(&min), *high.min(&max))),
            Pattern::Any
            | Pattern::Product(_)
            | Pattern::Variant(..)
            | Pattern::Bool(_)
            | Pattern::Text(_)
            | Pattern::Or(_) => None,
        })
        .filter(|(low, high)| low <= high)
        .collect();
    if written.is_empty() {
        return (Vec::new(), vec![Pattern::Any]);
    }
    let mut starts = vec![min];
    for (low, high) in &written {
        starts.push(*low);
        if *high < max {
            starts.push(high + 1);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    written.sort_unstable();
    let ends = starts.iter().skip(1).map(|start| start - 1).chain(std::iter::once(max));
    let mut seen = Vec::new();
    let mut unseen: Vec<(i128, i128)> = Vec::new();
    // How far the intervals reach that begin at or before the current one.
    let mut reach: Option<i128> = None;
    let mut next = written.iter().peekable();
    for (low, high) in starts.iter().copied().zip(ends) {
        while let Some((_, end)) = next.next_if(|(start, _)| *start <= low) {
            reach = Some(reach.map_or(*end, |reach| reach.max(*end)));
        }
        if reach.is_some_and(|reach| reach >= high) {
            seen.push(Head::Numbers(low, high));
        } else {
            match unseen.last_mut() {
                Some((_, end)) if *end + 1 == low => *end = high,
                _ => unseen.push((low, high)),
            }
        }
    }
    (seen, unseen.into_iter().map(|(low, high)| Pattern::Numbers(low, high)).collect())
}

/// The types of the parts behind a head.
fn parts<T: Clone>(split: &Split<T>, head: &Head) -> Vec<T> {
    match (split, head) {
        (Split::Product(parts), Head::Product) => parts.clone(),
        (Split::Sum(variants), Head::Variant(index)) => {
            variants.get(*index).cloned().unwrap_or_default()
        }
        (
            Split::Product(_) | Split::Sum(_) | Split::Bool | Split::Numbers(..) | Split::Endless,
            _,
        ) => Vec::new(),
    }
}

/// The parts of a pattern where a value begins with this head; none if it does not match then.
fn fitting(pattern: &Pattern, head: &Head, count: usize) -> Option<Row> {
    match (pattern, head) {
        (Pattern::Any, _) => Some(vec![Pattern::Any; count]),
        (Pattern::Product(parts), Head::Product) => Some(parts.clone()),
        (Pattern::Variant(found, parts), Head::Variant(index)) if found == index => {
            Some(parts.clone())
        }
        (Pattern::Bool(found), Head::Bool(value)) if found == value => Some(Vec::new()),
        (Pattern::Numbers(low, high), Head::Numbers(from, to)) if low <= from && to <= high => {
            Some(Vec::new())
        }
        (Pattern::Text(found), Head::Text(text)) if found == text => Some(Vec::new()),
        (
            Pattern::Product(_)
            | Pattern::Variant(..)
            | Pattern::Bool(_)
            | Pattern::Numbers(..)
            | Pattern::Text(_)
            | Pattern::Or(_),
            _,
        ) => None,
    }
}

/// The rows that match a value with this head, its parts in front.
fn specialized(rows: &[Row], head: &Head, count: usize) -> Vec<Row> {
    let each = rows.iter().filter_map(|row| {
        let (first, rest) = row.split_first()?;
        Some(fitting(first, head, count)?.into_iter().chain(rest.iter().cloned()).collect())
    });
    each.collect()
}

/// The rows that match whatever a value begins with.
fn defaults(rows: &[Row]) -> Vec<Row> {
    let each = rows.iter().filter_map(|row| match row.split_first() {
        Some((Pattern::Any, rest)) => Some(rest.to_vec()),
        _ => None,
    });
    each.collect()
}

/// A pattern of its head and its parts.
fn built(head: &Head, parts: Row) -> Pattern {
    match head {
        Head::Product => Pattern::Product(parts),
        Head::Variant(index) => Pattern::Variant(*index, parts),
        Head::Bool(value) => Pattern::Bool(*value),
        Head::Numbers(low, high) => Pattern::Numbers(*low, *high),
        Head::Text(text) => Pattern::Text(text.clone()),
    }
}
