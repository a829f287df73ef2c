//! What a `match` leaves out, and arms that nothing reaches: each mistake, and the nearest program without.

use neuro_db::codes;

use super::{Case, check_cases};

#[test]
fn cases_left_out() {
    check_cases(&[
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `Light::Amber`, `Light::Green`",
            at: &[],
            wrong: "enum Light { Red, Amber, Green }\nfunc f(x: Light) -> i32 {\n    «match» x {\n        Light::Red => 60\n    }\n}\n",
            right: "enum Light { Red, Amber, Green }\nfunc f(x: Light) -> i32 {\n    match x {\n        Light::Red => 60\n        Light::Amber | Light::Green => 0\n    }\n}\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `Shape::Box { .. }`",
            at: &[],
            wrong: "enum Shape { Dot, Round(f64), Box { w: f64, h: f64 } }\nfunc f(x: &&Shape) -> f64 { «match» x { Shape::Dot => 0.0, Shape::Round(r) => *&r } }\n",
            right: "enum Shape { Dot, Round(f64), Box { w: f64, h: f64 } }\nfunc f(x: &&Shape) -> f64 { match x { Shape::Dot => 0.0, Shape::Round(r) => *&r, Shape::Box { w, h } => w * h } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `false`",
            at: &[],
            wrong: "func f(x: bool) -> i32 { «match» x { true => 1 } }\n",
            right: "func f(x: bool) -> i32 { match x { true => 1, false => 2 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `Some(_)`",
            at: &[],
            wrong: "func f(x: Option<i32>) -> i32 { «match» x { Some(k) if k > 0 => k, None => 0 } }\n",
            right: "func f(x: Option<i32>) -> i32 { match x { Some(k) if k > 0 => k, Some(k) => -k, None => 0 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `Some(Some(false))`",
            at: &[],
            wrong: "func f(x: &Option<&Option<bool>>) -> i32 { «match» x { Some(Some(true)) => 1, Some(None) => 2, None => 3 } }\n",
            right: "func f(x: &Option<&Option<bool>>) -> i32 { match x { Some(Some(true)) => 1, Some(None) => 2, None => 3, Some(Some(false)) => 4 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `128..=199`; `_` takes the rest",
            at: &[],
            wrong: "func f(x: u8) -> i32 { «match» x { 0..128 => 1, 200..=255 => 2 } }\n",
            right: "func f(x: u8) -> i32 { match x { 0..128 => 1, 100..=255 => 2 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `-128..=-1`, `1..=127`; `_` takes the rest",
            at: &[],
            wrong: "func f(x: i8) -> i32 { «match» x { 0 => 1 } }\n",
            right: "func f(x: i8) -> i32 { match x { 0 => 1, -128..=-1 => 2, 1..=127 => 3 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `'\\u{e000}'`; `_` takes the rest",
            at: &[],
            wrong: "func f(x: char) -> i32 { «match» x { '\\0'..='\\u{d7ff}' => 1, '\\u{e001}'..='\\u{10ffff}' => 2 } }\n",
            right: "func f(x: char) -> i32 { match x { '\\0'..='\\u{d7ff}' => 1, '\\u{e000}'..='\\u{10ffff}' => 2 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes the other values, as `_` does",
            at: &[],
            wrong: "func f(x: &string) -> i32 { «match» x { \"ok\" => 1, \"\" => 2 } }\n",
            right: "func f(x: &string) -> i32 { match x { \"ok\" => 1, other => 2 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `(true, None)`, `(false, Some(_))`",
            at: &[],
            wrong: "func f(x: bool, y: Option<i32>) -> i32 { «match» (x, y) { (true, Some(k)) => k, (false, None) => 2 } }\n",
            right: "func f(x: bool, y: Option<i32>) -> i32 { match (x, y) { (true, Some(k)) => k, (false, None) => 2, (_, _) => 3 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `Pair { a: false, .. }`",
            at: &[],
            wrong: "struct Pair { a: bool, b: i32 }\nfunc f(x: Pair) -> i32 { «match» x { Pair { a: true, b } => b } }\n",
            right: "struct Pair { a: bool, b: i32 }\nfunc f(x: Pair) -> i32 { match x { Pair { a: true, b } => b, Pair { a: false, .. } => 1 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "this `match` has no arms",
            at: &[],
            wrong: "func f(x: i32) -> i32 { «match» x { } }\n",
            right: "enum Nothing { }\nfunc f(x: Nothing) -> i32 { match x { } }\n",
        },
    ]);
}

#[test]
fn arms_that_nothing_reaches() {
    check_cases(&[
        Case {
            code: codes::UNREACHABLE_ARM,
            says: "no value reaches this pattern: those in front of it take them all",
            at: &[],
            wrong: "func f(x: i32) -> i32 { match x { 1 => 1, _ => 2, «3» => 4 } }\n",
            right: "func f(x: i32) -> i32 { match x { 1 => 1, 3 => 4, _ => 2 } }\n",
        },
        Case {
            code: codes::UNREACHABLE_ARM,
            says: "no value reaches this pattern: those in front of it take them all",
            at: &[],
            wrong: "func f(x: i32) -> i32 { match x { 1..=9 => 1, 0 | «5..8» => 2, _ => 3 } }\n",
            right: "func f(x: i32) -> i32 { match x { 1..=9 => 1, 0 | 5..11 => 2, _ => 3 } }\n",
        },
        Case {
            code: codes::UNREACHABLE_ARM,
            says: "no value reaches this pattern: those in front of it take them all",
            at: &[],
            wrong: "func f(x: Option<bool>) -> i32 { match x { Some(true) => 1, None => 2, Some(false) => 3, «_» => 4 } }\n",
            right: "func f(x: Option<bool>) -> i32 { match x { Some(true) if 1 < 2 => 1, None => 2, Some(false) => 3, _ => 4 } }\n",
        },
        Case {
            code: codes::UNREACHABLE_ARM,
            says: "this range is empty: it ends before 4, where it begins",
            at: &[],
            wrong: "func f(x: i32) -> i32 { match x { «4..4» => 1, _ => 2 } }\n",
            right: "func f(x: i32) -> i32 { match x { 4..5 => 1, _ => 2 } }\n",
        },
        Case {
            code: codes::UNREACHABLE_ARM,
            says: "this range is empty: 'c' is above 'a'",
            at: &[],
            wrong: "func f(x: char) -> i32 { match x { «'c'..='a'» => 1, _ => 2 } }\n",
            right: "func f(x: char) -> i32 { match x { 'a'..='c' => 1, _ => 2 } }\n",
        },
    ]);
}
