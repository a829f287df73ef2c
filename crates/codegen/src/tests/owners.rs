//! Programs of the folder of programs that own memory in every way: nothing of it is left when they end.

use super::harness::{CHECKED, run_with};

#[test]
fn programs_leave_nothing() {
    for name in [
        "dyn",
        "clones",
        "drops",
        "drops_in_flow",
        "function_values",
        "function_values_kept",
        "guards",
        "interpreter",
        "operators",
        "owners",
        "pipelines",
        "pool_aware",
        "rings",
        "traits",
    ] {
        let path = format!("{}/../../tests/run/{name}.nr", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a program");
        // It asks that nothing is left.
        let (printed, _) = run_with(&text, CHECKED);
        assert!(text.contains(&format!("// out: {}", printed.lines().next().unwrap_or_default())));
    }
}
