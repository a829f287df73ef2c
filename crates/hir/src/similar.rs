//! The name that was probably meant.

/// The candidate that is closest to `name`, if one is close enough to be a slip of the fingers; of several
/// that are as close, the first.
///
/// It is asked for every name that does not exist, with every name that does, so most candidates are set aside by
/// their length and letters alone.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar_where(name, candidates, |_| true)
}

/// As [`similar`], of those candidates that may stand where the name stands: it is asked of few.
pub fn similar_where<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    fits: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let mut asked = Asked::new(name);
    let mut best = None;
    for candidate in candidates {
        if candidate == name || candidate.is_empty() || other_kind(name, candidate) {
            continue;
        }
        let Some(distance) = asked.distance(candidate) else { continue };
        // A single letter is close to every other one; that says nothing.
        if distance >= candidate.chars().count() || !fits(candidate) {
            continue;
        }
        best = Some(candidate);
        match distance.checked_sub(1) {
            // Nothing is closer but the name itself.
            None | Some(0) => break,
            Some(closer) => asked.limit = closer,
        }
    }
    best
}

/// Whether one name begins like a type and the other, with another letter, like a value: `done` is no slip for `None`.
fn other_kind(name: &str, candidate: &str) -> bool {
    match (name.chars().next(), candidate.chars().next()) {
        (Some(a), Some(b)) => a.is_uppercase() != b.is_uppercase() && !a.eq_ignore_ascii_case(&b),
        _ => false,
    }
}

/// A name whose neighbours are looked for.
struct Asked<'n> {
    text: &'n str,
    chars: Vec<char>,
    letters: u64,
    /// None for a name with more letters than a mask has bits.
    masks: Option<Masks>,
    /// How far a candidate may be away.
    limit: usize,
    rows: [Vec<usize>; 3],
}

impl<'n> Asked<'n> {
    fn new(text: &'n str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let limit = (chars.len() / 3).max(1);
        let masks = Masks::new(&chars);
        Self { text, letters: letters(text), masks, chars, limit, rows: Default::default() }
    }

    /// How many letters to insert, drop, replace or swap with their neighbour; a change of case is one in all.
    /// None if there are more than the limit.
    fn distance(&mut self, candidate: &str) -> Option<usize> {
        if self.text.eq_ignore_ascii_case(candidate) {
            return Some(1);
        }
        let length = candidate.chars().count();
        if length.abs_diff(self.chars.len()) > self.limit {
            return None;
        }
        // Each step changes at most one letter of each name.
        let different = (self.letters ^ letters(candidate)).count_ones();
        if usize::try_from(different).is_ok_and(|different| different > 2 * self.limit) {
            return None;
        }
        match &self.masks {
            Some(masks) => masks.distance(self.chars.len(), candidate, self.limit),
            None => self.steps(candidate),
        }
    }

    /// The table of distances, row by row: for names too long for the masks.
    fn steps(&mut self, candidate: &str) -> Option<usize> {
        let [before_last, last, row] = &mut self.rows;
        before_last.clear();
        last.clear();
        last.extend(0..=self.chars.len());
        let mut previous = None;
        for (index, x) in candidate.chars().enumerate() {
            row.clear();
            row.push(index + 1);
            let mut nearest = index + 1;
            let mut left = None;
            for (column, y) in self.chars.iter().copied().enumerate() {
                let at =
                    |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX);
                let replaced = at(last, column).saturating_add(usize::from(x != y));
                let dropped = at(last, column + 1).saturating_add(1);
                let inserted = at(row, column).saturating_add(1);
                let mut best = replaced.min(dropped).min(inserted);
                if previous == Some(y) && left == Some(x) && column > 0 {
                    best = best.min(at(before_last, column - 1).saturating_add(1));
                }
                row.push(best);
                nearest = nearest.min(best);
                left = Some(y);
            }
            // A later row is no nearer than the nearest of the two before it.
            if nearest > self.limit.saturating_add(1) {
                return None;
            }
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
            previous = Some(x);
        }
        last.last().copied().filter(|distance| *distance <= self.limit)
    }
}

/// Where each letter stands in a name, a bit for each place.
///
/// A column of the table of distances changes by at most one from entry to entry, so two masks hold it: where it
/// grows and where it shrinks (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances", 2003).
struct Masks {
    ascii: [u64; 128],
    others: Vec<(char, u64)>,
}

impl Masks {
    fn new(chars: &[char]) -> Option<Self> {
        if chars.is_empty() || chars.len() > 64 {
            return None;
        }
        let mut masks = Self { ascii: [0; 128], others: Vec::new() };
        for (place, letter) in chars.iter().enumerate() {
            let bit = 1 << place;
            match masks.ascii.get_mut(*letter as usize) {
                Some(mask) => *mask |= bit,
                None => match masks.others.iter_mut().find(|(other, _)| other == letter) {
                    Some((_, mask)) => *mask |= bit,
                    None => masks.others.push((*letter, bit)),
                },
            }
        }
        Some(masks)
    }

    fn of(&self, letter: char) -> u64 {
        match self.ascii.get(letter as usize) {
            Some(mask) => *mask,
            None => {
                let other = self.others.iter().find(|(other, _)| *other == letter);
                other.map_or(0, |(_, mask)| *mask)
            }
        }
    }

    fn distance(&self, length: usize, candidate: &str, limit: usize) -> Option<usize> {
        let last = 1 << (length - 1);
        let mut distance = length;
        let (mut grows, mut shrinks, mut diagonal, mut before) = (u64::MAX, 0u64, 0u64, 0u64);
        for letter in candidate.chars() {
            let here = self.of(letter);
            let swapped = ((!diagonal & here) << 1) & before;
            diagonal = ((here & grows).wrapping_add(grows) ^ grows) | here | shrinks | swapped;
            let up = shrinks | !(diagonal | grows);
            let down = diagonal & grows;
            distance = distance + usize::from(up & last != 0) - usize::from(down & last != 0);
            let up = up << 1 | 1;
            grows = down << 1 | !(diagonal | up);
            shrinks = up & diagonal;
            before = here;
        }
        (distance <= limit).then_some(distance)
    }
}

/// Which letters a name has, cases aside, each a bit; several letters share one.
fn letters(name: &str) -> u64 {
    name.bytes().fold(0, |letters, byte| letters | 1 << (byte.to_ascii_lowercase() & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> Option<usize> {
        let mut asked = Asked::new(a);
        asked.limit = 10;
        asked.distance(b)
    }

    #[test]
    fn distances() {
        assert_eq!(distance("weight", "weight"), Some(1), "equal names are filtered before");
        assert_eq!(distance("wieght", "weight"), Some(1));
        assert_eq!(distance("wight", "weight"), Some(1));
        assert_eq!(distance("weight", "wight"), Some(1));
        assert_eq!(distance("RATE", "rate"), Some(1));
        assert_eq!(distance("kitten", "sitting"), Some(3));
        assert_eq!(distance("", "ab"), Some(2));
        assert_eq!(distance("größe", "grösse"), Some(2));
        assert_eq!(distance("short", "much_longer_than_that"), None);
    }

    #[test]
    fn only_close_names_are_offered() {
        assert_eq!(similar("predicton", ["target", "prediction"]), Some("prediction"));
        assert_eq!(
            similar("predicton", ["predictions", "prediction", "predict"]),
            Some("prediction")
        );
        assert_eq!(similar("loss", ["lass", "loses"]), Some("lass"), "the first of the closest");
        assert_eq!(similar("x", ["y"]), None);
        assert_eq!(similar("done", ["None"]), None, "a value is no type");
        assert_eq!(similar("tensro", ["Tensor"]), Some("Tensor"), "a slip may forget the case");
        assert_eq!(similar("loss", ["weights"]), None);
        let fits = |name: &str| name != "lass";
        assert_eq!(similar_where("loss", ["lass", "loses"], fits), Some("loses"));
    }

    /// The quick filters never set aside what the whole computation would take.
    #[test]
    fn filters_agree_with_the_computation() {
        let words = [
            "alpha", "aplha", "alhpa", "alph", "alphas", "beta", "betta", "bteas", "ab", "ba",
            "größe", "grösse",
        ];
        for a in words {
            for b in words.into_iter().filter(|b| *b != a) {
                let mut asked = Asked::new(a);
                let whole = asked.steps(b);
                assert_eq!(asked.distance(b), whole, "{a} {b}");
                asked.limit = 9;
                let whole = asked.steps(b);
                assert_eq!(asked.distance(b), whole, "{a} {b}");
            }
        }
    }

    #[test]
    fn thousands_of_names_take_no_time() {
        let known: Vec<String> = (0..3_000).map(|n| format!("declared_{n:04}")).collect();
        let begin = std::time::Instant::now();
        for n in 0..1_000 {
            let name = format!("undeclared_{n:04}");
            assert_eq!(similar(&name, known.iter().map(String::as_str)), Some(&*known[n]));
        }
        assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    }
}
