//! Every program of `tests/run` that comes to its end leaves no memory.

use std::path::Path;

use super::harness::{CHECKED, run_with};

#[test]
fn no_program_leaves_anything() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let entries = std::fs::read_dir(folder).expect("the programs").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut count = 0;
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "nr")) {
        let text = std::fs::read_to_string(path).expect("a program");
        // Of one that does not come to its end, everything may be left.
        if text.contains("// status: 134") {
            continue;
        }
        eprintln!("{}", path.display());
        run_with(&text, CHECKED);
        count += 1;
    }
    assert!(count > 25, "the programs are found");
}
