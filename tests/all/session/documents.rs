//! What the server says of documents: diagnostics, hovers, lenses, fixes, derivatives as text.

use serde_json::{Value, json};

use super::client::{Session, at, position_of, range_of};

const URI: &str = "file:///somewhere/model.nr";

const MODEL: &str = "\
export const SCALE: f64 = 0.5

/// Half the squared distance.
@grad(wrt: [w])
func loss(w: &mut Tensor<f64, [2]>, goal: &Tensor<f64, [2]>) -> Tensor<f64, []> {
    val d = w - goal
    Tensor::scalar(SCALE * (&d * &d).sum())
}

func main() -> i32 {
    mut start: Tensor<f64, [2]> = [3.0, -1.0]
    val goal: Tensor<f64, [2]> = [1.0, 1.0]
    val l = loss(&mut start, &goal)
    l.backward()
    println(\"{l.item()}\")
    0
}
";

#[test]
fn the_server_says_what_it_can_do() {
    let mut session = Session::silent();
    let capabilities = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let params = json!({ "processId": null, "capabilities": capabilities });
    let answer = session.request("initialize", params);
    assert_eq!(answer["serverInfo"]["name"], "neurc");
    let can = &answer["capabilities"];
    assert_eq!(can["positionEncoding"], "utf-8", "bytes where the client offers them");
    assert_eq!(can["textDocumentSync"], json!({ "openClose": true, "change": 2, "save": true }));
    for feature in
        ["hoverProvider", "codeLensProvider", "codeActionProvider", "documentSymbolProvider"]
    {
        assert!(!can[feature].is_null() && can[feature] != false, "{feature}: {can}");
    }
    let commands = can["executeCommandProvider"]["commands"].as_array().expect("commands");
    for command in ["run", "gradient", "stop", "derivative", "restartWorker"] {
        assert!(commands.contains(&json!(format!("neuro.{command}"))), "{command}: {commands:?}");
    }
    session.wait("neuro/serverStatus", |status| status["health"] == "ok");
}

#[test]
fn a_client_without_encodings_counts_in_utf_16() {
    let mut session = Session::silent();
    let answer = session.request("initialize", json!({ "processId": null, "capabilities": {} }));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
}

#[test]
fn diagnostics_follow_the_text() {
    let mut session = Session::start();
    let broken = MODEL.replace("val d = w - goal", "val d = w - gaol");
    let version = session.open(URI, &broken);
    let diagnostics = session.diagnostics(URI, version);
    assert_eq!(diagnostics.len(), 1, "one mistake, one diagnostic: {diagnostics:?}");
    assert_eq!(diagnostics[0]["range"], range_of(&broken, "gaol", 0));
    assert_eq!(diagnostics[0]["severity"], 1);
    assert_eq!(diagnostics[0]["source"], "neurc");
    assert!(diagnostics[0]["message"].as_str().expect("a text").contains("gaol"));

    // Two lines above move the mistake.
    let above = json!({ "start": at(0, 0), "end": at(0, 0) });
    let version = session.change(URI, json!([{ "range": above, "text": "// one\n// two\n" }]));
    let moved = format!("// one\n// two\n{broken}");
    let diagnostics = session.diagnostics(URI, version);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["range"], range_of(&moved, "gaol", 0));

    let word = range_of(&moved, "gaol", 0);
    let version = session.change(URI, json!([{ "range": word, "text": "goal" }]));
    assert_eq!(session.diagnostics(URI, version), Vec::<Value>::new(), "repaired");

    let version = session.change(
        URI,
        json!([
            { "range": range_of(&moved.replace("gaol", "goal"), "SCALE", 1), "text": "SCALES" },
            { "range": { "start": at(0, 0), "end": at(1, 0) }, "text": "" },
        ]),
    );
    let diagnostics = session.diagnostics(URI, version);
    let now = format!("// two\n{}", MODEL.replace("SCALE *", "SCALES *"));
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0]["range"], range_of(&now, "SCALES", 0), "changes apply in order");
}

#[test]
fn a_closed_document_has_no_diagnostics() {
    let mut session = Session::start();
    let version = session.open(URI, "func f() -> i32 { missing }\n");
    assert_eq!(session.diagnostics(URI, version).len(), 1);
    session.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let cleared = session.wait("textDocument/publishDiagnostics", |params| params["uri"] == URI);
    assert_eq!(cleared["diagnostics"], json!([]));
    assert!(cleared["version"].is_null(), "a closed document has no version");
    assert_eq!(session.hover(URI, at(0, 6)), None);
}

#[test]
fn hovers_tell_types_and_gradients() {
    let mut session = Session::start();
    session.open(URI, MODEL);
    let mut hover = |word: &str, nth: usize| {
        session.hover(URI, position_of(MODEL, word, nth)).unwrap_or_else(|| panic!("{word} {nth}"))
    };
    let local = hover("d = w", 0);
    assert!(local.contains("d: Tensor<f64, [2]>"), "{local}");
    let function = hover("loss(w", 0);
    for part in
        ["func loss", "Half the squared distance.", "∂loss/∂w : Tensor<f64, [2]>", "Constant"]
    {
        assert!(function.contains(part), "{part}: {function}");
    }
    let call = hover("loss(&mut", 0);
    assert!(call.contains("∂loss/∂w"), "a call tells what the declaration tells: {call}");
    let parameter = hover("w: &mut", 0);
    assert!(parameter.contains("w: &mut Tensor<f64, [2]>"), "{parameter}");
    assert!(parameter.contains("∂loss/∂w : Tensor<f64, [2]>"), "{parameter}");
    let constant = hover("goal: &", 0);
    assert!(constant.contains("constant"), "{constant}");
    let scale = hover("SCALE *", 0);
    assert!(scale.contains("SCALE: f64 = 0.5"), "{scale}");
    let method = hover("sum", 0);
    assert!(method.contains(".sum() : f64"), "{method}");
    assert_eq!(session.hover(URI, at(1, 0)), None, "an empty line");
}

#[test]
fn lenses_stand_at_names_and_stay_while_a_body_is_broken() {
    let mut session = Session::start();
    session.open(URI, MODEL);
    let lens =
        |title: &str, function: &str, line: u64| (title.to_owned(), function.to_owned(), line);
    let expected = |shift: u64| {
        [
            lens("▶ gradient", "loss", 4 + shift),
            lens("derivative IR", "loss", 4 + shift),
            lens("▶ run", "main", 9 + shift),
        ]
    };
    assert_eq!(session.lenses(URI), expected(0));
    session.replace(URI, &format!("\n{}", MODEL.replace("val d = w - goal", "val d = (w -")));
    assert_eq!(session.lenses(URI), expected(1));
}

#[test]
fn symbols_list_the_items() {
    let mut session = Session::start();
    session.open(URI, MODEL);
    let params = json!({ "textDocument": { "uri": URI } });
    let symbols = session.request("textDocument/documentSymbol", params);
    let names: Vec<_> = symbols.as_array().expect("a list").iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["SCALE", "loss", "main"]);
}

#[test]
fn a_fix_makes_its_diagnostic_go_away() {
    let mut session = Session::start();
    // The derivative needs `w` by `&mut`.
    let broken = MODEL.replace("loss(w: &mut Tensor", "loss(w: &Tensor");
    let version = session.open(URI, &broken);
    let diagnostics = session.diagnostics(URI, version);
    let wrong = diagnostics
        .iter()
        .find(|diagnostic| diagnostic["code"] == "E0602")
        .unwrap_or_else(|| panic!("no E0602: {diagnostics:?}"));
    let params = json!({
        "textDocument": { "uri": URI },
        "range": wrong["range"],
        "context": { "diagnostics": [wrong] },
    });
    let actions = session.request("textDocument/codeAction", params);
    let fix = actions
        .as_array()
        .expect("a list")
        .iter()
        .find(|action| action["kind"] == "quickfix")
        .unwrap_or_else(|| panic!("no fix: {actions}"));
    assert_eq!(fix["diagnostics"][0]["code"], "E0602");
    let edits = &fix["edit"]["changes"][URI];
    let changes: Vec<Value> = edits
        .as_array()
        .expect("edits")
        .iter()
        .rev()
        .map(|edit| json!({ "range": edit["range"], "text": edit["newText"] }))
        .collect();
    let version = session.change(URI, json!(changes));
    assert_eq!(session.diagnostics(URI, version), Vec::<Value>::new());
}

#[test]
fn actions_carry_the_lenses_of_the_function() {
    let mut session = Session::start();
    session.open(URI, MODEL);
    let params = json!({
        "textDocument": { "uri": URI },
        "range": range_of(MODEL, "val d", 0),
        "context": { "diagnostics": [] },
    });
    let actions = session.request("textDocument/codeAction", params);
    let commands: Vec<_> = actions
        .as_array()
        .expect("a list")
        .iter()
        .map(|action| (&action["command"]["command"], &action["command"]["arguments"]))
        .collect();
    let argument = json!([{ "uri": URI, "function": "loss" }]);
    let expected = [(&json!("neuro.gradient"), &argument), (&json!("neuro.derivative"), &argument)];
    assert_eq!(commands, expected);
}

#[test]
fn the_derivative_is_shown_with_the_words_it_comes_from() {
    let mut session = Session::start();
    session.open(URI, MODEL);
    let params = json!({
        "textDocument": { "uri": URI },
        "position": position_of(MODEL, "val d", 0),
    });
    let view = session.request("neuro/derivative", params.clone());
    assert_eq!((&view["function"], &view["stale"]), (&json!("loss"), &json!(false)));
    let text = view["text"].as_str().expect("a text");
    let lines = text.lines().count() as u64;
    let map = view["map"].as_array().expect("a list");
    assert!(!map.is_empty());
    let inside = position_of(MODEL, "func loss", 0)["line"].as_u64()
        ..=position_of(MODEL, "func main", 0)["line"].as_u64();
    for origin in map {
        assert!(origin["line"].as_u64().expect("a line") < lines, "{origin}");
        assert!(inside.contains(&origin["range"]["start"]["line"].as_u64()), "{origin}");
    }
    let by_command = session.command("neuro.derivative", json!({ "uri": URI, "function": "loss" }));
    assert_eq!(by_command["text"], view["text"]);

    let stage = |session: &mut Session, stage: &str| {
        let mut params = params.clone();
        params["stage"] = json!(stage);
        session.request("neuro/derivative", params)["text"].as_str().expect("a text").to_owned()
    };
    assert_eq!(stage(&mut session, "derivative"), text, "the derivative is the usual stage");
    let others = ["primal", "optimised", "loops"].map(|name| stage(&mut session, name));
    assert!(others[0].len() < text.len(), "the function is less than its derivative");
    assert!(others[1].len() <= text.len());
    assert!(others[2].contains("workspace"), "{}", others[2]);

    let unknown = json!({ "textDocument": { "uri": URI }, "position": at(1, 0) });
    let id = session.ask("neuro/derivative", unknown);
    let error = session.answer(id).expect_err("an empty line is no function");
    assert!(error["message"].as_str().expect("a text").contains("no function"), "{error}");
}

#[test]
fn every_column_can_be_asked_in_every_encoding() {
    let text =
        "// 🧠𝛁 é\r\nfunc f(é: i32) -> i32 { /* 🧠 */ val ü = é println(\"🧠{ü}\") ü + }\r\n";
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut session = Session::counting_in(encoding);
        session.open(URI, text);
        for line in 0..4 {
            let units = text.lines().nth(line).map_or(0, str::len) + 3;
            let hovers: Vec<i64> = (0..units)
                .map(|column| {
                    let position = at(line, column);
                    let params = json!({ "textDocument": { "uri": URI }, "position": position });
                    session.ask("textDocument/hover", params)
                })
                .collect();
            for id in hovers {
                session.answer(id).unwrap_or_else(|error| panic!("{encoding} {line}: {error}"));
            }
        }
        let column = match encoding {
            "utf-8" => "func f(é: i32) -> i32 { /* 🧠 */ val ".len(),
            "utf-16" => "func f(é: i32) -> i32 { /* 🧠 */ val ".encode_utf16().count(),
            _ => "func f(é: i32) -> i32 { /* 🧠 */ val ".chars().count(),
        };
        let hover = session.hover(URI, at(1, column)).expect("a local");
        assert!(hover.contains("ü: i32"), "{encoding}: {hover}");
    }
}

#[test]
fn two_spellings_of_an_address_are_one_document() {
    let mut session = Session::start();
    let (one, other) = ("file:///a%20b/%C3%A9%23.nr", "file:///a%20b/%c3%a9%23.nr");
    session.open(one, "func f() -> i32 { 1 }\n");
    assert!(session.hover(other, at(0, 5)).is_some());
    let version = session.replace(other, "func f() -> i32 { missing }\n");
    assert_eq!(session.diagnostics(other, version).len(), 1);
}
