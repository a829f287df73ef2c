//! What the tests of this crate share: where the project is, the compiled `neurc`, running it, a language client,
//! made programs.
//!
//! Owns no behaviour of the compiler; it only looks at it from outside, as a user does.
//! Start at `all/main.rs`, which lists the tests by subject.

pub mod client;
pub mod workspace;

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
            .args((!cfg!(debug_assertions)).then_some("--release"))
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

/// A folder of its own for a test, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes an empty folder. The name must be that of no other test.
    pub fn new(name: &str) -> Self {
        let folder = format!("neuro-tests-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file in it; gives the file's path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Random numbers that are the same in every run: SplitMix64.
pub struct Random(u64);

impl Random {
    /// The sequence of a test: always the same, unless `NEURO_TESTS_SEED` asks for another. The seed is printed.
    pub fn of_test(usual: u64) -> Self {
        let wanted = std::env::var("NEURO_TESTS_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = wanted.unwrap_or(usual);
        println!("NEURO_TESTS_SEED={seed}");
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// One of the items.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
