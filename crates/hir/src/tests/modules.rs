//! Modules, imports, privacy and the prelude.

use std::fmt::Write;

use expect_test::{Expect, expect};
use neuro_db::{Db, RootDatabase, SourceFile};

use super::report;
use crate::{
    Expr, Item, PathProblem, Resolution, body, file_diagnostics, file_items, load_modules,
    module_candidates, module_title, needed_files, resolve_in, users_of,
};

/// The files of a fixture, each behind a line `// file: name`.
fn split(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("// file: ").skip(1);
    parts.filter_map(|part| part.split_once('\n')).collect()
}

fn database(text: &str) -> (RootDatabase, Vec<SourceFile>) {
    let mut db = RootDatabase::default();
    let files = split(text).into_iter().map(|(path, text)| db.set_text(path, text)).collect();
    (db, files)
}

/// What a path stands for, in words.
fn describe(db: &dyn Db, found: Result<Resolution<'_>, PathProblem<'_>>) -> String {
    let item = |item: Item<'_>| {
        format!("{} {} of {}", item.kind(), item.name(db), module_title(db, item.module(db)))
    };
    let resolution = |found: Resolution<'_>| match found {
        Resolution::Item(found) => item(found),
        Resolution::Variant(found, index) => format!("variant {index} of {}", found.name(db)),
        Resolution::Module(module) => format!("the module {}", module_title(db, module)),
        Resolution::Generic(owner, index) => format!("parameter {index} of {}", item(owner)),
        Resolution::Type(ty) => format!("the type {}", ty.name()),
        Resolution::Trait(known) => format!("the trait {}", known.name()),
        Resolution::Function(builtin) => format!("the function {}", builtin.name()),
        Resolution::Unknown => "unknown".to_owned(),
    };
    match found {
        Ok(found) => resolution(found),
        Err(PathProblem::Reported) => "reported".to_owned(),
        Err(PathProblem::Unknown { segment, inside: None }) => format!("no part {segment}"),
        Err(PathProblem::Unknown { segment, inside: Some(inside) }) => {
            format!("no part {segment} in {}", resolution(inside))
        }
        Err(PathProblem::Private { segment, found, .. }) => {
            format!("part {segment} is private: {}", resolution(found))
        }
        Err(PathProblem::Member { base, segment }) => {
            format!("part {segment} belongs to {}", resolution(base))
        }
    }
}

/// What is wrong with the files of a fixture, and what each path in the bodies of the first stands for.
fn check(text: &str, expected: Expect) {
    let (db, files) = database(text);
    let mut out = String::new();
    for file in &files {
        for diagnostic in file_diagnostics(&db, *file) {
            assert_eq!(diagnostic.span.file, *file);
            let _ = write!(out, "{}: {}", file.path(&db), report(&db, diagnostic));
        }
    }
    for function in file_items(&db, files[0]).functions() {
        for (_, expr) in body(&db, function).exprs.iter() {
            let Expr::Path(path) = expr else { continue };
            let found = resolve_in(&db, Item::Function(function), path);
            let _ = writeln!(out, "{path}: {}", describe(&db, found));
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn a_path_leads_through_modules_to_what_they_export() {
    check(
        r#"
// file: main.nr
module units {
    export const KILO: f64 = 1000.0
    const HIDDEN: i32 = 1
    export enum Scale { Small, Large(i32) }
    module deep { export func f() { KILO } }
}
func main<N>() {
    [units::KILO, units::HIDDEN, units::Scale::Large, units::Scale::of, units::deep::f, units::gone]
    [shapes::SIDES, shapes::hidden, shapes::Circle::new, shapes::Circle]
    [nowhere::f, main::f, N, N::f, KILO]
}
// file: shapes.nr
export const SIDES: u32 = 4
func hidden() {}
export struct Circle {}
"#,
        expect![[r#"
            KILO: a constant KILO of units
            units::KILO: a constant KILO of units
            units::HIDDEN: part 1 is private: a constant HIDDEN of units
            units::Scale::Large: variant 1 of Scale
            units::Scale::of: part 2 belongs to an enum Scale of units
            units::deep::f: a function f of deep
            units::gone: no part 1 in the module units
            shapes::SIDES: a constant SIDES of shapes
            shapes::hidden: part 1 is private: a function hidden of shapes
            shapes::Circle::new: part 2 belongs to a struct Circle of shapes
            shapes::Circle: a struct Circle of shapes
            nowhere::f: no part 0
            main::f: no part 1 in a function main of main
            N: parameter 0 of a function main of main
            N::f: part 1 belongs to parameter 0 of a function main of main
            KILO: no part 0
        "#]],
    );
}

#[test]
fn imports_bind_names_of_other_modules() {
    check(
        r#"
// file: main.nr
import stats
import stats::{mean, deviation as spread, median, helper}
import stats::mean as average
import Light::{Red, Blue}
import stats::Kind::Exact
import gone::thing
import stats::mean::inner
import stats::Model::new
enum Light { Red, Green }
func main() { [mean, spread, average, median, helper, Red, Green, Blue, Exact, thing, stats::mean, stats::Kind::Rough] }
// file: stats.nr
export func mean() {}
export func deviation() {}
func helper() {}
export enum Kind { Exact, Rough }
export struct Model {}
"#,
        expect![[r#"
            main.nr: E0201 2 `median`: the module `stats` has no `median`
                2 `median` -> `mean`: change to `mean`
            main.nr: E0206 2 `helper`: `helper` is private to the module `stats`
                3 `helper`: declared here without `export`
                3 `` -> `export `: export `helper`
            main.nr: E0201 4 `Blue`: the enum `Light` has no variant `Blue`
            main.nr: E0201 6 `gone`: there is no module `gone`
            main.nr: E0207 7 `inner`: `inner` is looked for in a function, which holds no names
            main.nr: E0207 8 `new`: `new` would belong to a struct, and nothing is imported out of a type
            mean: a function mean of stats
            spread: a function deviation of stats
            average: a function mean of stats
            median: unknown
            helper: unknown
            Red: variant 0 of Light
            Green: no part 0
            Blue: unknown
            Exact: variant 0 of Kind
            thing: unknown
            stats::mean: a function mean of stats
            stats::Kind::Rough: variant 1 of Kind
        "#]],
    );
}

#[test]
fn folders_are_modules_with_children() {
    check(
        r#"
// file: app/main.nr
import geometry::{Vec2, angle}
func main() { [Vec2, angle::right, geometry::length::of, geometry::vec::Vec2, geometry::mean, angle::inner::f] }
// file: app/geometry/mod.nr
export import vec::Vec2
export import vec
import tools::mean
func mean2() { mean }
// file: app/geometry/vec.nr
export struct Vec2 {}
// file: app/geometry/length.nr
import vec::Vec2
export func of() {}
// file: app/geometry/angle.nr
export func right() {}
// file: app/geometry/tools.nr
export func mean() {}
"#,
        expect![[r#"
            app/geometry/mod.nr: E0207 2 `export`: a module is not handed on, only its items are
            Vec2: a struct Vec2 of vec
            angle::right: a function right of angle
            geometry::length::of: a function of of length
            geometry::vec::Vec2: a struct Vec2 of vec
            geometry::mean: part 1 is private: a function mean of tools
            angle::inner::f: no part 1 in the module angle
        "#]],
    );
}

#[test]
fn a_name_is_bound_once_and_own_items_come_first() {
    check(
        r#"
// file: main.nr
import red::mix
import blue::mix
import red::tint
import red::{tint, shade as mix}
func tint() {}
module inner { import blue::mix
    func f() { [mix, tint, println] }
}
func f() { [mix, tint] }
// file: red.nr
export func mix() {}
export func tint() {}
export func shade() {}
// file: blue.nr
export func mix() {}
"#,
        expect![[r#"
            main.nr: E0202 2 `mix`: `mix` is imported twice
                1 `mix`: first imported here
            main.nr: E0202 4 `tint`: `tint` is imported twice
                3 `tint`: first imported here
            main.nr: E0202 4 `mix`: `mix` is imported twice
                1 `mix`: first imported here
            mix: a function mix of blue
            tint: a function tint of main
            println: the function println
            mix: a function mix of red
            tint: a function tint of main
        "#]],
    );
}

#[test]
fn modules_may_import_from_each_other_but_not_in_circles() {
    check(
        r#"
// file: main.nr
import even::is_even
import even::lost
func main() { [is_even, lost] }
// file: even.nr
import odd::is_odd
export import odd::lost
export func is_even() {}
// file: odd.nr
import even::is_even
export import even::lost
export func is_odd() {}
"#,
        expect![[r#"
            even.nr: E0207 2 `lost`: the import of `lost` leads back to itself
            odd.nr: E0207 2 `lost`: the import of `lost` leads back to itself
            is_even: a function is_even of even
            lost: unknown
        "#]],
    );
}

#[test]
fn the_prelude_is_the_weakest_import() {
    check(
        r#"
// file: main.nr
func f() { [Option, Some, None, Ok, Err, Result, OrderedF32::new, Device::GPU, Iterator, println, Tensor, Add] }
// file: other.nr
func g() {}
"#,
        expect![[r#"
            Option: an enum Option of <prelude>
            Some: variant 0 of Option
            None: variant 1 of Option
            Ok: variant 0 of Result
            Err: variant 1 of Result
            Result: an enum Result of <prelude>
            OrderedF32::new: part 1 belongs to a struct OrderedF32 of <prelude>
            Device::GPU: variant 1 of Device
            Iterator: a trait Iterator of <prelude>
            println: the function println
            Tensor: the type Tensor
            Add: the trait Add
        "#]],
    );
    check(
        r#"
// file: main.nr
enum Option { Cash, Card }
func f() { [Option, Option::Card, Some, Ok] }
"#,
        expect![[r#"
            Option: an enum Option of main
            Option::Card: variant 1 of Option
            Some: no part 0
            Ok: variant 0 of Result
        "#]],
    );
    check(
        r#"
// file: main.nr
@no_prelude

func f() { [Option, Some, println, Tensor] }
"#,
        expect![[r#"
            Option: no part 0
            Some: no part 0
            println: the function println
            Tensor: the type Tensor
        "#]],
    );
}

#[test]
fn the_prelude_is_well_formed() {
    let db = RootDatabase::default();
    let prelude = db.prelude();
    assert!(file_diagnostics(&db, prelude).is_empty(), "{:?}", file_diagnostics(&db, prelude));
    for item in &file_items(&db, prelude).items {
        assert!(crate::item_diagnostics(&db, *item).is_empty(), "{item:?}");
    }
    let text = prelude.text(&db);
    assert_eq!(neuro_syntax::format(text).as_deref(), Ok(&**text));
}

/// The import hides its module's name, and the file is needed all the same.
#[test]
fn an_item_may_have_the_name_of_its_module() {
    let (mut db, files) =
        database("// file: app/main.nr\nimport mean::mean\nfunc main() -> i32 { mean() }\n");
    load_modules(&mut db, &files, &mut |path| {
        (path == "app/mean.nr").then(|| "export func mean() -> i32 { 0 }\n".to_owned())
    });
    let needed = needed_files(&db, files[0]);
    let paths: Vec<&str> = needed.iter().map(|file| file.path(&db).as_str()).collect();
    assert_eq!(paths, ["app/main.nr", "app/mean.nr"]);
    assert_eq!(users_of(&db, &files, &needed[1..]), files);
}

#[test]
fn files_are_asked_for_as_they_are_needed() {
    let (mut db, files) = database(
        "// file: app/main.nr\nimport stats::mean\nimport geometry\n\
         func main() { [geometry::length::of(Vec2::new()), Tensor::zeros(), Some::x, local::f] }\n\
         module local { export func f() {} }\n",
    );
    let root = files[0];
    let first = module_candidates(&db, root);
    assert_eq!(
        first,
        [
            "app/Vec2.nr",
            "app/Vec2/mod.nr",
            "app/geometry.nr",
            "app/geometry/mod.nr",
            "app/stats.nr",
            "app/stats/mod.nr"
        ]
    );
    let mut asked = Vec::new();
    load_modules(&mut db, &[root], &mut |path| {
        asked.push(path.to_owned());
        match path {
            "app/stats.nr" => Some("import more::x\nexport func mean() {}\n".to_owned()),
            "app/geometry/mod.nr" => Some(String::new()),
            "app/geometry/length.nr" => Some("export func of() {}\n".to_owned()),
            "app/more.nr" => Some("import stats::mean\nexport const x: i32 = 1\n".to_owned()),
            _ => None,
        }
    });
    asked.sort_unstable();
    let before = asked.len();
    asked.dedup();
    assert_eq!(asked.len(), before, "no path is asked for twice");
    let mut needed: Vec<&str> =
        needed_files(&db, root).into_iter().map(|file| file.path(&db).as_str()).collect();
    needed.sort_unstable();
    assert_eq!(
        needed,
        [
            "app/geometry/length.nr",
            "app/geometry/mod.nr",
            "app/main.nr",
            "app/more.nr",
            "app/stats.nr"
        ]
    );
    assert!(module_candidates(&db, root).is_empty());
    assert!(file_diagnostics(&db, root).is_empty(), "{:?}", file_diagnostics(&db, root));
    // A file that goes away is a module no longer.
    db.set_absent("app/stats.nr");
    assert_eq!(file_diagnostics(&db, root).len(), 1);
}
