//! The name that was probably meant.

/// The candidate that is closest to `name`, if one is close enough to be a slip of the fingers.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name && !candidate.is_empty())
        .map(|candidate| (distance(name, candidate), candidate))
        // A single letter is close to every other one; that says nothing.
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters to insert, drop, replace or swap with their neighbour; a change of case is one in all.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 1;
    }
    let b: Vec<char> = b.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, x) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        let mut left = None;
        for (j, y) in b.iter().copied().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX);
            let replaced = at(&last, j).saturating_add(usize::from(x != y));
            let dropped = at(&last, j + 1).saturating_add(1);
            let inserted = at(&row, j).saturating_add(1);
            let mut best = replaced.min(dropped).min(inserted);
            if previous == Some(y) && left == Some(x) && j > 0 {
                best = best.min(at(&before_last, j - 1).saturating_add(1));
            }
            row.push(best);
            left = Some(y);
        }
        before_last = std::mem::replace(&mut last, row);
        previous = Some(x);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("weight", "weight"), 1, "equal names are filtered before");
        assert_eq!(distance("wieght", "weight"), 1);
        assert_eq!(distance("wight", "weight"), 1);
        assert_eq!(distance("RATE", "rate"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
    }

    #[test]
    fn only_close_names_are_offered() {
        assert_eq!(similar("predicton", ["target", "prediction"]), Some("prediction"));
        assert_eq!(similar("x", ["y"]), None);
        assert_eq!(similar("loss", ["weights"]), None);
    }
}
