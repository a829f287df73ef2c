//! What is compiled again, and where panics are after an edit.

use super::harness::{CHECKED, WRAPPING, database, function};
use crate::Compiler;

const TEXT: &str = r#"func half(x: i32) -> i32 { x / 2 }

func main() -> i32 {
    print("")
    half(9) + 1
}
"#;

#[test]
fn only_what_changed_is_compiled() {
    let (mut db, file) = database(TEXT);
    let mut compiler = Compiler::new().expect("a compiler");
    let mut run = |db: &neuro_db::RootDatabase, options| {
        let main = function(db, file, "main");
        let program = compiler.compile_program(db, main, options).expect("a program");
        (program.run(), program.work().compiled, program.work().functions)
    };
    assert_eq!(run(&db, CHECKED), (5, 2, 2));
    assert_eq!(run(&db, CHECKED), (5, 0, 2));
    assert_eq!(run(&db, WRAPPING), (5, 2, 2));
    db.set_text("test.nr", &format!("// A comment.\n\n{TEXT}"));
    assert_eq!(run(&db, CHECKED), (5, 0, 2), "a comment changes no code");
    db.set_text("test.nr", &TEXT.replace("x / 2", "x / 3"));
    assert_eq!(run(&db, CHECKED), (4, 1, 2));
    db.set_text("test.nr", TEXT);
    assert_eq!(run(&db, CHECKED), (5, 0, 2), "an edit that is undone finds the old code");
}

#[test]
fn an_old_program_keeps_its_code() {
    let (mut db, file) = database(TEXT);
    let mut compiler = Compiler::new().expect("a compiler");
    let old = compiler.compile_program(&db, function(&db, file, "main"), CHECKED);
    let old = old.expect("a program");
    db.set_text("test.nr", &TEXT.replace("x / 2", "x / 3"));
    let new = compiler.compile_program(&db, function(&db, file, "main"), CHECKED);
    let new = new.expect("a program");
    drop(compiler);
    assert_eq!((old.run(), new.run(), old.run()), (5, 4, 5));
}

#[test]
fn the_text_of_a_function_names_what_it_calls() {
    let (db, file) = database(TEXT);
    let compiler = Compiler::new().expect("a compiler");
    let text = compiler.clif(&db, function(&db, file, "main"), CHECKED).expect("a text");
    assert!(text.contains("; test.nr::main checked\n"), "{text}");
    assert!(text.contains("; u1:0 = address of test.nr::half checked\n"), "{text}");
    assert!(text.contains("return"), "{text}");
}
