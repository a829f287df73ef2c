//! A diagnostic as a workflow command, from which GitHub makes an annotation of the changed text.

use std::fmt::Write;

use neuro_db::{Db, Diagnostic, Severity};

use super::positions::{Position, Positions};

/// `::error file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message` on a line. Notes and related places are
/// further lines of the message.
pub(crate) fn render(db: &dyn Db, positions: &Positions<'_>, diagnostic: &Diagnostic) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let file = diagnostic.span.file;
    let (start, end) = positions.ends(file, diagnostic.span.absolute(db));
    let path = property(file.path(db));
    let title = property(&title(diagnostic));
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    for related in &diagnostic.related {
        let file = related.span.file;
        let start = related.span.absolute(db).start();
        let Position { line, column } = positions.position(file, start);
        let _ = write!(text, "\n{}:{line}:{column}: {}", file.path(db), related.message);
    }
    for fix in &diagnostic.fixes {
        let _ = write!(text, "\nhelp: {}", fix.title);
    }
    let place = format!(
        "line={},endLine={},col={},endColumn={}",
        start.line, end.line, start.column, end.column
    );
    format!("::{command} file={path},{place},title={title}::{}\n", data(&text))
}

/// The code and what it means.
fn title(diagnostic: &Diagnostic) -> String {
    format!("{}: {}", diagnostic.code.as_str(), diagnostic.code.info().title)
}

/// A text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use neuro_db::{RootDatabase, Span, codes};
    use text_size::{TextRange, TextSize};

    use super::*;

    #[test]
    fn what_has_a_meaning_in_a_command_is_escaped() {
        let mut db = RootDatabase::default();
        let text = "func é() {\n    a % b\n}\n";
        let file = db.set_text("odd,folder:1/100%.nr", text);
        let place = |word: &str| {
            let start = TextSize::new(text.find(word).unwrap() as u32);
            Span::in_file(file, TextRange::at(start, TextSize::of(word)))
        };
        let diagnostic =
            Diagnostic::new(codes::MISMATCH, place("a % b"), "`%`: not, here\r\nor there")
                .related(place("é"), "100% of this")
                .note("a: b, c")
                .fix("use `,`", place("%"), ",");
        expect![[r#"
            ::error file=odd%2Cfolder%3A1/100%25.nr,line=2,endLine=2,col=5,endColumn=10,title=E0301%3A mismatched types::`%25`: not, here%0D%0Aor there%0Anote: a: b, c%0Aodd,folder:1/100%25.nr:1:6: 100%25 of this%0Ahelp: use `,`
        "#]]
        .assert_eq(&render(&db, &Positions::new(&db), &diagnostic));
    }
}
