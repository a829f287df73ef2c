//! What the tests of this crate share: where the project is, the compiled `neurc`, running it.
//!
//! Owns no behaviour of the compiler; it only looks at it from outside, as a user does.
//! Start at `all/main.rs`, which lists the tests by subject.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The compiled `neurc`, built on first use: the profile is the one that these tests run in.
pub fn neurc() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "-p", "neurc", "--message-format=json"])
            .current_dir(root())
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo starts");
        assert!(build.status.success(), "neurc does not build");
        String::from_utf8_lossy(&build.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
            .next_back()
            .expect("cargo tells where neurc is")
    })
}

/// Runs `neurc` in the project's folder.
pub fn run_neurc(args: &[&str]) -> Output {
    Command::new(neurc()).args(args).current_dir(root()).output().expect("neurc starts")
}

/// Runs `neurc` in the project's folder with this standard input.
pub fn run_neurc_with_input(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(neurc())
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("neurc starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("neurc reads its input");
    child.wait_with_output().expect("neurc ends")
}
