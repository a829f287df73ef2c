//! Tests of the editor features on small programs. `$0` marks the cursor.

mod consequences;

use std::fmt::Write;

use expect_test::{Expect, expect};
use neuro_db::{RootDatabase, SourceFile};
use neuro_grad::Stage;
use text_size::{TextRange, TextSize};

use crate::{
    ViewStage, derivative_view, diagnostics, find_function, hover, lenses, quick_fixes, symbols,
};

const PROGRAM: &str = "const RATE: f32 = 0.5

/// How far the points lie from the centre.
@grad(wrt: [points])
func spread(points: &mut Tensor<f32, [4, 2]>, centre: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    val gaps = points - centre
    val bent = (gaps * RATE).tanh()
    Tensor::scalar((&bent * &bent).mean())
}

func main() -> i32 {
    mut points = Tensor::<f32, [4, 2]>::ones()
    val centre: Tensor<f32, [2]> = [0.5, 1.5]
    val loss = spread(&mut points, &centre)
    loss.backward()
    println(\"{loss.item():.3} {points.grad()[0, 1]}\")
    0
}
";

fn database(text: &str) -> (RootDatabase, SourceFile) {
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    (db, file)
}

/// The offset of the `nth` occurrence of a word, and the text.
fn at(word: &str, nth: usize) -> TextSize {
    let offset = PROGRAM.match_indices(word).nth(nth).expect("the word is there").0;
    TextSize::try_from(offset).expect("a small offset")
}

/// The words that a range covers.
fn words(text: &str, range: TextRange) -> &str {
    &text[std::ops::Range::<usize>::from(range)]
}

fn check_hover(word: &str, nth: usize, expected: Expect) {
    let (db, file) = database(PROGRAM);
    let found = hover(&db, file, at(word, nth)).expect("something to say");
    expected.assert_eq(&format!("on `{}`\n{}", words(PROGRAM, found.range), found.markdown));
}

#[test]
fn hover_on_a_function_shows_its_derivative() {
    check_hover(
        "spread",
        0,
        expect![[r#"
            on `spread`
            ```neuro
            func spread(points: &mut Tensor<f32, [4, 2]>, centre: &Tensor<f32, [2]>) -> Tensor<f32, []>
            ```

            How far the points lie from the centre.

            ```neuro
            loss : Tensor<f32, []>
            ∂loss/∂points : Tensor<f32, [4, 2]>
            ∂²loss/∂points² : Tensor<f32, [4, 2, 4, 2]>
            ```
            Order 1: the gradients are computed, the Hessians are not.

            Constant: `centre`.

            Reverse mode: 22 operations against 10 of the function itself; 32 bytes kept between the sweeps."#]],
    );
}

#[test]
fn hover_on_a_call_shows_the_same() {
    let (db, file) = database(PROGRAM);
    let header = hover(&db, file, at("spread", 0)).expect("the header");
    let call = hover(&db, file, at("spread", 1)).expect("the call");
    assert_eq!(header.markdown, call.markdown);
    assert_eq!(words(PROGRAM, call.range), "spread");
}

#[test]
fn hover_on_parameters_shows_gradients() {
    check_hover(
        "points:",
        0,
        expect![[r#"
        on `points`
        ```neuro
        points: &mut Tensor<f32, [4, 2]>
        ```

        ```neuro
        ∂loss/∂points : Tensor<f32, [4, 2]>
        ```"#]],
    );
    check_hover(
        "points]",
        0,
        expect![[r#"
        on `points`
        ```neuro
        points: &mut Tensor<f32, [4, 2]>
        ```

        ```neuro
        ∂loss/∂points : Tensor<f32, [4, 2]>
        ```"#]],
    );
    check_hover(
        "centre:",
        0,
        expect![[r#"
        on `centre`
        ```neuro
        centre: &Tensor<f32, [2]>
        ```

        A constant of the derivative."#]],
    );
    check_hover(
        "centre\n",
        0,
        expect![[r#"
        on `centre`
        ```neuro
        centre: &Tensor<f32, [2]>
        ```

        A constant of the derivative."#]],
    );
}

#[test]
fn hover_on_names_and_expressions_shows_types() {
    check_hover(
        "gaps",
        0,
        expect![[r#"
        on `gaps`
        ```neuro
        val gaps: Tensor<f32, [4, 2]>
        ```"#]],
    );
    check_hover(
        "RATE)",
        0,
        expect![[r#"
        on `RATE`
        ```neuro
        const RATE: f32 = 0.5
        ```"#]],
    );
    check_hover(
        "- centre",
        0,
        expect![[r#"
        on `points - centre`
        ```neuro
        Tensor<f32, [4, 2]>
        ```"#]],
    );
    check_hover(
        "[0, 1]",
        0,
        expect![[r#"
        on `points.grad()[0, 1]`
        ```neuro
        f32
        ```"#]],
    );
    check_hover(
        "&bent *",
        0,
        expect![[r#"
        on `&bent`
        ```neuro
        &Tensor<f32, [4, 2]>
        ```"#]],
    );
}

#[test]
fn hover_on_methods_and_attributes_shows_what_they_do() {
    check_hover(
        "tanh",
        0,
        expect![[r#"
            on `tanh`
            ```neuro
            .tanh() : Tensor<f32, [4, 2]>
            ```

            Hyperbolic tangent."#]],
    );
    check_hover(
        "backward",
        0,
        expect![[r#"
            on `backward`
            ```neuro
            .backward() : void
            ```

            Runs the derivative of the `@grad` call that gave this loss, and puts each gradient beside its tensor."#]],
    );
    check_hover(
        "grad(",
        0,
        expect![[r#"
            on `grad`
            ```neuro
            @grad
            ```

            Makes the gradient of a function whose result is a tensor of rank 0, and at order 2 its Hessian, while compiling.

            ```neuro
            loss : Tensor<f32, []>
            ∂loss/∂points : Tensor<f32, [4, 2]>
            ∂²loss/∂points² : Tensor<f32, [4, 2, 4, 2]>
            ```
            Order 1: the gradients are computed, the Hessians are not.

            Constant: `centre`.

            Reverse mode: 22 operations against 10 of the function itself; 32 bytes kept between the sweeps."#]],
    );
}

#[test]
fn nothing_is_said_of_white_space_and_punctuation() {
    let (db, file) = database(PROGRAM);
    assert_eq!(hover(&db, file, at("\n\nfunc main", 0) + TextSize::new(1)), None);
}

#[test]
fn lenses_stand_over_main_and_derivatives_also_while_the_body_is_broken() {
    for text in [PROGRAM.to_owned(), PROGRAM.replace("(gaps * RATE).tanh()", "(gaps * ")] {
        let (db, file) = database(&text);
        let found: Vec<_> = lenses(&db, file)
            .iter()
            .map(|lens| format!("{} {}", lens.action.title(), lens.function))
            .collect();
        assert_eq!(found, ["▶ gradient spread", "derivative IR spread", "▶ run main"]);
    }
}

#[test]
fn symbols_are_the_items() {
    let (db, file) = database(PROGRAM);
    let found: Vec<_> = symbols(&db, file)
        .iter()
        .map(|symbol| (symbol.name.clone(), words(PROGRAM, symbol.name_range)))
        .collect();
    let names = ["RATE", "spread", "main"];
    assert_eq!(found, names.map(|name| (name.to_owned(), name)));
}

#[test]
fn a_view_follows_its_source() {
    let (db, file) = database(PROGRAM);
    let spread = find_function(&db, file, "spread").expect("the function");
    let view =
        derivative_view(&db, spread, ViewStage::Graph(Stage::Derivative)).expect("a derivative");
    let lines: Vec<_> = view.text.lines().collect();
    let mut drawn = String::new();
    for line in &view.lines {
        let _ = writeln!(
            drawn,
            "{:<60} <- {}",
            lines[line.line as usize].trim(),
            words(PROGRAM, line.range)
        );
    }
    expect![[r#"
        %2 = broadcast %1 {axes = [1]} : tensor<4x2xf32> loc(0)      <- points - centre
        %3 = sub %0, %2 : tensor<4x2xf32> loc(0)                     <- points - centre
        %5 = broadcast %4 {axes = []} : tensor<4x2xf32> loc(1)       <- gaps * RATE
        %6 = mul %3, %5 : tensor<4x2xf32> loc(1)                     <- gaps * RATE
        %7 = tanh %6 : tensor<4x2xf32> loc(2)                        <- (gaps * RATE).tanh()
        %8 = mul %7, %7 : tensor<4x2xf32> loc(3)                     <- &bent * &bent
        %9 = sum %8 {axes = [0, 1]} : tensor<f32> loc(4)             <- (&bent * &bent).mean()
        %11 = div %9, %10 : tensor<f32> loc(4)                       <- (&bent * &bent).mean()
        %13 = const 0.125 : tensor<f32> loc(4)                       <- (&bent * &bent).mean()
        %14 = broadcast %13 {axes = []} : tensor<4x2xf32> loc(4)     <- (&bent * &bent).mean()
        %15 = mul %14, %7 : tensor<4x2xf32> loc(3)                   <- &bent * &bent
        %16 = add %15, %15 : tensor<4x2xf32> loc(3)                  <- &bent * &bent
        %18 = sub %17, %8 : tensor<4x2xf32> loc(2)                   <- (gaps * RATE).tanh()
        %19 = mul %16, %18 : tensor<4x2xf32> loc(2)                  <- (gaps * RATE).tanh()
        %20 = mul %19, %5 : tensor<4x2xf32> loc(1)                   <- gaps * RATE
    "#]]
    .assert_eq(&drawn);
}

#[test]
fn a_view_says_why_there_is_none() {
    let check = |text: &str, name: &str, expected: &str| {
        let (db, file) = database(text);
        let function = find_function(&db, file, name).expect("the function");
        let found = derivative_view(&db, function, ViewStage::Graph(Stage::Derivative));
        assert_eq!(found.expect_err("no view"), expected);
    };
    check(PROGRAM, "main", "`main` is no graph: it contains a `.backward()`");
    check("func f(x: f32) -> f32 { x }", "f", "`f` asks for no derivative: it has no `@grad`");
    check("func f(x: f32) -> f32 { y }", "f", "`f` has no graph while its file has errors");
}

#[test]
fn a_fix_makes_its_diagnostic_go_away() {
    fixes_mend(&PROGRAM.replace("(&bent * &bent)", "(bent * bent)"));
    fixes_mend(
        "@grad
func loss(w: &mut Tensor<f32, [2]>, early: bool) -> f32 {
    if early { return w[0] }
    val more = w.map(|x| { return x * x })
    w.sum() + more.sum()
}
",
    );
}

/// Applies each fix of a program with one diagnostic, and expects it to leave none.
fn fixes_mend(text: &str) {
    let (mut db, file) = database(text);
    let found = diagnostics(&db, file);
    assert_eq!(found.len(), 1, "{found:?}");
    let range = found[0].span.absolute(&db);
    let fixes = quick_fixes(&db, file, range);
    assert!(!fixes.is_empty());
    for fix in fixes {
        let mut repaired = text.to_owned();
        let mut edits = fix.edits.clone();
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start()));
        for (range, new) in edits {
            repaired.replace_range(std::ops::Range::<usize>::from(range), &new);
        }
        let file = db.set_text("repaired.nr", &repaired);
        assert_eq!(diagnostics(&db, file), [], "{}", fix.title);
    }
}

#[test]
fn one_mistake_in_a_shared_helper_is_reported_once() {
    let text = "func helper(x: &Tensor<f64, [2]>) -> f64 {
    println(\"seen\")
    x.sum()
}
@grad
func first(x: &mut Tensor<f64, [2]>) -> Tensor<f64, []> { Tensor::scalar(helper(x)) }
@grad
func second(x: &mut Tensor<f64, [2]>) -> Tensor<f64, []> { Tensor::scalar(helper(x)) }
";
    let (db, file) = database(text);
    let found = diagnostics(&db, file);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(words(text, found[0].span.absolute(&db)), "println");
    assert_eq!(found[0].message, "cannot differentiate through printing");
    assert_eq!(words(text, found[0].related[0].span.absolute(&db)), "first");
}

#[test]
fn functions_are_found_by_what_they_stand_in() {
    let text = "module m { func f() {} module n { func f() {} } }\nfunc f() {}\nstruct S {}\nimpl S { func f() {} }\n";
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    let found = |name: &str| find_function(&db, file, name).map(|found| found.path(&db));
    for name in ["f", "m::f", "m::n::f"] {
        assert_eq!(found(name).as_deref(), Some(name));
    }
    assert_eq!(found("S::f").as_deref(), Some("impl S::f"));
    assert_eq!(found("n::f"), None);
    assert_eq!(found("m::g"), None);
}

#[test]
fn a_derivative_names_one_thing_that_it_does_not_go_through_yet() {
    let text = "struct Scale { k: f64 }
@grad
func loss(w: &mut Tensor<f64, [2]>) -> Tensor<f64, []> {
    val s = Scale { k: 2.0 }
    val all = [1.0, 2.0]
    Tensor::scalar(w.sum() * s.k + all[1])
}
";
    let (db, file) = database(text);
    let found = diagnostics(&db, file);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, neuro_db::codes::UNSUPPORTED);
    assert_eq!(found[0].message, "a struct in what is differentiated is not supported yet");
    assert_eq!(words(text, found[0].span.absolute(&db)), "Scale");
}
