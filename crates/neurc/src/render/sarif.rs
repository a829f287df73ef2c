//! Diagnostics as a SARIF 2.1.0 log, the form that code-scanning services read.

use neuro_db::codes::{self, CodeInfo};
use neuro_db::{Db, Diagnostic, Edit, Fix, Related, Severity, SourceFile, Span};
use serde_json::{Value, json};

use super::positions::Positions;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The results of a run of the checker, as they are collected.
pub(crate) struct Log<'db> {
    db: &'db dyn Db,
    positions: &'db Positions<'db>,
    results: Vec<Value>,
    /// What kept files from being checked.
    failures: Vec<Value>,
    /// What is wrong with the project.
    mistakes: Vec<Value>,
}

impl<'db> Log<'db> {
    /// A log without results.
    pub(crate) fn new(db: &'db dyn Db, positions: &'db Positions<'db>) -> Self {
        let (results, failures, mistakes) = Default::default();
        Self { db, positions, results, failures, mistakes }
    }

    /// Adds a reason why something was not checked.
    pub(crate) fn add_failure(&mut self, message: &str) {
        self.failures.push(json!({ "level": "error", "message": { "text": message } }));
    }

    /// Adds a mistake in a project file, for which nothing was checked.
    pub(crate) fn add_mistake(&mut self, mistake: &Diagnostic) {
        self.mistakes.push(json!({
            "level": level(mistake.severity),
            "message": { "text": mistake.message },
            "descriptor": { "id": mistake.code.as_str() },
            "locations": [{ "physicalLocation": self.place(&mistake.span) }],
        }));
    }

    /// Adds a result.
    pub(crate) fn add(&mut self, diagnostic: &Diagnostic) {
        let mut text = diagnostic.message.clone();
        for note in &diagnostic.notes {
            text.push_str("\nnote: ");
            text.push_str(note);
        }
        let code = diagnostic.code.as_str();
        let mut result = json!({
            "ruleId": code,
            "level": level(diagnostic.severity),
            "message": { "text": text },
            "locations": [{ "physicalLocation": self.place(&diagnostic.span) }],
        });
        if let Some(index) = codes::all().position(|info| info.code == diagnostic.code) {
            result["ruleIndex"] = json!(index);
        }
        if !diagnostic.related.is_empty() {
            let related = diagnostic.related.iter().enumerate();
            result["relatedLocations"] =
                related.map(|(index, related)| self.related(index, related)).collect();
        }
        let fixes: Vec<_> = diagnostic
            .fixes
            .iter()
            .filter(|fix| !fix.edits.is_empty())
            .map(|fix| self.fix(fix))
            .collect();
        if !fixes.is_empty() {
            result["fixes"] = Value::Array(fixes);
        }
        self.results.push(result);
    }

    /// The whole log as text.
    pub(crate) fn text(self) -> String {
        let driver = json!({
            "name": "neurc",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": codes::all().map(rule).collect::<Vec<_>>(),
        });
        let mut invocation =
            json!({ "executionSuccessful": self.failures.is_empty() && self.mistakes.is_empty() });
        for (kind, notifications) in [
            ("toolExecutionNotifications", self.failures),
            ("toolConfigurationNotifications", self.mistakes),
        ] {
            if !notifications.is_empty() {
                invocation[kind] = Value::Array(notifications);
            }
        }
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": driver },
                "invocations": [invocation],
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        });
        // Texts and numbers always have a form in JSON.
        serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
    }

    fn related(&self, index: usize, related: &Related) -> Value {
        json!({
            "id": index,
            "message": { "text": related.message },
            "physicalLocation": self.place(&related.span),
        })
    }

    /// A fix; its edits stand together by file.
    fn fix(&self, fix: &Fix) -> Value {
        let mut changes: Vec<(SourceFile, Vec<Value>)> = Vec::new();
        for Edit { span, text } in &fix.edits {
            let replacement =
                json!({ "deletedRegion": self.region(span), "insertedContent": { "text": text } });
            match changes.iter_mut().find(|(file, _)| *file == span.file) {
                Some((_, replacements)) => replacements.push(replacement),
                None => changes.push((span.file, vec![replacement])),
            }
        }
        let change = |(file, replacements): (SourceFile, Vec<Value>)| json!({ "artifactLocation": self.artifact(file), "replacements": replacements });
        let changes: Vec<_> = changes.into_iter().map(change).collect();
        json!({ "description": { "text": fix.title }, "artifactChanges": changes })
    }

    fn place(&self, span: &Span) -> Value {
        json!({ "artifactLocation": self.artifact(span.file), "region": self.region(span) })
    }

    fn artifact(&self, file: SourceFile) -> Value {
        json!({ "uri": uri(file.path(self.db)) })
    }

    fn region(&self, span: &Span) -> Value {
        let range = span.absolute(self.db);
        let (start, end) = self.positions.ends(span.file, range);
        json!({
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
            "byteOffset": usize::from(range.start()),
            "byteLength": usize::from(range.len()),
        })
    }
}

/// What is said of a code.
fn rule(info: &CodeInfo) -> Value {
    let page = info.text();
    let first = page.split("\n\n").next().unwrap_or(&page);
    let mut rule = json!({
        "id": info.code.as_str(),
        "shortDescription": { "text": info.title },
        "fullDescription": { "text": first },
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "level": level(info.severity) },
    });
    if let Some(lint) = info.lint {
        rule["name"] = json!(lint);
    }
    rule
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// The address of a path: relative as the path is, or of a file on this machine.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use neuro_db::RootDatabase;
    use text_size::{TextRange, TextSize};

    use super::*;

    #[test]
    fn addresses_hold_every_path() {
        assert_eq!(uri("a/b c.nr"), "a/b%20c.nr");
        assert_eq!(uri("/tmp/é.nr"), "file:///tmp/%C3%A9.nr");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        assert_eq!(uri("a:b.nr"), "a%3Ab.nr");
    }

    #[test]
    fn a_result_has_its_places_and_fixes() {
        let mut db = RootDatabase::default();
        let (one, two) = (db.set_text("one.nr", "é = x\n"), db.set_text("two.nr", "const x = 1\n"));
        let span = |file, start, length| {
            Span::in_file(file, TextRange::at(TextSize::new(start), TextSize::new(length)))
        };
        let mut diagnostic = Diagnostic::new(codes::MISMATCH, span(one, 5, 1), "not this")
            .related(span(two, 6, 1), "but that")
            .note("so it is")
            .fix("change both", span(one, 5, 1), "y");
        diagnostic.fixes[0].edits.push(Edit { span: span(two, 6, 1), text: "y".to_owned() });
        let positions = Positions::new(&db);
        let mut log = Log::new(&db, &positions);
        log.add(&diagnostic);
        let log: Value = serde_json::from_str(&log.text()).unwrap();
        let run = &log["runs"][0];
        let result = &run["results"][0];
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!((&rule["id"], &result["ruleId"]), (&json!("E0301"), &json!("E0301")));
        assert_eq!(result["message"]["text"], "not this\nnote: so it is");
        let region = json!({
            "startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 6, "byteOffset": 5, "byteLength": 1,
        });
        let place = json!({ "artifactLocation": { "uri": "one.nr" }, "region": region });
        assert_eq!(result["locations"], json!([{ "physicalLocation": place }]));
        assert_eq!(result["relatedLocations"][0]["message"]["text"], "but that");
        let changes = result["fixes"][0]["artifactChanges"].as_array().unwrap();
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[0]["replacements"][0]["deletedRegion"], region);
        assert_eq!(changes[1]["artifactLocation"]["uri"], "two.nr");
    }
}
