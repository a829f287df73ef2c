//! Items, what they stand in, and their headers.

use std::fmt::Write;

use expect_test::{Expect, expect};
use neuro_db::{Db, Span};
use text_size::{TextRange, TextSize};

use super::database;
use super::print::{bound_text, print, type_text};
use crate::{
    Container, FieldData, GenericParam, Generics, Item, Predicate, Receiver, Resolution,
    VariantKind, const_data, enum_data, file_items, generic_param, impl_data, item_at,
    item_name_range, newtype_data, resolve, resolve_name, signature, signature_ranges, struct_data,
    struct_ranges, trait_data,
};

const PROGRAM: &str = r#"
/// A point.
@derive(Copy)
export struct Point<T: Add + Show, const N: u32> where N > 0, T: Copy {
    /// Across.
    export x: T
    y: [T; N],
}
enum Shape { Dot, Line(Point<f32, 2>, &mut [i32]), Text { at: geometry::Point } }
newtype Metres = f64
type Grid = Tensor<f64, [rows: 8, ?]>
trait Area {
    type Unit
    func area(&self) -> Self::Unit
    func grow(&mut self, by factor: f64) -> Self::Unit { self.area() }
}
impl<T> Area for Point<T, 2> {
    type Unit = T
    func area(&self) -> T { self.x }
    func into(self, _ f: (T) -> (i32, T)) -> T { f(self.x) }
}
module inner {
    const LIMIT: u64 = 3
    func apply<'a, F>(f: F, to g: &'a dyn Iterator<Item = i32>) -> impl Show where F: Area { g }
    module deep { func last() {} }
}
func after() {}
"#;

fn fields(fields: &[FieldData]) -> String {
    let texts: Vec<String> = fields
        .iter()
        .map(|field| {
            let export = if field.exported { "export " } else { "" };
            format!("{export}{}: {}", field.name, type_text(&field.ty))
        })
        .collect();
    format!("{{ {} }}", texts.join(", "))
}

fn generics(generics: &Generics) -> String {
    let bounds =
        |bounds: &[crate::Bound]| bounds.iter().map(bound_text).collect::<Vec<_>>().join(" + ");
    let mut out = String::new();
    for param in &generics.params {
        let _ = match param {
            GenericParam::Lifetime(name) => write!(out, " {name}"),
            GenericParam::Type { name, bounds: found } => {
                write!(out, " {name}: [{}]", bounds(found))
            }
            GenericParam::Const { name, ty } => write!(out, " const {name}: {}", type_text(ty)),
        };
    }
    for predicate in &generics.predicates {
        let _ = match predicate {
            Predicate::Bounds { name, bounds: found } => {
                write!(out, " where {name}: {}", bounds(found))
            }
            Predicate::Condition(body) => write!(out, " where {}", print(body).trim_end()),
        };
    }
    out
}

fn header(db: &dyn Db, item: Item<'_>) -> String {
    match item {
        Item::Function(function) => {
            let data = signature(db, function);
            let receiver = match data.receiver {
                None => "",
                Some(Receiver::ByRef) => "&self ",
                Some(Receiver::ByMut) => "&mut self ",
                Some(Receiver::ByValue) => "self ",
            };
            let params: Vec<String> = data
                .params
                .iter()
                .map(|param| {
                    let label = param.label.as_ref().map(|label| format!("{label} "));
                    format!("{}{}: {}", label.unwrap_or_default(), param.name, type_text(&param.ty))
                })
                .collect();
            let ret = data.ret.as_ref().map(|ty| format!(" -> {}", type_text(ty)));
            let body = if data.has_body { "" } else { " without body" };
            format!(
                "{} {receiver}({}){}{body}",
                generics(&data.generics),
                params.join(", "),
                ret.unwrap_or_default()
            )
        }
        Item::Const(constant) => type_text(&const_data(db, constant).ty),
        Item::Struct(item) => {
            let data = struct_data(db, item);
            let doc = data.doc.as_deref().unwrap_or_default();
            let attrs: Vec<&str> = data.attrs.iter().map(|attr| attr.name.as_str()).collect();
            let (generics, fields) = (generics(&data.generics), fields(&data.fields));
            format!("{doc:?} {attrs:?} {}{generics} {fields}", data.exported)
        }
        Item::Enum(item) => {
            let variants = enum_data(db, item).variants.iter().map(|variant| match &variant.kind {
                VariantKind::Unit => variant.name.to_string(),
                VariantKind::Tuple(types) => {
                    let types: Vec<String> = types.iter().map(type_text).collect();
                    format!("{}({})", variant.name, types.join(", "))
                }
                VariantKind::Struct(found) => format!("{} {}", variant.name, fields(found)),
            });
            variants.collect::<Vec<_>>().join(" | ")
        }
        Item::Newtype(item) => type_text(&newtype_data(db, item).inner),
        Item::Alias(item) => type_text(&crate::alias_data(db, item).ty),
        Item::Trait(item) => format!("{:?}", trait_data(db, item).types),
        Item::Impl(block) => {
            let data = impl_data(db, block);
            let types: Vec<String> = data
                .types
                .iter()
                .map(|found| {
                    let ty = found.ty.as_ref().map(type_text).unwrap_or_default();
                    format!("{} = {ty}", found.name)
                })
                .collect();
            let of = data.trait_ref.as_ref().map(ToString::to_string).unwrap_or_default();
            let of = format!("{of} for {}", type_text(&data.self_ty));
            format!("{}: {of} {types:?}", generics(&data.generics))
        }
    }
}

fn check(expected: Expect) {
    let (db, file) = database(PROGRAM);
    let mut out = String::new();
    for item in &file_items(&db, file).items {
        let inside = match *item {
            Item::Function(function) => match function.container(&db) {
                Container::Module(module) => module.inline(&db).join("::"),
                Container::Impl(block) => block.name(&db).to_string(),
                Container::Trait(found) => found.name(&db).to_string(),
            },
            item => item.module(&db).inline(&db).join("::"),
        };
        let start = Span::in_item(file, item.ast_id(&db), item_name_range(&db, *item));
        let name = &PROGRAM[start.absolute(&db)];
        let _ = writeln!(out, "[{inside}] {name} ({}){}", item.kind(), header(&db, *item));
    }
    expected.assert_eq(&out);
}

#[test]
fn items_know_what_they_stand_in_and_what_their_headers_say() {
    check(expect![[r#"
        [] Point (a struct)"A point." ["derive"] true T: [Add + Show] const N: u32 where || (`N` Gt 0) where T: Copy { export x: T, y: [T; N] }
        [] Shape (an enum)Dot | Line(Point<f32, 2>, &mut [i32]) | Text { at: geometry::Point }
        [] Metres (a newtype)f64
        [] Grid (a type alias)Tensor<f64, [rows: 8, ?]>
        [] Area (a trait)[AssocType { name: "Unit", ty: None }]
        [Area] area (a function) &self () -> Self::Unit without body
        [Area] grow (a function) &mut self (by factor: f64) -> Self::Unit
        [] impl (an `impl` block) T: []: Area for Point<T, 2> ["Unit = T"]
        [impl<T> Area for Point<T, 2>] area (a function) &self () -> T
        [impl<T> Area for Point<T, 2>] into (a function) self (_ f: (T) -> (i32, T)) -> T
        [inner] LIMIT (a constant)u64
        [inner] apply (a function) 'a F: [] where F: Area (f: F, to g: &dyn Iterator<Item = i32>) -> impl Show
        [inner::deep] last (a function) ()
        [] after (a function) ()
    "#]]);
}

/// The innermost item at a word of the program.
fn at(word: &str) -> String {
    let (db, file) = database(PROGRAM);
    let offset = TextSize::try_from(PROGRAM.find(word).expect("in the program")).expect("short");
    match item_at(&db, file, offset) {
        Some((item, inside)) => {
            let start = offset - inside;
            format!("{} at {:?}", item.name(&db), PROGRAM[start.into()..].lines().next())
        }
        None => "nothing".to_owned(),
    }
}

#[test]
fn a_place_belongs_to_the_innermost_item() {
    assert_eq!(at("self.x"), "area at Some(\"func area(&self) -> T { self.x }\")");
    assert_eq!(
        at("Unit = T"),
        "impl<T> Area for Point<T, 2> at Some(\"impl<T> Area for Point<T, 2> {\")"
    );
    assert_eq!(at("last()"), "last at Some(\"func last() {} }\")");
    assert_eq!(at("module inner"), "nothing");
    assert_eq!(at("after"), "after at Some(\"func after() {}\")");
}

#[test]
fn names_inside_an_item_are_found_from_the_inside_out() {
    let (db, file) = database(PROGRAM);
    let items = file_items(&db, file);
    let area = items.items.iter().find(|item| match item {
        Item::Function(function) => {
            function.name(&db) == "area" && matches!(function.container(&db), Container::Impl(_))
        }
        _ => false,
    });
    let found = generic_param(&db, *area.expect("there"), "T");
    assert!(matches!(found, Some((Item::Impl(_), 0))), "{found:?}");
    assert!(generic_param(&db, *area.expect("there"), "U").is_none());
    let limit = items.consts().next().expect("there");
    let inner = limit.module(&db);
    assert_eq!(
        resolve_name(&db, inner, "LIMIT".into()),
        Some(Resolution::Item(Item::Const(limit)))
    );
    let deep = resolve_name(&db, inner, "deep".into());
    assert_eq!(deep, Some(Resolution::Module(inner.child(&db, "deep".into()))));
    let point = resolve(&db, file, "Point").map(Resolution::Item);
    assert_eq!(resolve_name(&db, inner, "Point".into()), point, "a block sees what is around it");
    assert!(resolve(&db, file, "area").is_none(), "methods are no names of the module");
    assert!(matches!(resolve(&db, file, "Area"), Some(Item::Trait(_))));
}

#[test]
fn headers_say_where_their_words_stand() {
    let (db, file) = database(PROGRAM);
    let words = |item: Item<'_>, range: TextRange| {
        let span = Span::in_item(file, item.ast_id(&db), range);
        &PROGRAM[span.absolute(&db)]
    };
    let Some(item @ Item::Struct(point)) = resolve(&db, file, "Point") else { panic!("there") };
    let ranges = struct_ranges(&db, point);
    assert_eq!(words(item, ranges.item.keyword), "struct");
    assert_eq!(words(item, ranges.item.name), "Point");
    assert_eq!(ranges.item.export.map(|range| words(item, range)), Some("export"));
    let list = ranges.generics.list.map(|range| words(item, range));
    assert_eq!(list, Some("<T: Add + Show, const N: u32>"));
    let predicates: Vec<&str> =
        ranges.generics.predicates.iter().map(|found| words(item, found.whole)).collect();
    assert_eq!(predicates, ["N > 0", "T: Copy"]);
    let types: Vec<&str> = ranges.fields.iter().map(|field| words(item, field.ty)).collect();
    assert_eq!(types, ["T", "[T; N]"]);
    let paths: Vec<&str> = ranges.paths.iter().map(|(_, path)| words(item, path.whole)).collect();
    assert_eq!(paths, ["Add", "Show", "u32", "Copy", "T", "T", "N"]);

    let apply = file_items(&db, file).functions().find(|found| found.name(&db) == "apply");
    let apply = apply.expect("there");
    let (item, ranges) = (Item::Function(apply), signature_ranges(&db, apply));
    assert_eq!(ranges.generics.where_word.map(|range| words(item, range)), Some("where"));
    let ret = &signature(&db, apply).ret;
    let Some(crate::TypeRef::Impl(bound)) = ret else { panic!("{ret:?}") };
    assert_eq!(words(item, ranges.paths.segment(bound.path.id, 0)), "Show");
}
