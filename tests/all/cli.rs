//! The command line: exit statuses, formats, what goes to which stream.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use neuro_tests::{Scratch, neurc, run_neurc, run_neurc_with_input};
use serde_json::{Value, json};

const WRONG: &str = "func main() -> i32 {\n    val ö = true\n    ö + 1\n}\n";
const RIGHT: &str = "func main() -> i32 {\n    println(\"right\")\n    300\n}\n";
const MODEL: &str = "\
@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2, 1]>, scale: f32, n: i64, on: bool) -> Tensor<f32, []> {
    Tensor::scalar((w * w).sum() * scale)
}

export func plain(x: f64) -> f64 { x * 2.0 }
";

/// What a command did.
struct Done {
    status: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("no signal ends it"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

fn run(args: &[&str]) -> Done {
    run_neurc(args).into()
}

/// Runs a command in a folder.
fn run_in(folder: &Path, args: &[&str]) -> Done {
    Command::new(neurc()).args(args).current_dir(folder).output().expect("neurc starts").into()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

#[test]
fn check_writes_for_people() {
    let scratch = Scratch::new("cli-human");
    scratch.write("wrong.nr", WRONG);
    let done = run_in(scratch.path(), &["check", "wrong.nr"]);
    assert_eq!(done.status, 1);
    assert_eq!(
        done.stdout,
        "error[E0301]: expected `bool`, found an integer literal\n --> wrong.nr:3:9\n  |\n3 |     ö + 1\n  |         ^\n\n"
    );
    assert_eq!(done.stderr, "checked 1 file: 1 error\n");
    let path = scratch.write("right.nr", RIGHT);
    let done = run(&["check", &path]);
    assert_eq!((done.status, &*done.stdout), (0, ""));
    assert_eq!(done.stderr, "checked 1 file: nothing to report\n");
}

#[test]
fn check_writes_a_line_each() {
    let scratch = Scratch::new("cli-short");
    scratch.write("wrong.nr", WRONG);
    scratch.write("right.nr", RIGHT);
    let done = run_in(scratch.path(), &["check", "right.nr", "wrong.nr", "--format", "short"]);
    let line = "wrong.nr:3:9: error[E0301]: expected `bool`, found an integer literal\n";
    assert_eq!((done.status, &*done.stdout, &*done.stderr), (1, line, ""));
}

#[test]
fn check_writes_json() {
    let scratch = Scratch::new("cli-json");
    scratch.write("wrong.nr", WRONG);
    let done = run_in(scratch.path(), &["check", "wrong.nr", "--format", "json"]);
    assert_eq!((done.status, &*done.stderr), (1, ""));
    // Columns count characters, offsets bytes.
    let range = json!({
        "start": { "line": 3, "column": 9, "offset": 48 },
        "end": { "line": 3, "column": 10, "offset": 49 },
    });
    let finding = json!({
        "code": "E0301", "severity": "error", "message": "expected `bool`, found an integer literal",
        "file": "wrong.nr", "range": range, "related": [], "notes": [], "fixes": [],
    });
    assert_eq!(lines(&done.stdout), [finding]);
    let path = scratch.write("right.nr", RIGHT);
    let done = run(&["check", &path, "--format", "json"]);
    assert_eq!((done.status, &*done.stdout), (0, ""));
}

#[test]
fn fixes_in_json_make_the_program_right() {
    let scratch = Scratch::new("cli-fix");
    let mut text = MODEL.replace("w: &mut Tensor", "w: &Tensor");
    let path = scratch.write("model.nr", &text);
    let done = run(&["check", &path, "--format", "json"]);
    let findings = lines(&done.stdout);
    assert_eq!(findings.len(), 1, "{}", done.stdout);
    let fix = &findings[0]["fixes"][0];
    assert!(fix["title"].is_string());
    for edit in fix["edits"].as_array().expect("edits").iter().rev() {
        let offset = |end: &str| edit["range"][end]["offset"].as_u64().expect("bytes") as usize;
        text.replace_range(offset("start")..offset("end"), edit["text"].as_str().expect("a text"));
    }
    assert_eq!(text, MODEL);
}

#[test]
fn check_reads_standard_input() {
    let done = Done::from(run_neurc_with_input(&["check", "-", "--format", "short"], WRONG));
    let line = "<stdin>:3:9: error[E0301]: expected `bool`, found an integer literal\n";
    assert_eq!((done.status, &*done.stdout), (1, line));
    let done = Done::from(run_neurc_with_input(&["check", "-"], RIGHT));
    assert_eq!(done.status, 0);
}

#[test]
fn check_takes_folders() {
    let scratch = Scratch::new("cli-folders");
    for folder in ["a/b", ".hidden", "target"] {
        std::fs::create_dir_all(scratch.path().join(folder)).expect("a folder");
    }
    for path in ["z.nr", "a/y.nr", "a/b/x.nr", ".hidden/w.nr", "target/v.nr", "a/u.txt"] {
        scratch.write(path, WRONG);
    }
    let done = run_in(scratch.path(), &["check", "--format", "short"]);
    let files: Vec<_> = done.stdout.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!((done.status, files), (1, vec!["a/b/x.nr", "a/y.nr", "z.nr"]));
    let done = run_in(scratch.path(), &["check", "a", "a/y.nr", "--format", "short"]);
    assert_eq!(done.stdout.lines().count(), 2, "a file is checked once: {}", done.stdout);
    // The nearest neuro.toml decides which folder is meant.
    scratch.write("neuro.toml", "");
    let done = run_in(&scratch.path().join("a/b"), &["check", "--format", "short"]);
    assert_eq!(done.stdout.lines().count(), 3, "{}", done.stdout);
}

#[test]
fn what_cannot_be_read_is_told() {
    let scratch = Scratch::new("cli-unreadable");
    let missing = scratch.path().join("missing.nr").to_string_lossy().into_owned();
    let binary = scratch.path().join("binary.nr");
    std::fs::write(&binary, b"func \xff\xfe").expect("a file");
    let binary = binary.to_string_lossy().into_owned();
    let folder = scratch.path().to_string_lossy().into_owned();
    let empty = scratch.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let empty = empty.to_string_lossy().into_owned();
    for (args, words) in [
        (&["check", &*missing][..], "No such file"),
        (&["run", &missing], "No such file"),
        (&["grad", &format!("{missing}::loss")], "No such file"),
        (&["ir", &format!("{missing}::loss")], "No such file"),
        (&["check", &binary], "not UTF-8"),
        (&["run", &binary], "not UTF-8"),
        (&["run", &folder], "directory"),
        (&["check", &empty], "no `.nr` file"),
    ] {
        let done = run(args);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{args:?}: {}", done.stderr);
        assert!(done.stderr.starts_with("error: "), "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains(words), "{args:?}: {}", done.stderr);
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_told() {
    for args in [
        &[][..],
        &["fly"],
        &["run"],
        &["run", "a.nr", "-O4"],
        &["check", "--format", "prose"],
        &["ir", "a.nr"],
        &["grad", "::loss"],
        &["explain"],
    ] {
        let done = run(args);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{args:?}");
        assert!(!done.stderr.is_empty(), "{args:?}");
    }
    assert!(run(&["--version"]).stdout.starts_with("neurc "));
}

#[test]
fn run_gives_the_status_of_the_program() {
    let scratch = Scratch::new("cli-run");
    let right = scratch.write("right.nr", RIGHT);
    let done = run(&["run", &right]);
    assert_eq!((done.status, &*done.stdout, &*done.stderr), (300 % 256, "right\n", ""));
    let done = Done::from(run_neurc_with_input(&["run", "-"], RIGHT));
    assert_eq!((done.status, &*done.stdout), (300 % 256, "right\n"));
    let wrong = scratch.write("wrong.nr", WRONG);
    let done = run(&["run", &wrong]);
    assert_eq!((done.status, &*done.stdout), (1, ""));
    assert!(done.stderr.contains("E0301"), "{}", done.stderr);
    let library = scratch.write("library.nr", MODEL);
    let done = run(&["run", &library]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("no function `main`"), "{}", done.stderr);
}

/// What type checks and cannot be run is shown where it stands, by whatever would run it.
#[test]
fn what_does_not_run_yet_is_shown_at_its_word() {
    let scratch = Scratch::new("cli-unsupported");
    let program = "\
func widest(t: &Tensor<f64, [2]>) -> f64 { t.max() }

@grad
func loss(w: &mut Tensor<f64, [2]>) -> Tensor<f64, []> { Tensor::scalar(w.max()) }

func main() -> i32 {
    val t: Tensor<f64, [2]> = [1.0, 2.0]
    println(\"{widest(&t)}\")
    0
}
";
    let program = scratch.write("later.nr", program);
    let grad = format!("{program}::loss");
    for (args, caret) in [
        (&["run", &*program][..], "t.max()"),
        (&["build", &program], "t.max()"),
        (&["grad", &grad], "w.max()"),
    ] {
        let done = run(args);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{args:?}: {}", done.stderr);
        assert!(done.stderr.starts_with("error[E0901]: "), "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains(caret), "{args:?}: {}", done.stderr);
    }
}

#[test]
fn endless_recursion_and_closed_pipes_end_quietly() {
    let scratch = Scratch::new("cli-ends");
    let deep =
        "func down(n: i64) -> i64 { 1 + down(n + 1) }\nfunc main() -> i32 { down(0) as i32 }\n";
    let done = run(&["run", &scratch.write("deep.nr", deep)]);
    assert_eq!((done.status, &*done.stdout), (134, ""));
    assert!(done.stderr.contains("stack overflow"), "{}", done.stderr);

    let chatty = "func main() -> i32 {\n    loop { println(\"more and more and more\") }\n}\n";
    let path = scratch.write("chatty.nr", chatty);
    let mut child = Command::new(neurc())
        .args(["run", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("neurc starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "nobody reads, so nobody is told");
    assert_eq!(output.status.code(), Some(141));
}

#[test]
fn ir_shows_every_stage() {
    let scratch = Scratch::new("cli-ir");
    let path = scratch.write("model.nr", MODEL);
    let function = format!("{path}::loss");
    let text = |stage: &str| {
        let done = run(&["ir", &function, "--stage", stage]);
        assert_eq!((done.status, &*done.stderr), (0, ""), "{stage}");
        done.stdout
    };
    assert!(text("primal").starts_with("func @loss(%0 \"w\": tensor<2x1xf32>"));
    let derivative = text("derivative");
    assert!(derivative.contains("-> (tensor<f32>, tensor<2x1xf32>)"), "{derivative}");
    assert_eq!(run(&["ir", &function]).stdout, derivative, "the usual stage");
    assert!(text("optimised").starts_with("func @loss"));
    assert!(text("loops").contains("for i0 < 2"));
    assert!(text("clif").contains("function u0:"));
    let plain = run(&["ir", &format!("{path}::plain")]);
    assert!(plain.stdout.starts_with("func @plain"), "{}", plain.stdout);
    let absent = run(&["ir", &format!("{path}::absent")]);
    assert_eq!(absent.status, 2);
    assert!(absent.stderr.contains("no function `absent`"), "{}", absent.stderr);
    let wrong = run(&["ir", &format!("{}::main", scratch.write("wrong.nr", WRONG))]);
    assert_eq!((wrong.status, &*wrong.stdout), (1, ""));
}

#[test]
fn grad_takes_inputs_and_gives_json() {
    let scratch = Scratch::new("cli-grad");
    let function = format!("{}::loss", scratch.write("model.nr", MODEL));
    let w = json!({ "shape": [2, 1], "dtype": "f32", "data": [1.5, -2.0] });
    let inputs = json!({ "w": w, "scale": 0.5, "n": 3, "on": false });
    let path = scratch.write("in.json", &inputs.to_string());
    let done = run(&["grad", &function, "--inputs", &path, "--format", "json"]);
    assert_eq!((done.status, &*done.stderr), (0, ""));
    let result = &lines(&done.stdout)[0];
    assert_eq!(result["function"], "loss");
    assert_eq!(result["inputs"], inputs);
    assert_eq!(result["value"], 3.125);
    let gradient = json!({ "shape": [2, 1], "dtype": "f32", "data": [1.5, -2.0] });
    assert_eq!(result["gradients"], json!({ "w": gradient }));
    for number in ["time_us", "compile_us", "workspace_bytes"] {
        assert!(result[number].is_number(), "{number}: {result}");
    }
    // A result is accepted as inputs.
    let again = scratch.write("out.json", &done.stdout);
    let done = run(&["grad", &function, "--inputs", &again, "--format", "json"]);
    assert_eq!(lines(&done.stdout)[0]["value"], 3.125);
}

#[test]
fn grad_samples_what_is_missing() {
    let scratch = Scratch::new("cli-sample");
    let function = format!("{}::loss", scratch.write("model.nr", MODEL));
    let sample = |seed: &str| {
        let done = run(&["grad", &function, "--format", "json", "--seed", seed]);
        assert_eq!(done.status, 0, "{}", done.stderr);
        lines(&done.stdout)[0].clone()
    };
    let (first, again, other) = (sample("0"), sample("0"), sample("1"));
    assert_eq!((&first["inputs"], &first["value"]), (&again["inputs"], &again["value"]));
    assert_ne!(first["inputs"]["w"], other["inputs"]["w"]);
    assert_eq!((&first["inputs"]["n"], &first["inputs"]["on"]), (&json!(1), &json!(true)));
}

#[test]
fn grad_tells_what_does_not_fit() {
    let scratch = Scratch::new("cli-misfit");
    let path = scratch.write("model.nr", MODEL);
    let function = format!("{path}::loss");
    for (inputs, words) in [
        (r#"{"w": {"shape": [3], "data": [1, 2, 3]}}"#, "`w`"),
        (r#"{"w": {"shape": [2, 1], "dtype": "f32", "data": [1]}}"#, "`w`"),
        (r#"{"other": 1}"#, "no parameter `other`"),
        (r#"{"scale": "much"}"#, "`scale`"),
        (r#"{"n": 1.5}"#, "`n`"),
        (r#"{"n": 99999999999999999999}"#, "`n`"),
        (r#"{"on": 3}"#, "`on`"),
        ("[1, 2]", "no inputs"),
        ("{", "no inputs"),
    ] {
        let file = scratch.write("in.json", inputs);
        let done = run(&["grad", &function, "--inputs", &file]);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{inputs}");
        assert!(done.stderr.contains(words), "{inputs}: {}", done.stderr);
    }
    let done = run(&["grad", &format!("{path}::plain")]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("`@grad`"), "{}", done.stderr);
}

#[test]
fn grad_writes_what_is_no_number_as_text() {
    let scratch = Scratch::new("cli-nan");
    let text = "@grad\nfunc f(w: &mut Tensor<f64, [2]>) -> Tensor<f64, []> { Tensor::scalar(w.sqrt().sum()) }\n";
    let function = format!("{}::f", scratch.write("f.nr", text));
    let inputs = r#"{"w": {"shape": [2], "dtype": "f64", "data": [0.0, -1.0]}}"#;
    let inputs = scratch.write("in.json", inputs);
    let done = run(&["grad", &function, "--inputs", &inputs, "--format", "json"]);
    let result = &lines(&done.stdout)[0];
    assert_eq!(result["value"], "NaN");
    assert_eq!(result["gradients"]["w"]["data"], json!(["inf", "NaN"]));
    let done = run(&["grad", &function, "--inputs", &inputs]);
    assert!(done.stdout.contains("inf  nan"), "{}", done.stdout);
}

#[test]
fn explain_prints_the_page_of_a_code() {
    let done = run(&["explain", "E0602"]);
    assert_eq!((done.status, &*done.stderr), (0, ""));
    assert!(done.stdout.starts_with("E0602: "), "{}", done.stdout);
    assert_eq!(run(&["explain", "e0602"]).stdout, done.stdout);
    let unknown = run(&["explain", "E9999"]);
    assert_eq!((unknown.status, &*unknown.stdout), (2, ""));
    assert!(unknown.stderr.contains("E9999"), "{}", unknown.stderr);
    let lint = run(&["explain", "float-cast-out-of-range"]);
    assert_eq!((lint.status, &*lint.stderr), (0, ""));
    assert!(lint.stdout.starts_with("W0301: "), "{}", lint.stdout);
    assert!(lint.stdout.contains("@allow(float_cast_out_of_range)"), "{}", lint.stdout);
}

#[test]
fn a_program_is_its_file_and_the_modules_that_it_needs() {
    let scratch = Scratch::new("cli-modules");
    std::fs::create_dir_all(scratch.path().join("geometry")).expect("a folder");
    let main = "import geometry::{area, half as part}\n\nmodule units {\n    export func half(x: f64) -> f64 { x * 1000.0 }\n}\n\n\
        func main() -> i32 {\n    println(\"{area::of(3.0)} {part(3.0)} {units::half(3.0)} {geometry::LIMIT}\")\n    0\n}\n";
    scratch.write("main.nr", main);
    scratch.write("geometry/mod.nr", "export import tools::half\nexport const LIMIT: i32 = 7\n");
    scratch.write("geometry/tools.nr", "export func half(x: f64) -> f64 { x / 2.0 }\n");
    scratch.write(
        "geometry/area.nr",
        "func half(x: f64) -> f64 { x * 10.0 }\nexport func of(r: f64) -> f64 { half(r) * r }\n",
    );
    let done = run_in(scratch.path(), &["run", "main.nr"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "90.0 1.5 3000.0 7\n"), "{}", done.stderr);
    let done = run_in(scratch.path(), &["check", "main.nr"]);
    assert_eq!((done.status, done.stderr.as_str()), (0, "checked 4 files: nothing to report\n"));

    // A mistake in a module is one of the program.
    scratch.write("geometry/tools.nr", "export func half(x: f64) -> f64 { y / 2.0 }\n");
    let done = run_in(scratch.path(), &["run", "main.nr"]);
    assert_eq!((done.status, done.stdout.as_str()), (1, ""));
    assert!(done.stderr.contains("geometry/tools.nr:1:35"), "{}", done.stderr);
    let done =
        run_in(scratch.path(), &["check", "--format", "short", "geometry/tools.nr", "main.nr"]);
    assert_eq!((done.status, done.stdout.lines().count()), (1, 1), "{}", done.stdout);
}
