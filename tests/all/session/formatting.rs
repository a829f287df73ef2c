//! The formatter as an editor asks for it: few edits, in the client's encoding, of the text as it stands now.

use serde_json::{Value, json};

use super::client::{Session, at, position_of};

const URI: &str = "file:///somewhere/untidy.nr";

const OPTIONS: fn() -> Value = || json!({ "tabSize": 8, "insertSpaces": false });

fn format(session: &mut Session) -> Value {
    let params = json!({ "textDocument": { "uri": URI }, "options": OPTIONS() });
    session.request("textDocument/formatting", params)
}

fn format_range(session: &mut Session, range: &Value) -> Value {
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "options": OPTIONS() });
    session.request("textDocument/rangeFormatting", params)
}

/// Where a position of a client that counts in UTF-16 is in a text.
fn offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| position[key].as_u64().expect("a number") as usize;
    let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    let mut units = 0;
    let inside = text[start..].char_indices().find(|(_, character)| {
        let reached = units >= number("character");
        units += character.len_utf16();
        reached
    });
    inside.map_or(text.len(), |(at, _)| start + at)
}

/// A text with edits of it, which all speak of the text before any of them.
fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let place = |end: &str| offset(text, &edit["range"][end]);
            (place("start"), place("end"), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

#[test]
fn a_document_is_formatted_by_few_edits() {
    let mut session = Session::counting_in("utf-16");
    let text = "// tidy\nfunc a() -> i32 { 1 }\n\nfunc b( )->i32{\n  /* 🦀 */  2\n}\n";
    session.open(URI, text);
    let edits = format(&mut session);
    let tidy = "// tidy\nfunc a() -> i32 { 1 }\n\nfunc b() -> i32 {\n    /* 🦀 */ 2\n}\n";
    assert_eq!(edited(text, &edits), tidy, "{edits}");
    for edit in edits.as_array().expect("a list") {
        let line = edit["range"]["start"]["line"].as_u64().expect("a line");
        assert!(line >= 3, "what is tidy is left alone: {edit}");
    }

    // The edits are of the text as it is now, and none are needed after them.
    session.replace(URI, tidy);
    assert_eq!(format(&mut session), json!([]));
}

#[test]
fn a_range_is_formatted_and_nothing_around_it() {
    let mut session = Session::counting_in("utf-16");
    let text = "func a( ) {  }\nfunc b( ) {\n  one( )\n  two( )\n}\nfunc c( ) {  }\n";
    session.open(URI, text);
    let range = json!({ "start": position_of(text, "two", 0), "end": position_of(text, "two", 0) });
    let edits = format_range(&mut session, &range);
    let after = edited(text, &edits);
    assert!(after.contains("    two()\n"), "{after}");
    assert!(after.starts_with("func a( ) {  }\n"), "{after}");
    assert!(after.ends_with("func c( ) {  }\n"), "{after}");

    let nothing = json!({ "start": at(99, 0), "end": at(99, 7) });
    assert_eq!(format_range(&mut session, &nothing), json!([]), "behind the end");
}

#[test]
fn mistakes_are_worked_around() {
    let mut session = Session::counting_in("utf-16");
    let text = "func a( ) {  }\nfunc b( ) {\n  val x = = 1\n}\nfunc c( ) {  }\n";
    session.open(URI, text);
    let edits = format(&mut session);
    let expected = "func a() {}\nfunc b( ) {\n  val x = = 1\n}\nfunc c() {}\n";
    assert_eq!(edited(text, &edits), expected);
}
