//! Expressions of random programs, each of a given type.

use super::generate::{Generator, Mode};
use super::types::{COUNTER, INTS, Int, Ty};

/// Comparisons.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Generator<'_> {
    /// An expression of a type, at most `depth` deep.
    pub(super) fn expr(&mut self, ty: &Ty, depth: u32) -> String {
        self.deepest = self.deepest.max(self.depth_limit.saturating_sub(depth));
        if depth == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.random.below(10) {
            0 => return self.leaf(ty),
            1 | 2 => {
                if let Some(text) = self.call(ty, depth) {
                    return text;
                }
            }
            3 => return self.conditional(ty, depth),
            4 => return self.special(ty, depth),
            _ => {}
        }
        match ty {
            Ty::Int(int) => self.int(*int, depth),
            Ty::F64 | Ty::F32 => self.float(ty, depth),
            Ty::Bool => self.bool(depth),
            Ty::Char => self.leaf(ty),
            Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(_) => self.aggregate(ty, depth),
        }
    }

    /// A literal, or what a variable in reach holds.
    fn leaf(&mut self, ty: &Ty) -> String {
        if self.random.below(4) > 0 {
            let mut found = Vec::new();
            for var in &self.vars {
                self.types.parts(&var.name, &var.ty, &mut found);
            }
            found.retain(|(_, of)| of == ty);
            if !found.is_empty() {
                let (place, _) = self.random.choose(&found).clone();
                self.note(match () {
                    () if place.contains('[') => "element",
                    () if place.contains('.') => "part",
                    () => "variable",
                });
                return place;
            }
        }
        match ty {
            Ty::Int(int) => self.literal(*int),
            Ty::F64 => self.float_literal(""),
            Ty::F32 => self.float_literal("f32"),
            Ty::Bool => {
                self.note("bool literal");
                (*self.random.choose(&["true", "false"])).to_owned()
            }
            Ty::Char => {
                self.note("char literal");
                (*self.random.choose(&["'a'", "'z'", "'Q'", "'0'", "'ü'", "'\\n'"])).to_owned()
            }
            Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(_) => self.aggregate(ty, 0),
        }
    }

    fn literal(&mut self, int: Int) -> String {
        self.note("integer literal");
        let value = self.random.below(int.bound as usize);
        match int.signed && self.random.below(3) == 0 && value > 0 {
            true => format!("(-{value}{})", int.name),
            false => format!("{value}{}", int.name),
        }
    }

    fn float_literal(&mut self, suffix: &str) -> String {
        self.note("float literal");
        let text =
            *self.random.choose(&["0.0", "1.0", "0.5", "2.25", "3.75", "10.0", "0.1", "1e3"]);
        let sign = if self.random.below(3) == 0 { "-" } else { "" };
        format!("({sign}{text}{suffix})")
    }

    fn int(&mut self, int: Int, depth: u32) -> String {
        let ty = Ty::Int(int);
        let bound = format!("{}{}", int.bound, int.name);
        let a = self.expr(&ty, depth);
        match self.random.below(14) {
            13 => self.long(int, depth),
            12 => {
                self.note("method of a number");
                let b = self.expr(&ty, depth);
                match self.random.below(3) {
                    0 => format!("({a}.wrapping_add({b}) % {bound})"),
                    1 => format!("({a}.saturating_sub({b}) % {bound})"),
                    _ => format!("(({a}.checked_mul({b}) ?? {b}) % {bound})"),
                }
            }
            0 | 1 => {
                self.note("+");
                format!("(({a} + {}) % {bound})", self.expr(&ty, depth))
            }
            2 => {
                self.note("-");
                let b = self.expr(&ty, depth);
                match int.signed {
                    true => format!("(({a} - {b}) % {bound})"),
                    false => format!("(({a} + ({bound} - {b})) % {bound})"),
                }
            }
            3 => {
                self.note("*");
                format!("(({a} * {}) % {bound})", self.expr(&ty, depth))
            }
            4 => {
                self.note("/");
                let b = self.expr(&ty, depth);
                let (seven, shift) = (format!("7{}", int.name), format!("8{}", int.name));
                format!("({a} / ({b} % {seven} + {shift}))")
            }
            5 => {
                self.note("%");
                format!("({a} % {}{})", 1 + self.random.below(9), int.name)
            }
            6 => {
                self.note("<<");
                format!("(({a} << {}) % {bound})", self.random.below(3))
            }
            7 => {
                let op = *self.random.choose(&["&", "|", "^"]);
                self.note(op);
                format!("(({a} {op} {}) % {bound})", self.expr(&ty, depth))
            }
            8 if int.signed => {
                self.note("unary -");
                format!("(-{a})")
            }
            8 => {
                self.note("~");
                format!("((~{a}) % {bound})")
            }
            9 | 10 => {
                self.note("cast to integer");
                let from = match self.random.below(6) {
                    0 => Ty::F64,
                    1 => Ty::Bool,
                    2 => Ty::Char,
                    _ => Ty::Int(*self.random.choose(&INTS)),
                };
                let value = self.expr(&from, depth);
                format!("(({value} as {}) % {bound})", int.name)
            }
            _ => self.matched(int, &a, depth),
        }
    }

    /// `match` of an integer.
    fn matched(&mut self, of: Int, scrutinee: &str, depth: u32) -> String {
        self.note("match of an integer");
        let ty = Ty::Int(of);
        let [a, b, c] = [0; 3].map(|_| self.expr(&ty, depth.saturating_sub(1)));
        let name = self.fresh("m");
        let guard = 1 + self.random.below(of.bound as usize - 1);
        format!(
            "match {scrutinee} {{ 0 => {a}, 1..=3 | 5 => {b}, {name} if {name} > {guard} => {name}, _ => {c} }}"
        )
        .wrapped()
    }

    fn float(&mut self, ty: &Ty, depth: u32) -> String {
        let a = self.expr(ty, depth);
        match self.random.below(7) {
            0 => {
                self.note("cast to float");
                let int = Ty::Int(*self.random.choose(&INTS));
                format!("({} as {})", self.expr(&int, depth), self.types.name(ty))
            }
            1 => {
                self.note("float to float");
                let other = if *ty == Ty::F64 { Ty::F32 } else { Ty::F64 };
                format!("({} as {})", self.expr(&other, depth), self.types.name(ty))
            }
            2 => {
                self.note("float unary -");
                format!("(-{a})")
            }
            _ => {
                let op = *self.random.choose(&["+", "-", "*", "/"]);
                self.note("float arithmetic");
                format!("({a} {op} {})", self.expr(ty, depth))
            }
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        match self.random.below(6) {
            0 => {
                self.note("!");
                format!("(!{})", self.expr(&Ty::Bool, depth))
            }
            1 | 2 => {
                let op = *self.random.choose(&["&&", "||"]);
                self.note(op);
                let [a, b] = [0; 2].map(|_| self.expr(&Ty::Bool, depth));
                format!("({a} {op} {b})")
            }
            _ => {
                self.note("comparison");
                let ty = match self.random.below(5) {
                    0 => Ty::F64,
                    1 => Ty::Char,
                    _ => Ty::Int(*self.random.choose(&INTS)),
                };
                let [a, b] = [0; 2].map(|_| self.expr(&ty, depth));
                format!("({a} {} {b})", self.random.choose(&COMPARISONS))
            }
        }
    }

    fn aggregate(&mut self, ty: &Ty, depth: u32) -> String {
        match ty {
            Ty::Int(_) | Ty::F64 | Ty::F32 | Ty::Bool | Ty::Char => self.leaf(ty),
            Ty::Tuple(parts) => {
                self.note("tuple");
                let parts: Vec<_> = parts.iter().map(|part| self.expr(part, depth)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Array(element, length) => {
                self.note("array");
                let parts: Vec<_> = (0..*length).map(|_| self.expr(element, depth)).collect();
                format!("[{}]", parts.join(", "))
            }
            Ty::Struct(index) => {
                let (name, fields) = {
                    let known = &self.types.structs[*index];
                    (known.name.clone(), known.fields.clone())
                };
                let base = self.vars.iter().find(|var| var.ty == *ty).map(|var| var.name.clone());
                let written = match base {
                    Some(_) if fields.len() > 1 && self.random.below(2) == 0 => 1,
                    _ => fields.len(),
                };
                let mut parts = Vec::new();
                for (field, ty) in fields.iter().take(written) {
                    parts.push(format!("{field}: {}", self.expr(ty, depth)));
                }
                match base {
                    Some(base) if written < fields.len() => {
                        self.note("struct update");
                        parts.push(format!("..{base}"));
                    }
                    _ => self.note("struct"),
                }
                format!("{name} {{ {} }}", parts.join(", ")).wrapped()
            }
        }
    }

    fn conditional(&mut self, ty: &Ty, depth: u32) -> String {
        self.note("if expression");
        let cond = self.expr(&Ty::Bool, depth);
        let [a, b] = [0; 2].map(|_| self.expr(ty, depth));
        format!("if {cond} {{ {a} }} else {{ {b} }}").wrapped()
    }

    /// What makes a value of any type: generic calls, options, elements at a position that is computed.
    fn special(&mut self, ty: &Ty, depth: u32) -> String {
        match self.random.below(7) {
            4 | 5 => self.by_function_value(ty, depth),
            6 => self.pair(ty, depth),
            0 => {
                self.note("generic call");
                let [a, b] = [0; 2].map(|_| self.expr(ty, depth));
                format!("{}({a}, {b}, {})", self.chosen(), self.expr(&Ty::Bool, depth))
            }
            1 => {
                let (some, other) = (self.expr(ty, depth), self.expr(ty, depth));
                let cond = self.expr(&Ty::Bool, depth);
                let (option, name) = (self.option(), self.fresh("o"));
                if self.random.below(2) == 0 {
                    self.note("??");
                    return format!("({option}({some}, {cond}) ?? {other})");
                }
                self.note("match of an option");
                format!(
                    "match {option}({some}, {cond}) {{ Some({name}) => {name}, None => {other} }}"
                )
                .wrapped()
            }
            2 => {
                self.note("element at a position");
                let length = 2 + self.random.below(3);
                let array = self.expr(&Ty::Array(Box::new(ty.clone()), length), depth.min(1));
                let position = self.expr(&Ty::Int(COUNTER), depth);
                let name = self.fresh("a");
                let annotation = self.types.name(&Ty::Array(Box::new(ty.clone()), length));
                self.before.push(format!("val {name}: {annotation} = {array}"));
                format!("{name}[{position} % {length}]")
            }
            _ => {
                self.note("reference");
                let name = self.fresh("r");
                let (value, annotation) = (self.expr(ty, depth), self.types.name(ty));
                self.before.push(format!("val {name}: {annotation} = {value}"));
                format!("{}(&{name})", self.copied())
            }
        }
    }

    /// A call of a function or method that gives a type.
    fn call(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        if self.calls_left == 0 {
            return None;
        }
        let fitting: Vec<usize> =
            (0..self.functions.len()).filter(|index| self.functions[*index].ret == *ty).collect();
        if fitting.is_empty() {
            return None;
        }
        let index = *self.random.choose(&fitting);
        Some(self.call_of(index, depth))
    }

    /// A call of a function by its number.
    pub(super) fn call_of(&mut self, index: usize, depth: u32) -> String {
        self.calls_left = self.calls_left.saturating_sub(1);
        let function = self.functions[index].clone();
        let mut arguments = Vec::new();
        for (of, mode) in &function.params {
            arguments.push(match mode {
                Mode::Value => self.expr(of, depth),
                Mode::Shared | Mode::Mutable => {
                    let name = self.fresh("p");
                    let (value, annotation) = (self.expr(of, depth), self.types.name(of));
                    let word = if *mode == Mode::Mutable { "mut" } else { "val" };
                    self.before.push(format!("{word} {name}: {annotation} = {value}"));
                    self.note(if *mode == Mode::Mutable { "&mut" } else { "&" });
                    format!("&{}{name}", if *mode == Mode::Mutable { "mut " } else { "" })
                }
            });
        }
        if function.is_method {
            self.note("method call");
            let receiver = arguments.remove(0);
            return format!("{receiver}.{}({})", function.name, arguments.join(", "));
        }
        self.note("call");
        format!("{}({})", function.name, arguments.join(", "))
    }
}

/// Text in parentheses.
trait Wrapped {
    fn wrapped(self) -> String;
}

impl Wrapped for String {
    fn wrapped(self) -> String {
        format!("({self})")
    }
}
