//! The style, case by case.

use super::formatted;
use expect_test::{Expect, expect};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&formatted(text));
}

/// Statements, in a function.
fn check_body(text: &str, expected: &Expect) {
    let formatted = formatted(&format!("func f() {{\n{text}\n}}\n"));
    let lines: Vec<&str> = formatted.lines().collect();
    let body = &lines[1..lines.len() - 1];
    let body: Vec<&str> =
        body.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    expected.assert_eq(&(body.join("\n") + "\n"));
}

#[test]
fn blank_lines_are_kept_one_at_a_time() {
    check(
        "\n\n// a\n\n\n// b\nfunc a() {\n\n\n  one()\n\n\n\n  two()\n  three()\n\n}\n\n\n\nfunc b() {}\nfunc c() {}\n\n\n",
        &expect![[r#"
            // a

            // b
            func a() {
                one()

                two()
                three()
            }

            func b() {}
            func c() {}
        "#]],
    );
}

#[test]
fn items_stand_on_lines_of_their_own() {
    check(
        "@grad(wrt:[a])@allow(x) export func f(a:i32)->i32{a}\nstruct P{x:i32,y:i32}\nstruct Q{x:i32\ny:i32}\nimport a::{b,c as d}",
        &expect![[r#"
            @grad(wrt: [a])
            @allow(x)
            export func f(a: i32) -> i32 { a }
            struct P { x: i32, y: i32 }
            struct Q {
                x: i32,
                y: i32,
            }
            import a::{b, c as d}
        "#]],
    );
}

#[test]
fn blocks_written_on_one_line_stay_there() {
    check_body(
        "if a { b }\nif a { b } else { c }\nif a { b }\nelse { c }\nwhile a { if b { c } }\nval x = if a { 1 } else { 2 }",
        &expect![[r#"
            if a { b }
            if a { b } else { c }
            if a {
                b
            } else {
                c
            }
            while a {
                if b { c }
            }
            val x = if a { 1 } else { 2 }
        "#]],
    );
}

#[test]
fn lines_break_behind_operators() {
    check_body(
        "val x = first_of_the_operands_of_the_sum + second_of_the_operands_of_the_sum - third_of_the_operands_of_the_sum\nreturn first_of_the_operands_of_the_sum * second_of_the_operands_of_the_sum < third_of_the_operands_of_the_sum",
        &expect![[r#"
            val x =
                first_of_the_operands_of_the_sum +
                second_of_the_operands_of_the_sum -
                third_of_the_operands_of_the_sum
            return first_of_the_operands_of_the_sum * second_of_the_operands_of_the_sum <
                third_of_the_operands_of_the_sum
        "#]],
    );
}

#[test]
fn chains_break_in_front_of_dots_and_pipes() {
    check_body(
        "val x = the_collection_of_the_items.filter(the_predicate_of_the_filter).map(the_function_of_the_map).sum()\nval y = the_first_stage_of_the_pipeline |> the_second_stage_of_the_pipeline |> the_third_stage_of_it",
        &expect![[r#"
            val x = the_collection_of_the_items
                .filter(the_predicate_of_the_filter)
                .map(the_function_of_the_map)
                .sum()
            val y = the_first_stage_of_the_pipeline
                |> the_second_stage_of_the_pipeline
                |> the_third_stage_of_it
        "#]],
    );
}

#[test]
fn closures_and_literals_stay_at_their_brackets() {
    check_body(
        "run(1, |x| {\none(x)\ntwo(x)\n})\nval p = Some(Point { x: the_first_coordinate_of_the_point_of_it, y: the_second_coordinate_of_the_point })\nsend(&[\n1, 2,\n3])",
        &expect![[r#"
            run(1, |x| {
                one(x)
                two(x)
            })
            val p = Some(Point {
                x: the_first_coordinate_of_the_point_of_it,
                y: the_second_coordinate_of_the_point,
            })
            send(&[
                1, 2,
                3,
            ])
        "#]],
    );
}

#[test]
fn arms_end_in_commas_unless_they_are_blocks() {
    check_body(
        "match x { 1 => a\n 2 => { b },\n3 | 4 if c => return\n_ => d }",
        &expect![[r#"
        match x {
            1 => a,
            2 => { b }
            3 | 4 if c => return,
            _ => d,
        }
    "#]],
    );
}

#[test]
fn comments_stay_at_what_they_are_about() {
    check_body(
        "f( // why\n a, /* a */ b // b\n )\nval x = a // one\n // two\n + b\nif a { // three\n} // four\nelse { b } /* five */\n/* six\n   seven */\n/* eight */ c()",
        &expect![[r#"
            f( // why
                a,
                /* a */ b, // b
            )
            val x =
                a + // one
                // two
                b
            if a { // three
            } else { // four
                b
            } /* five */
            /* six
               seven */
            /* eight */ c()
        "#]],
    );
}

/// A text is never split: what stands around it breaks instead.
#[test]
fn long_texts_get_lines_of_their_own() {
    check_body(
        "println(\"a text that is as long as a text may be that has a line of its own, with a value: {value:.3}\")\nval x = parse(input).expect(\"whoever has called this function has made sure that it is a number\")\nresult.map_err(|error| \"the file at {path} could not be read, so that nothing is known of it: {error}\")",
        &expect![[r#"
            println(
                "a text that is as long as a text may be that has a line of its own, with a value: {value:.3}",
            )
            val x = parse(input)
                .expect("whoever has called this function has made sure that it is a number")
            result.map_err(
                |error| "the file at {path} could not be read, so that nothing is known of it: {error}",
            )
        "#]],
    );
}

#[test]
fn bodies_break_with_their_heads() {
    check_body(
        "while the_first_condition_of_the_loop(a) && the_second_condition_of_the_loop(b) && also_c { work() }\nval v = match the_collection_of_the_items.iter().find(|item| item.number == wanted).map(|x| x.value) { Some(v) => v, None => 0 }\non_event(|event| match event { Event::Click(x, y) => click(x, y), Event::Key(key) => press(key), _ => wait() })",
        &expect![[r#"
            while the_first_condition_of_the_loop(a) && the_second_condition_of_the_loop(b) && also_c {
                work()
            }
            val v = match the_collection_of_the_items
                    .iter()
                    .find(|item| item.number == wanted)
                    .map(|x| x.value) {
                Some(v) => v,
                None => 0,
            }
            on_event(|event| match event {
                Event::Click(x, y) => click(x, y),
                Event::Key(key) => press(key),
                _ => wait(),
            })
        "#]],
    );
}

#[test]
fn bodies_of_functions_break_with_their_heads() {
    check(
        "func area(width_of_the_figure: &Tensor<f64, [4]>, height_of_the_figure: &Tensor<f64, [4]>) -> f64 { 1.0 }\nfunc one<T>(x: T) -> T where T: Copy + Clone + Named + Ordered + Displayed + Hashed + Shifted<Out = T> { x }\nfunc two<T>(x: T) -> T where T: Copy { x }",
        &expect![[r#"
            func area(width_of_the_figure: &Tensor<f64, [4]>, height_of_the_figure: &Tensor<f64, [4]>) -> f64 {
                1.0
            }
            func one<T>(x: T) -> T
            where
                T: Copy + Clone + Named + Ordered + Displayed + Hashed + Shifted<Out = T>
            {
                x
            }
            func two<T>(x: T) -> T where T: Copy { x }
        "#]],
    );
}

#[test]
fn numbers_and_short_texts_fill_lines() {
    check_body(
        "val names = [\"alpha\", \"beta\", \"gamma\", \"delta\", \"epsilon\", \"zeta\", \"eta\", \"theta\", \"iota\", \"kappa\"]\nval words = [\"a text of some length\", \"another text of some length\", \"the last text of some length\"]",
        &expect![[r#"
            val names = [
                "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
            ]
            val words = [
                "a text of some length",
                "another text of some length",
                "the last text of some length",
            ]
        "#]],
    );
}

#[test]
fn strings_are_kept() {
    check_body(
        "print(\"a  {x  +  y:>3}\")\nval t = \"\"\"\n  a\n   {b+c}\n  \"\"\"",
        &expect![[r#"
        print("a  {x  +  y:>3}")
        val t = """
          a
           {b+c}
          """
    "#]],
    );
}

#[test]
fn items_with_mistakes_are_kept() {
    check(
        "func a( ) { }\nfunc b( {\n  x   y\n}\n\n\nfunc c( ) { }\nimpl T{\n  func a( ) { }\n  func b( ) { 1   2 }\n  func c( ) { }\n}",
        &expect![[r#"
            func a() {}
            func b( {
              x   y
            }

            func c() {}
            impl T {
                func a() {}
                func b( ) { 1   2 }
                func c() {}
            }
        "#]],
    );
}

#[test]
fn signs_side_by_side_stay_apart() {
    check_body(
        "val x = - -a - -b & &c\nval y = a? ?\nval z = t.0 .1\nval u = t.0. 1\nval w = | | 1",
        &expect![[r#"
        val x = - -a - -b & &c
        val y = a? ?
        val z = t.0 .1
        val u = t.0 .1
        val w = | | 1
    "#]],
    );
}
