//! Executables under valgrind: no access to what is not theirs, and nothing lost at the end. Too slow for every run:
//! with `NEURO_VALGRIND=1` only.

use std::process::Command;

use neuro_tests::{Scratch, root, run_neurc};

use super::build::has_linker;
use super::programs::{all_hold, programs, promised, read};

/// The status that valgrind gives when it found something.
const FOUND: i32 = 99;

#[test]
fn programs_touch_only_what_is_theirs() {
    let wanted = std::env::var_os("NEURO_VALGRIND").is_some();
    let there = || Command::new("valgrind").arg("--version").output().is_ok();
    if !wanted || !has_linker("memory") || !there() {
        eprintln!("memory: not run: it needs NEURO_VALGRIND=1, a C compiler and valgrind");
        return;
    }
    let scratch = Scratch::new("memory");
    let mut all = programs("tests/run");
    all.extend(programs("examples"));
    all_hold(&all, |path| {
        let to = scratch.path().join(path.replace(['/', '.'], "-")).to_string_lossy().into_owned();
        let built = run_neurc(&["build", path, "-o", &to]);
        if !built.status.success() {
            return Some(format!("{path}: {}", String::from_utf8_lossy(&built.stderr)));
        }
        // What a panic leaves behind is no leak: the process ends.
        let ends = promised(&read(path), "-O0").ends_by_itself();
        let leaks = if ends { "--leak-check=full" } else { "--leak-check=no" };
        let output = Command::new("valgrind")
            .args(["--quiet", "--errors-for-leak-kinds=definite,indirect", leaks])
            .args([&format!("--error-exitcode={FOUND}"), &to])
            .current_dir(root())
            .output()
            .expect("valgrind starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        let found = output.status.code() == Some(FOUND) || errors.contains("Invalid");
        found.then(|| format!("{path}:\n{errors}"))
    });
}
