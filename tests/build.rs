//! Compiles the grammar of the editors, which the tests compare with the parser.

fn main() {
    let folder = "../syntax/tree-sitter-neuro/src";
    let mut build = cc::Build::new();
    for file in ["parser.c", "scanner.c"] {
        let path = format!("{folder}/{file}");
        println!("cargo:rerun-if-changed={path}");
        build.file(path);
    }
    // Generated code is checked where it is generated.
    build.include(folder).std("c11").opt_level(2).warnings(false).compile("tree-sitter-neuro");
}
