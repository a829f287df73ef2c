//! Builds the run-time library that `neurc build` links into executables, so that it can be a part of `neurc`.
//!
//! It is another build of `runtime` than the one that `neurc` itself contains: optimised, and without unwinding. Cargo
//! keeps it in a folder of its own, and does nothing when neither `runtime` nor `num` has changed.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_EMBED_RUNTIME").is_none() {
        return;
    }
    // Read when it runs: one build of this script may serve several checkouts.
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../..");
    for part in ["runtime", "crates/num/src", "crates/num/Cargo.toml", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let folder = PathBuf::from(variable("OUT_DIR")).join("runtime");
    let target = variable("TARGET");
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .current_dir(&root)
        .args(["rustc", "--quiet", "--release", "--package", "neuro-runtime"])
        .args(["--crate-type", "staticlib", "--target", &target, "--target-dir"])
        .arg(&folder)
        .args(["--config", "profile.release.panic=\"abort\""])
        .args(["--config", "profile.release.debug=false"]);
    // What surrounds this build, such as a linter, is not for that one.
    for variable in ["RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS"] {
        cargo.env_remove(variable);
    }
    let status = cargo.status().expect("cargo starts");
    assert!(status.success(), "the run-time library does not build");
    let library = folder.join(target).join("release/libneuro_runtime.a");
    println!("cargo::rustc-env=NEURO_RUNTIME_LIBRARY={}", library.display());
}

fn variable(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}
