//! `neurc explain`: what is declared of a diagnostic's code, or of a lint.

use neuro_db::codes::{self, CodeInfo};
use neuro_ide::similar;

use super::{CLEAN, Outcome};
use crate::cli::ExplainArgs;
use crate::output;

/// Columns of the text.
const WIDTH: usize = 80;

/// Prints the page of a code.
pub(crate) fn execute(args: &ExplainArgs) -> Outcome {
    let info = find(&args.code).ok_or_else(|| unknown(&args.code))?;
    let text = format!("{}: {}\n\n{}\n", info.code.as_str(), info.title, wrap(&info.text()));
    output::finish(&text, CLEAN)
}

/// What a code is called, in any case; with its number alone it is an error's.
fn find(name: &str) -> Option<&'static CodeInfo> {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let code = match is_number {
        true => format!("E{name:0>4}"),
        false => name.to_ascii_uppercase(),
    };
    codes::find(&code).or_else(|| codes::find_lint(&name.to_ascii_lowercase()))
}

fn unknown(name: &str) -> String {
    let codes: Vec<&str> = codes::all().map(|info| info.code.as_str()).collect();
    let code = similar(&name.to_ascii_uppercase(), codes.iter().copied());
    let lint = similar(&name.to_ascii_lowercase().replace('-', "_"), codes::lint_names());
    let hint = match code.or(lint) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", codes.join(", ")),
    };
    format!("`{name}` is no code of a diagnostic and no lint; {hint}")
}

/// Breaks paragraphs into lines, and sets programs apart as they are.
fn wrap(page: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            lines.push(format!("    {line}").trim_end().to_owned());
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
        let page = format!("{long}\n\n```neuro\n{long}\n\n    end\n```");
        let text = wrap(&page);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].len() <= WIDTH && lines[1].starts_with("word"));
        assert_eq!(lines[3..], [&*format!("    {}", long.trim_end()), "", "        end"]);
    }

    #[test]
    fn codes_are_found_by_several_names() {
        let code = |name: &str| find(name).map(|info| info.code.as_str());
        for name in ["E0301", "e0301", "0301", "301"] {
            assert_eq!(code(name), Some("E0301"), "{name}");
        }
        for name in ["W0101", "prefer_loop_over_while_true", "prefer-loop-over-while-true"] {
            assert_eq!(code(name), Some("W0101"), "{name}");
        }
        for name in ["", "E", "E03", "99999", "prefer"] {
            assert_eq!(code(name), None, "{name}");
        }
    }

    #[test]
    fn the_code_that_was_meant_is_offered() {
        assert!(unknown("E031").ends_with("did you mean `E0301`?"), "{}", unknown("E031"));
        let lint = "prefer-lop-over-while-true";
        assert!(unknown(lint).ends_with("did you mean `prefer_loop_over_while_true`?"));
        assert!(unknown("nothing").contains("there are E0101, "));
    }
}
