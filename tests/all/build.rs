//! `neurc build`: executables do what `neurc run` does, and what cannot be built is told.

use std::process::{Command, Output};

use neuro_tests::{Scratch, neurc, root, run_neurc, run_neurc_with_input};

use super::programs::{Behaviour, all_hold, programs, promised, read};

/// Whether there is a C compiler. Without one, a test says that it did not run.
pub(super) fn has_linker(test: &str) -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    if !found {
        eprintln!("{test}: not run: there is no `cc`");
    }
    found
}

/// What a built program does.
fn execute(program: &str) -> Output {
    Command::new(program).current_dir(root()).output().expect("the program starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn executables_do_what_programs_promise() {
    if !has_linker("executables") {
        return;
    }
    let scratch = Scratch::new("build-programs");
    all_hold(&programs("tests/run"), |path| {
        let text = read(path);
        // Levels differ where the text says so; else one of them is enough.
        let levels: &[&str] = if text.contains("\n// run: ") { &["-O0", "-O2"] } else { &["-O2"] };
        let name = path.replace(['/', '.'], "-");
        let to = scratch.path().join(name).to_string_lossy().into_owned();
        levels.iter().find_map(|level| {
            let built = run_neurc(&["build", level, path, "-o", &to]);
            if !built.status.success() || !built.stdout.is_empty() {
                return Some(format!("{path} at {level} is not built: {}", stderr(&built)));
            }
            let observed = Behaviour::from(execute(&to));
            let promised = promised(&text, level);
            let fault =
                || format!("{path} at {level}\npromised: {promised:#?}\nobserved: {observed:#?}");
            (promised != observed).then(fault)
        })
    });
}

#[test]
fn what_is_built_and_where_it_goes() {
    let scratch = Scratch::new("build-where");
    let path =
        scratch.write("hello.nr", "func main() -> i32 {\n    println(\"hello\")\n    3\n}\n");
    let folder = scratch.path();
    for (emit, file, words) in [
        ("ir", "hello.ir", "fn() ->"),
        ("clif", "hello.clif", "function u0:0() -> i32"),
        ("obj", "hello.o", ""),
    ] {
        let done = run_neurc(&["build", &path, "--emit", emit]);
        assert_eq!(done.status.code(), Some(0), "{emit}: {}", stderr(&done));
        assert!(done.stdout.is_empty(), "results are files");
        assert!(stderr(&done).starts_with("built `"), "{}", stderr(&done));
        let made = std::fs::read(folder.join(file)).expect("the file");
        assert!(String::from_utf8_lossy(&made).contains(words), "{emit}");
    }
    if !has_linker("names of executables") {
        return;
    }
    let done = run_neurc(&["compile", &path]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let output = execute(&folder.join("hello").to_string_lossy());
    assert_eq!((output.status.code(), &*output.stdout), (Some(3), &b"hello\n"[..]));
    // What is there is replaced.
    let other = "func main() -> i32 { 4 }\n";
    let to = folder.join("hello").to_string_lossy().into_owned();
    let done = run_neurc_with_input(&["build", "-", "-o", &to], other);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(execute(&to).status.code(), Some(4));
    let left: Vec<_> = std::fs::read_dir(folder).expect("the folder").flatten().collect();
    assert_eq!(left.len(), 5, "no draft is left: {left:?}");
}

#[test]
fn what_cannot_be_built_is_told() {
    let scratch = Scratch::new("build-refused");
    let right = scratch.write("right.nr", "func main() -> i32 { 0 }\n");
    let folder = scratch.path().to_string_lossy().into_owned();
    let library = scratch.write("library.nr", "func one() -> i32 { 1 }\n");
    let wrong = scratch.write("wrong.nr", "func main() -> i32 { true }\n");
    let module = scratch.write("part.nr", "export func one() -> i32 { 1 }\n");
    let whole = "import part::one\nfunc main() -> i32 { one() }\n";
    let whole = scratch.write("whole.nr", whole);
    let bare = scratch.write("bare", "func main() -> i32 { 0 }\n");
    let nowhere = format!("{folder}/none/right");
    for (args, status, words) in [
        (&[&*right, "-o", &nowhere][..], 2, "cannot write"),
        (&[&right, "-o", &folder], 2, "folder"),
        (&[&right, "-o", "/dev/full", "--emit", "clif"], 2, "No space left"),
        (&[&right, "-o", &right], 2, "a source of the program"),
        (&[&whole, "-o", &module, "--emit", "obj"], 2, "a source of the program"),
        (&[&bare], 2, "a source of the program"),
        (&["-"], 2, "-o OUT"),
        (&[&library], 2, "no function `main`"),
        (&[&wrong], 1, "E0301"),
        (&[&right, "--emit", "exe", "-O4"], 2, "4 is not in"),
    ] {
        let done = run_neurc(&[&["build"], args].concat());
        let error = stderr(&done);
        assert_eq!((done.status.code(), done.stdout.len()), (Some(status), 0), "{args:?}: {error}");
        assert!(error.contains(words), "{args:?}: {error}");
    }
    assert_eq!(read(&right), "func main() -> i32 { 0 }\n", "sources stay as they are");
    for (linker, words) in [("no-such-linker", "`--emit obj`"), ("false", "failed")] {
        let to = format!("{folder}/out");
        let done =
            Command::new(neurc()).args(["build", &right, "-o", &to]).env("CC", linker).output();
        let done = done.expect("neurc starts");
        assert_eq!(done.status.code(), Some(2), "{linker}");
        assert!(stderr(&done).contains(words), "{linker}: {}", stderr(&done));
        assert!(!std::path::Path::new(&to).exists(), "nothing is made");
    }
}

#[test]
fn executables_end_as_runs_do() {
    if !has_linker("ends of executables") {
        return;
    }
    let scratch = Scratch::new("build-ends");
    let deep = "func down(n: i64) -> i64 { 1 + down(n + 1) }\n\
                func main() -> i32 {\n    println(\"before\")\n    down(0) as i32\n}\n";
    // Deeper than the stack that systems usually give.
    let long = "func down(n: i64) -> i64 { if n == 0 { 0 } else { 1 + down(n - 1) } }\n\
                func main() -> i32 {\n    println(\"{down(1000000)}\")\n    0\n}\n";
    for (name, text, status, out, error) in [
        ("deep", deep, None, "before\n", "panic: stack overflow\n"),
        ("long", long, Some(0), "1000000\n", ""),
    ] {
        let path = scratch.write(&format!("{name}.nr"), text);
        let built = run_neurc(&["build", &path]);
        assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
        let output = execute(path.trim_end_matches(".nr"));
        let observed = (output.status.code(), &*output.stdout, &*stderr(&output));
        assert_eq!(observed, (status, out.as_bytes(), error), "{name}");
    }
}

#[test]
fn c_calls_functions() {
    if !has_linker("calls from C") {
        return;
    }
    let scratch = Scratch::new("build-c");
    let at = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
    let (object, library, program) = (at("model.o"), at("libmodel.a"), at("driver"));
    for (emit, to) in [("obj", &object), ("lib", &library)] {
        let built = run_neurc(&["build", "tests/c/model.nr", "--emit", emit, "-o", to]);
        let notes = "note: C cannot call `File::drop`: `self` is of type `&mut File`\n\
                     note: C cannot call `generic`: it is generic\n\
                     note: C cannot call `file`: `f` is of type `File`\n\
                     note: C cannot call `maybe`: `n` is of type `Option<i32>`\n\
                     note: C cannot call `part`: it gives `&string`\n";
        assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
        assert!(stderr(&built).starts_with(notes), "{}", stderr(&built));
    }
    // The library holds the same object: linked in its place, it brings what that one lacks.
    for inputs in [&[&*library][..], &[&object, &library]] {
        let linked = Command::new("cc")
            .args(["-Wall", "-Werror", "tests/c/model.c", "-o", &program])
            .args(inputs)
            .args(["-lm", "-lpthread"])
            .current_dir(root())
            .output()
            .expect("cc starts");
        assert!(linked.status.success(), "{}", stderr(&linked));
        let output = execute(&program);
        let out = "1.5 2.5 7 4\n3 8 3 9\n34.5 106\n3 -4 3\nno. 7\n2 3, 3, 6 2 6\n\
                   42 1 0 b\n12 2.5 42\nhello 3\n0.5 3, 2 4, 42\n0 98\n0 98, 28 14 56, 0\n\
                   panic: division by zero, assertion failed\n0 128\n";
        assert_eq!(String::from_utf8_lossy(&output.stdout), out);
        assert!(stderr(&output).starts_with("panic: integer overflow at tests/c/model.nr:"));
        assert_eq!(output.status.code(), None, "it aborts");
    }
}
