//! What random programs do with collections and builders of text.

use super::generate::Generator;
use super::types::{INTS, Int, Ty};

/// The type of numbers in collections.
const LONG: Int = INTS[3];

impl Generator<'_> {
    /// Makes a map, changes it, and prints what is under some keys.
    pub(super) fn map(&mut self) -> String {
        let (name, kept) = (self.fresh("m"), self.fresh("k"));
        let ordered = self.random.below(2) == 0;
        self.note(if ordered { "BTreeMap" } else { "HashMap" });
        let map = if ordered { "BTreeMap" } else { "HashMap" };
        let texts = self.random.below(2) == 0;
        let (key, of) = if texts { ("string", Ty::Char) } else { ("i64", Ty::Int(LONG)) };
        let key_of = |value: String| if texts { format!("\"k{{{value}}}\"") } else { value };
        self.before.push(format!("mut {name}: {map}<{key}, i64> = {map}::new()"));
        for _ in 0..1 + self.random.below(4) {
            let held = self.expr(&of, 1);
            let (at, value) = (self.fresh("h"), self.expr(&Ty::Int(LONG), 2));
            self.before.push(format!("val {at} = {held}"));
            self.before.push(format!("{name}.insert({}, {value})", key_of(at)));
        }
        let (wanted, held) = (self.fresh("h"), self.expr(&of, 1));
        self.before.push(format!("val {wanted} = {held}"));
        self.before.push(format!("val {kept}: {key} = {}", key_of(wanted)));
        match self.random.below(4) {
            0 => {
                self.note("remove of a map");
                format!("println(\"{name} {{{name}.remove({kept})}} {{{name}.len()}}\")")
            }
            1 => {
                self.note("contains_key of a map");
                format!("println(\"{name} {{{name}.contains_key({kept})}} {{{name}.len()}}\")")
            }
            2 if ordered => {
                self.note("keys of a map");
                let entry = self.fresh("e");
                let line = format!(
                    "for {entry} in {name}.keys() {{ println(\"{name} {{{entry}}} {{{name}.get({entry}) ?? -1}}\") }}"
                );
                self.before.push(line);
                format!("println(\"{kept} {{{kept}}}\")")
            }
            _ => {
                self.note("get of a map");
                format!("println(\"{name} {{{name}.get({kept}) ?? -1}} {{{name}.len()}}\")")
            }
        }
    }

    /// Puts a text together in a builder, and walks it.
    pub(super) fn builder(&mut self) -> String {
        self.note("text builder");
        let (name, text) = (self.fresh("b"), self.fresh("t"));
        self.before.push(format!("mut {name} = StringBuilder::new()"));
        for _ in 0..1 + self.random.below(3) {
            let hole = self.hole();
            let line = match self.random.below(4) {
                0 => {
                    self.note("text builder under a condition");
                    format!("if {} {{ {name}.push_str(\"é{hole}\") }}", self.expr(&Ty::Bool, 2))
                }
                1 => {
                    self.note("clear of a builder");
                    format!("if {} {{ {name}.clear() }}", self.expr(&Ty::Bool, 1))
                }
                _ => format!("{name}.push_str(\"{hole},\")"),
            };
            self.before.push(line);
        }
        self.before.push(format!("val {text} = {name}.to_string()"));
        match self.random.below(3) {
            0 => {
                self.note("characters of a text");
                let letter = self.fresh("c");
                self.before.push(format!(
                    "for {letter} in {text}.chars() {{ if {letter} != ',' {{ print(\"{{{letter}}}\") }} }}"
                ));
                format!("println(\" {{{name}.len()}}\")")
            }
            1 => {
                self.note("slice of a text");
                self.before.push(format!("{name}.push_str(\"!\")"));
                self.before.push(format!("val {text}s = {name}.to_string()"));
                format!(
                    "println(\"{{{text}s.char_slice(0..1)}} {{{text}s.slice(0..{text}.len()) == {text}}}\")"
                )
            }
            _ => format!("println(\"{name} {{{text}}} {{{text} == {name}.to_string()}}\")"),
        }
    }

    /// Fills a vector and takes it apart again.
    pub(super) fn stack(&mut self) -> String {
        let (name, other) = (self.fresh("s"), self.fresh("x"));
        let texts = self.random.below(3) == 0;
        let of = if texts { "string" } else { "i64" };
        self.note(if texts { "vector of texts" } else { "vector of numbers" });
        self.before.push(format!("mut {name}: Vec<{of}> = Vec::new()"));
        for _ in 0..1 + self.random.below(4) {
            let value = match texts {
                true => format!("\"t{}\"", self.hole()),
                false => self.expr(&Ty::Int(LONG), 2),
            };
            self.before.push(format!("{name}.push({value})"));
        }
        let none = if texts { "\"none\".clone()" } else { "-1" };
        self.before.push(format!("val {other}none: {of} = {none}"));
        match self.random.below(5) {
            0 => {
                self.note("pop");
                self.before.push(format!("val {other} = {name}.pop() ?? {other}none"));
                format!("println(\"{name} {{{other}}} {{{name}.len()}}\")")
            }
            1 => {
                self.note("get of a vector");
                let at = self.expr(&Ty::Int(INTS[7]), 1);
                self.before.push(format!("val {other} = {name}.get({at} % 5u64) ?? {other}none"));
                format!("println(\"{name} {{{other}}}\")")
            }
            2 => {
                self.note("clear of a vector");
                let cond = self.expr(&Ty::Bool, 2);
                self.before.push(format!("if {cond} {{ {name}.clear() }}"));
                format!("println(\"{name} {{{name}.len()}} {{{other}none}}\")")
            }
            3 => {
                self.note("slice of a vector");
                self.before.push(format!("val {other} = {name}.slice(0..{name}.len() - 1)"));
                format!("println(\"{name} {{{other}.len()}} {{{other}none}}\")")
            }
            _ => {
                self.note("for over a vector");
                let head = match texts {
                    true => {
                        format!("(i, {other}) in {name}.filter(|t| t.len() > 2u64).enumerate()")
                    }
                    false => format!(
                        "(i, {other}) in {name}.map(|n| n / 2).filter(|n| n % 2 == 0).enumerate()"
                    ),
                };
                self.before.push(format!("for {head} {{ print(\"{{i}}:{{{other}}} \") }}"));
                format!("println(\"{name} {{{other}none}}\")")
            }
        }
    }
}
