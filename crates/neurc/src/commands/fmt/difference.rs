//! How a text differs from its formatted form, in few lines.

use crate::source::Source;

/// How many places are shown of a file.
const PLACES: usize = 3;

/// How many lines are shown of a place on either side.
const LINES: usize = 6;

/// The name of the file and the first places where its lines differ.
pub(super) fn render(source: &Source, formatted: &str) -> String {
    let old: Vec<&str> = source.text.split_inclusive('\n').collect();
    let new: Vec<&str> = formatted.split_inclusive('\n').collect();
    let places = places(&old, &new);
    let mut out = String::new();
    for place in places.iter().take(PLACES) {
        out += &format!("{}:{}\n", source.path, place.old.start + 1);
        side(&mut out, '-', old.get(place.old.clone()).unwrap_or_default());
        side(&mut out, '+', new.get(place.new.clone()).unwrap_or_default());
    }
    if places.len() > PLACES {
        out += &format!("{}: and {} more\n", source.path, places.len() - PLACES);
    }
    out
}

fn side(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines.iter().take(LINES) {
        out.push(sign);
        // A line that differs in its end alone would look the same.
        let text = line.trim_end_matches('\n');
        out.push_str(&text.replace('\r', "\\r"));
        out.push_str(if line.ends_with('\n') { "\n" } else { " (without a new line)\n" });
    }
    if lines.len() > LINES {
        *out += &format!("{sign}... {} more lines\n", lines.len() - LINES);
    }
}

/// Lines that differ.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

/// Where two texts differ, from line to line.
///
/// Formatting keeps the order of lines, so after a difference the next line that both have is near: it is
/// looked for where the fewest lines are passed over.
fn places(old: &[&str], new: &[&str]) -> Vec<Place> {
    const FAR: usize = 200;
    let mut places = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && old.get(i) == new.get(j) {
            i += 1;
            j += 1;
            continue;
        }
        let meets = |passed: usize| {
            (0..=passed).map(move |a| (i + a, j + passed - a)).find(|(a, b)| {
                let line = old.get(*a).filter(|line| !line.trim().is_empty());
                line.is_some() && line == new.get(*b)
            })
        };
        let end = (old.len(), new.len());
        let far = FAR.min(old.len() - i.min(old.len()) + new.len() - j.min(new.len()));
        let (next_i, next_j) = (1..=far).find_map(meets).unwrap_or(end);
        places.push(Place { old: i..next_i, new: j..next_j });
        (i, j) = (next_i, next_j);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_both_have_are_left_out() {
        let old = ["a\n", "b \n", "c\n", "\n", "\n", "d\n"];
        let new = ["a\n", "b\n", "c\n", "\n", "d\n", "e\n"];
        let expected = [
            Place { old: 1..2, new: 1..2 },
            Place { old: 4..5, new: 4..4 },
            Place { old: 6..6, new: 5..6 },
        ];
        assert_eq!(places(&old, &new), expected);
    }

    #[test]
    fn few_lines_are_shown() {
        let text: String = (0..20).map(|n| format!("{n} \nsame {n}\n")).collect();
        let formatted = text.replace(" \n", "\n");
        let shown =
            render(&Source { name: "a.nr".to_owned(), path: "a.nr".to_owned(), text }, &formatted);
        assert_eq!(shown, "a.nr:1\n-0 \n+0\na.nr:3\n-1 \n+1\na.nr:5\n-2 \n+2\na.nr: and 17 more\n");
    }
}
