//! `neurc explain`: what is declared of a diagnostic's code.

use neuro_db::codes;

use super::{CLEAN, Outcome};
use crate::cli::ExplainArgs;
use crate::output;

/// Columns of the text.
const WIDTH: usize = 80;

/// Prints the page of a code.
pub(crate) fn execute(args: &ExplainArgs) -> Outcome {
    let code = args.code.to_ascii_uppercase();
    let Some(info) = codes::find(&code) else {
        return Err(unknown(&args.code));
    };
    let text = format!("{code}: {}\n\n{}\n", info.title, wrap(info.page));
    output::finish(&text, CLEAN)
}

fn unknown(code: &str) -> String {
    let all: Vec<&str> = codes::all().map(|info| info.code.as_str()).collect();
    format!("`{code}` is no code of a diagnostic; there are {}", all.join(", "))
}

/// Breaks paragraphs into lines. What is set apart, as a fenced program is, stays as it is.
fn wrap(page: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fenced || fence {
            lines.push(line.to_owned());
        } else {
            wrap_line(line, &mut lines);
        }
    }
    lines.join("\n")
}

fn wrap_line(line: &str, lines: &mut Vec<String>) {
    let mut current = String::new();
    for word in line.split_whitespace() {
        let length = current.chars().count() + 1 + word.chars().count();
        if !current.is_empty() && length > WIDTH {
            lines.push(std::mem::take(&mut current));
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    lines.push(current);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_and_programs_are_not() {
        let long = "word ".repeat(30);
        let page = format!("{long}\n```\n{long}\n```");
        let text = wrap(&page);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].len() <= WIDTH && lines[1].starts_with("word"));
        assert!(lines.contains(&long.as_str()));
    }
}
