//! The check of patterns against one that is slow and obvious: it lists every value and tries each pattern.

use crate::usefulness::{Pattern, Space, Split, TooMuch, Usefulness};

/// A small type, all of whose values can be listed.
#[derive(Clone, Debug)]
enum Small {
    Bool,
    Numbers(i128, i128),
    Product(Vec<Small>),
    Sum(Vec<Vec<Small>>),
}

/// A value, as the pattern that matches it alone.
type Value = Pattern;

struct Smalls;

impl Space for Smalls {
    type Ty = Small;

    fn split(&self, ty: &Small) -> Split<Small> {
        match ty {
            Small::Bool => Split::Bool,
            Small::Numbers(low, high) => Split::Numbers(*low, *high),
            Small::Product(parts) => Split::Product(parts.clone()),
            Small::Sum(variants) => Split::Sum(variants.clone()),
        }
    }
}

/// Every value of a type.
fn values(ty: &Small) -> Vec<Value> {
    match ty {
        Small::Bool => vec![Pattern::Bool(false), Pattern::Bool(true)],
        Small::Numbers(low, high) => (*low..=*high).map(|n| Pattern::Numbers(n, n)).collect(),
        Small::Product(parts) => rows(parts).into_iter().map(Pattern::Product).collect(),
        Small::Sum(variants) => variants
            .iter()
            .enumerate()
            .flat_map(|(index, parts)| {
                rows(parts).into_iter().map(move |row| Pattern::Variant(index, row))
            })
            .collect(),
    }
}

fn rows(types: &[Small]) -> Vec<Vec<Value>> {
    types.iter().fold(vec![Vec::new()], |rows, ty| {
        let extended = rows.iter().flat_map(|row| {
            values(ty).into_iter().map(move |value| {
                let mut row = row.clone();
                row.push(value);
                row
            })
        });
        extended.collect()
    })
}

fn matches(pattern: &Pattern, value: &Value) -> bool {
    let all = |parts: &[Pattern], values: &[Value]| {
        parts.iter().zip(values).all(|(part, value)| matches(part, value))
    };
    match (pattern, value) {
        (Pattern::Any, _) => true,
        (Pattern::Or(alternatives), value) => alternatives.iter().any(|it| matches(it, value)),
        (Pattern::Bool(a), Pattern::Bool(b)) => a == b,
        (Pattern::Numbers(low, high), Pattern::Numbers(value, _)) => (low..=high).contains(&value),
        (Pattern::Product(parts), Pattern::Product(values)) => all(parts, values),
        (Pattern::Variant(a, parts), Pattern::Variant(b, values)) => a == b && all(parts, values),
        (pattern, value) => panic!("{pattern:?} and {value:?} are of two types"),
    }
}

/// Draws of a linear congruential generator (Knuth, MMIX).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn ty(&mut self, depth: u32) -> Small {
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => Small::Bool,
            1 => Small::Numbers(-2, self.below(4) as i128),
            2 => Small::Product((0..self.below(3)).map(|_| self.ty(depth - 1)).collect()),
            _ => Small::Sum(
                (0..=self.below(2))
                    .map(|_| (0..self.below(3)).map(|_| self.ty(depth - 1)).collect())
                    .collect(),
            ),
        }
    }

    fn pattern(&mut self, ty: &Small) -> Pattern {
        match self.below(8) {
            0 | 1 => return Pattern::Any,
            2 => return Pattern::Or((0..self.below(3)).map(|_| self.pattern(ty)).collect()),
            _ => {}
        }
        match ty {
            Small::Bool => Pattern::Bool(self.below(2) == 0),
            Small::Numbers(..) => {
                let low = i128::from(self.below(6)) - 3;
                Pattern::Numbers(low, low + i128::from(self.below(3)))
            }
            Small::Product(parts) => {
                Pattern::Product(parts.iter().map(|part| self.pattern(part)).collect())
            }
            Small::Sum(variants) => {
                let index = self.below(variants.len() as u64) as usize;
                let parts = variants[index].iter().map(|part| self.pattern(part)).collect();
                Pattern::Variant(index, parts)
            }
        }
    }
}

#[test]
fn the_quick_and_the_slow_check_agree() {
    let mut draws = Draws(20_240_117);
    let (mut complete, mut open, mut unreached) = (0, 0, 0);
    for _ in 0..4_000 {
        let ty = draws.ty(2);
        let all = values(&ty);
        if all.len() > 400 {
            continue;
        }
        let patterns: Vec<Pattern> = (0..draws.below(6)).map(|_| draws.pattern(&ty)).collect();
        let taken = |value: &Value| patterns.iter().any(|pattern| matches(pattern, value));
        let missing = Usefulness::new(&Smalls).missing(&patterns, &ty).expect("they are few");
        for value in &all {
            let told = missing.iter().any(|pattern| matches(pattern, value));
            assert_eq!(told, !taken(value), "{value:?} in {missing:?} of {patterns:?}: {ty:?}");
        }
        for pattern in &missing {
            assert!(all.iter().any(|value| matches(pattern, value)), "{pattern:?} is nothing");
        }
        if missing.is_empty() {
            complete += 1
        } else {
            open += 1
        }
        for (index, pattern) in patterns.iter().enumerate() {
            let before = &patterns[..index];
            let slow = all.iter().any(|value| {
                matches(pattern, value) && !before.iter().any(|before| matches(before, value))
            });
            let quick = Usefulness::new(&Smalls).reached(before, pattern, &ty).expect("few");
            assert_eq!(quick, slow, "{pattern:?} behind {before:?}: {ty:?}");
            unreached += i32::from(!slow);
        }
    }
    assert!(complete > 300 && open > 300 && unreached > 300, "{complete} {open} {unreached}");
}

#[test]
fn too_many_cases_are_given_up() {
    // Each pattern asks for one of twenty truth values, so that there are a million cases.
    let ty = Small::Product(vec![Small::Bool; 20]);
    let patterns: Vec<Pattern> = (0..20)
        .map(|at| {
            let part = |index| if index == at { Pattern::Bool(true) } else { Pattern::Any };
            Pattern::Product((0..20).map(part).collect())
        })
        .collect();
    let missing = Usefulness::new(&Smalls).missing(&patterns, &ty);
    assert_eq!(missing, Err(TooMuch));
}
