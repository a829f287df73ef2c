//! What random programs do with functions as values, with traits and with types that have parameters.

use std::fmt::Write;

use super::generate::{Generator, Var};
use super::types::{INTS, Int, Ty};

/// The type that the functions of this module compute with.
const LONG: Int = INTS[3];

impl Generator<'_> {
    /// The trait of the program, which each of its structs has, and the functions that use it.
    pub(super) fn traits(&mut self) {
        let (of_trait, heft, behind) = (self.named("Weigh"), self.named("heft"), self.named("dyn"));
        self.item(&format!(
            "trait {of_trait} {{\n    func weigh(&self, by: i64) -> i64\n    func twice(&self) -> i64 {{ (self.weigh(2) + self.weigh(1)) % 30011 }}\n}}"
        ));
        self.item(&format!(
            "func {heft}<T: {of_trait}>(item: &T, by: i64) -> i64 {{ (item.weigh(by) + item.twice()) % 30011 }}"
        ));
        self.item(&format!(
            "func {behind}(item: &dyn {of_trait}, by: i64) -> i64 {{ (item.twice() - item.weigh(by)) % 30011 }}"
        ));
        for index in 0..self.types.structs.len() {
            self.calls_left = 0;
            self.vars = vec![Var::fixed("by", Ty::Int(LONG))];
            let name = self.types.structs[index].name.clone();
            for (field, ty) in self.types.structs[index].fields.clone() {
                self.vars.push(Var::fixed(&format!("self.{field}"), ty));
            }
            let value = self.expr(&Ty::Int(LONG), 3);
            let before = self.take_before("        ");
            self.item(&format!(
                "impl {of_trait} for {name} {{\n    func weigh(&self, by: i64) -> i64 {{\n{before}        {value}\n    }}\n}}"
            ));
        }
        self.vars.clear();
        self.has_traits = true;
    }

    /// The functions that take function values, and the struct with parameters.
    pub(super) fn generics(&mut self) {
        let (apply, pair) = (self.named("apply"), self.named("Pair"));
        self.item(&format!(
            "func {apply}(step: (i64) -> i64, n: i64) -> i64 {{ step(step(n) % 30011) % 30011 }}"
        ));
        self.item(&format!(
            "struct {pair}<A, B> {{ first: A, second: B }}\n\
             impl<A, B> {pair}<A, B> {{\n    func new(first: A, second: B) -> {pair}<A, B> {{ {pair} {{ first, second }} }}\n    \
             func swapped(self) -> {pair}<B, A> {{ {pair} {{ first: self.second, second: self.first }} }}\n}}"
        ));
    }

    /// A number that a trait's method gives, in one of the ways to call it.
    fn weight(&mut self, depth: u32) -> String {
        let index = self.random.below(self.types.structs.len());
        let of = Ty::Struct(index);
        let (value, name) = (self.expr(&of, depth.min(1)), self.fresh("w"));
        let (annotation, by) = (self.types.name(&of), self.expr(&Ty::Int(LONG), depth));
        self.before.push(format!("val {name}: {annotation} = {value}"));
        match self.random.below(4) {
            0 => {
                self.note("trait call of a parameter");
                format!("{}(&{name}, {by})", self.named("heft"))
            }
            1 => {
                self.note("trait call behind dyn");
                format!("{}(&{name}, {by})", self.named("dyn"))
            }
            2 => {
                self.note("trait call of a default");
                format!("{name}.twice()")
            }
            _ => {
                self.note("trait call");
                format!("{name}.weigh({by})")
            }
        }
    }

    /// A closure with a body of statements and a value.
    fn closure(&mut self, params: &[(String, Ty)], ret: &Ty, depth: u32) -> String {
        let around = std::mem::take(&mut self.before);
        let known = self.vars.len();
        for (name, ty) in params {
            self.vars.push(Var::fixed(name, ty.clone()));
        }
        let value = self.expr(ret, depth);
        self.vars.truncate(known);
        let before = std::mem::replace(&mut self.before, around);
        let params: Vec<_> =
            params.iter().map(|(name, ty)| format!("{name}: {}", self.types.name(ty))).collect();
        let params = params.join(", ");
        if before.is_empty() {
            self.note("closure");
            return format!("|{params}| {value}");
        }
        self.note("closure with a block");
        let mut text = format!("|{params}| -> {} {{\n", self.types.name(ret));
        for line in before {
            let _ = writeln!(text, "        {line}");
        }
        text + &format!("        {value}\n    }}")
    }

    /// A value that function values give.
    pub(super) fn by_function_value(&mut self, ty: &Ty, depth: u32) -> String {
        let (name, param) = (self.fresh("f"), self.fresh("c"));
        let taken = self.types.any(self.random, 1);
        let given = self.expr(&taken, depth);
        let made = self.closure(&[(param, taken)], ty, depth);
        match self.random.below(3) {
            0 => {
                self.note("closure called in place");
                format!("({made})({given})")
            }
            1 => {
                self.note("pipeline");
                format!("({given} |> ({made}))")
            }
            _ => {
                self.before.push(format!("val {name} = {made}"));
                format!("{name}({given})")
            }
        }
    }

    /// A number of a kind that only `i64` has, as another integer.
    pub(super) fn long(&mut self, int: Int, depth: u32) -> String {
        let value = match self.random.below(3) {
            1 | 2 if self.has_traits => self.weight(depth),
            _ => {
                self.note("closure passed");
                let param = self.fresh("c");
                let of = Ty::Int(LONG);
                let closure = self.closure(&[(param, of.clone())], &of, depth);
                format!("{}({closure}, {})", self.named("apply"), self.expr(&of, depth))
            }
        };
        format!("(({value} as {}) % {}{})", int.name, int.bound, int.name)
    }

    /// A part of a value of a type with parameters.
    pub(super) fn pair(&mut self, ty: &Ty, depth: u32) -> String {
        self.note("generic struct");
        let other = self.types.any(self.random, 1);
        let (first, second) = (self.expr(ty, depth), self.expr(&other, depth));
        let (pair, name) = (self.named("Pair"), self.fresh("g"));
        let types = (self.types.name(ty), self.types.name(&other));
        self.before.push(format!(
            "val {name}: {pair}<{}, {}> = {pair}::new({first}, {second})",
            types.0, types.1
        ));
        match self.random.below(2) {
            0 => format!("{name}.first"),
            _ => {
                self.note("generic method");
                // An expression may be written more than once, and this method takes its value.
                let swapped = self.fresh("g");
                self.before.push(format!("val {swapped} = {name}.swapped()"));
                format!("{swapped}.second")
            }
        }
    }
}
