//! The grammar of trees, `syntax/neuro.ungram`: what is made from it is current, and trees follow it.

mod conform;
mod emit;
mod model;
mod tokens;

pub(super) use conform::Conformity;
use expect_test::expect_file;
use model::Model;

const GRAMMAR: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../syntax/neuro.ungram"));

#[test]
fn the_generated_kinds_are_current() {
    expect_file!["../kinds/generated.rs"].assert_eq(&emit::kinds(&Model::read(GRAMMAR)));
}

#[test]
fn the_generated_nodes_are_current() {
    let model = Model::read(GRAMMAR);
    for section in &model.sections {
        let file = match section.name.as_str() {
            "items" => expect_file!["../ast/generated/items.rs"],
            "generics" => expect_file!["../ast/generated/generics.rs"],
            "types" => expect_file!["../ast/generated/types.rs"],
            "patterns" => expect_file!["../ast/generated/patterns.rs"],
            "stmts" => expect_file!["../ast/generated/stmts.rs"],
            "exprs" => expect_file!["../ast/generated/exprs.rs"],
            other => panic!("no file is made of the section {other}"),
        };
        file.assert_eq(&emit::nodes(&model, section));
    }
}
