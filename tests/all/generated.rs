//! Pages that are made from tables: each must be what its table says. `UPDATE_EXPECT=1` rewrites them.

use std::fmt::Write;

use neuro_db::codes;
use neuro_num::MathFn;
use neuro_tests::root;

/// The file must have this text, or gets it.
fn check_page(path: &str, expected: &str) {
    let path = root().join(path);
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, expected).expect("the page is writable");
    } else {
        assert!(found == expected, "{} is not current: run with UPDATE_EXPECT=1", path.display());
    }
}

#[test]
fn the_page_of_diagnostics_is_current() {
    let mut page = String::from(
        "# Diagnostics\n\nEvery code that the compiler reports, as `neurc explain` tells it. This page is made from \
         `crates/db/src/codes`.\n",
    );
    for info in codes::all() {
        let _ = write!(page, "\n## {}: {}\n\n{}\n", info.code.as_str(), info.title, info.text());
    }
    check_page("docs/diagnostics.md", &page);
}

#[test]
fn the_page_of_operations_is_current() {
    let mut page = String::from(
        "# Functions and their derivatives\n\nScalar functions of `f32` and `f64`, elementwise on float tensors. `x` is the \
         value, `p` the argument, `y` the result. This page is made from `crates/num/src/math/table.rs`.\n\n\
         | function | gives | slope | error | special points |\n|---|---|---|---|---|\n",
    );
    for function in MathFn::all() {
        let row = function.row();
        let arguments = if function.arity() == 2 { "p" } else { "" };
        let call = format!("x.{}({arguments})", row.name);
        let slopes = row.partials.iter().map(|partial| format!("`{}`", partial.slope));
        let slopes: Vec<String> = slopes.collect();
        let _ = writeln!(
            page,
            "| `{call}` | {} | {} | {} | {} |",
            row.doc,
            slopes.join(", "),
            row.error,
            row.special
        );
    }
    check_page("docs/operations.md", &page);
}
