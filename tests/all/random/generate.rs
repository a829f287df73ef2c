//! Random programs: well typed, terminating, free of panics, and printing all that they compute.

use std::collections::BTreeSet;
use std::fmt::Write;

use neuro_tests::Random;

use super::types::{Enum, INTS, Int, Struct, Ty, Types};

/// How a parameter takes its argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Mode {
    Value,
    Shared,
    Mutable,
}

/// A function that can be called.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) params: Vec<(Ty, Mode)>,
    pub(super) ret: Ty,
    /// Whether the first parameter is the receiver.
    pub(super) is_method: bool,
}

/// A variable in reach.
#[derive(Clone)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: Ty,
    mutable: bool,
}

impl Var {
    /// One that is not assigned.
    pub(super) fn fixed(name: &str, ty: Ty) -> Self {
        Self { name: name.to_owned(), ty, mutable: false }
    }
}

/// One program: items whose names no other program has, and the function that runs it.
pub(super) struct Program {
    pub(super) items: String,
    pub(super) entry: String,
    /// The kinds of nodes in it.
    pub(super) kinds: BTreeSet<&'static str>,
    /// How deep its expressions are nested.
    pub(super) depth: u32,
}

/// What a program is made with.
pub(super) struct Generator<'r> {
    pub(super) random: &'r mut Random,
    /// Told apart from every other program by it.
    number: usize,
    pub(super) types: Types,
    pub(super) functions: Vec<Function>,
    pub(super) vars: Vec<Var>,
    /// Statements that must stand before the one under construction.
    pub(super) before: Vec<String>,
    /// How many more calls the function under construction may make.
    pub(super) calls_left: u32,
    pub(super) depth_limit: u32,
    pub(super) deepest: u32,
    /// Whether the methods of the trait may be called: in their own bodies they would call each other without end.
    pub(super) has_traits: bool,
    loops: Vec<String>,
    names: usize,
    items: String,
    kinds: BTreeSet<&'static str>,
}

impl<'r> Generator<'r> {
    /// Makes the program with a number.
    pub(super) fn program(random: &'r mut Random, number: usize) -> Program {
        let mut generator = Generator {
            random,
            number,
            types: Types::default(),
            functions: Vec::new(),
            vars: Vec::new(),
            before: Vec::new(),
            calls_left: 0,
            depth_limit: 5,
            deepest: 0,
            has_traits: false,
            loops: Vec::new(),
            names: 0,
            items: String::new(),
            kinds: BTreeSet::new(),
        };
        generator.all();
        Program {
            entry: generator.named("run"),
            items: generator.items,
            kinds: generator.kinds,
            depth: generator.deepest,
        }
    }

    /// Counts a kind of node.
    pub(super) fn note(&mut self, kind: &'static str) {
        self.kinds.insert(kind);
    }

    /// A name of this program.
    pub(super) fn named(&self, word: &str) -> String {
        format!("{word}_{}", self.number)
    }

    /// A name that nothing has yet.
    pub(super) fn fresh(&mut self, word: &str) -> String {
        self.names += 1;
        format!("{word}{}", self.names)
    }

    /// `(a, b, flag)`: one of both.
    pub(super) fn chosen(&self) -> String {
        self.named("chosen")
    }

    /// `(value, flag)`: the value or nothing.
    pub(super) fn option(&self) -> String {
        self.named("option")
    }

    /// `(&value)`: the value.
    pub(super) fn copied(&self) -> String {
        self.named("copied")
    }

    /// `(text)`: its length.
    pub(super) fn length(&self) -> String {
        self.named("length")
    }

    /// `(&numbers)`: their sum.
    pub(super) fn total(&self) -> String {
        self.named("total")
    }

    pub(super) fn item(&mut self, text: &str) {
        self.items.push_str(text);
        self.items.push('\n');
    }

    fn all(&mut self) {
        let (chosen, option, copied) = (self.chosen(), self.option(), self.copied());
        self.item(&format!(
            "func {chosen}<T>(a: T, b: T, flag: bool) -> T {{ if flag {{ a }} else {{ b }} }}"
        ));
        self.item(&format!(
            "func {option}<T>(value: T, flag: bool) -> Option<T> {{ if flag {{ Some(value) }} else {{ None }} }}"
        ));
        self.item(&format!("func {copied}<T: Copy>(value: &T) -> T {{ *value }}"));
        let (length, total) = (self.length(), self.total());
        self.item(&format!("func {length}(text: string) -> u64 {{ text.len() }}"));
        self.item(&format!(
            "func {total}(items: &[i64]) -> i64 {{\n    mut sum = 0i64\n    for item in items {{ sum = (sum + item) % 30011 }}\n    sum\n}}"
        ));
        for _ in 0..1 + self.random.below(3) {
            self.structure();
        }
        self.traits();
        self.generics();
        for _ in 0..1 + self.random.below(2) {
            self.enumeration();
        }
        for index in 0..3 + self.random.below(3) {
            match self.random.below(5) {
                0 => self.recursion(index),
                1 => self.fallible(index),
                _ => self.function(index),
            }
        }
        self.run();
    }

    fn structure(&mut self) {
        self.note("struct item");
        let name = format!("S{}_{}", self.types.structs.len(), self.number);
        let fields: Vec<(String, Ty)> = (0..1 + self.random.below(4))
            .map(|index| (format!("f{index}"), self.types.any(self.random, 2)))
            .collect();
        let written: Vec<_> = fields
            .iter()
            .map(|(field, ty)| format!("    {field}: {},", self.types.name(ty)))
            .collect();
        self.item(&format!("@derive(Copy)\nstruct {name} {{\n{}\n}}", written.join("\n")));
        self.types.structs.push(Struct { name, fields });
    }

    /// An enum, with a function that folds a value of it and one that makes one.
    fn enumeration(&mut self) {
        self.note("enum item");
        let name = format!("E{}_{}", self.types.enums.len(), self.number);
        let mut variants = Vec::new();
        for index in 0..2 + self.random.below(3) {
            let held = (0..self.random.below(3)).map(|_| self.types.any(self.random, 1)).collect();
            variants.push((format!("V{index}"), held));
        }
        let written: Vec<_> = variants
            .iter()
            .map(|(variant, held): &(String, Vec<Ty>)| {
                let held: Vec<_> = held.iter().map(|ty| self.types.name(ty)).collect();
                match held.is_empty() {
                    true => format!("    {variant},"),
                    false => format!("    {variant}({}),", held.join(", ")),
                }
            })
            .collect();
        self.item(&format!("enum {name} {{\n{}\n}}", written.join("\n")));
        self.types.enums.push(Enum { name: name.clone(), variants: variants.clone() });
        // What is in a variant is bound for the arm.
        let mut arms = String::new();
        let given = Ty::Int(*self.random.choose(&INTS));
        for (variant, held) in &variants {
            let bound: Vec<String> = held.iter().map(|_| self.fresh("h")).collect();
            self.calls_left = 0;
            self.vars.clear();
            for (name, ty) in bound.iter().zip(held) {
                let of_numbers = matches!(ty, Ty::Int(_) | Ty::F64 | Ty::F32 | Ty::Bool | Ty::Char);
                if of_numbers {
                    self.vars.push(Var { name: name.clone(), ty: ty.clone(), mutable: false });
                }
            }
            let value = self.expr(&given, 2);
            let before = self.take_before("            ");
            let pattern = match bound.is_empty() {
                true => format!("{name}::{variant}"),
                false => format!("{name}::{variant}({})", bound.join(", ")),
            };
            let _ =
                writeln!(arms, "        {pattern} => {{\n{before}            {value}\n        }}");
        }
        self.vars.clear();
        let fold = format!("fold_{name}");
        let ret = self.types.name(&given);
        self.item(&format!(
            "func {fold}(value: &{name}) -> {ret} {{\n    match value {{\n{arms}    }}\n}}"
        ));
        self.note("match of an enum");
    }

    /// The statements before the one that is being written, and empties them.
    pub(super) fn take_before(&mut self, indent: &str) -> String {
        let lines: Vec<String> =
            self.before.drain(..).map(|line| format!("{indent}{line}\n")).collect();
        lines.concat()
    }

    fn parameters(&mut self) -> Vec<(Ty, Mode)> {
        (0..1 + self.random.below(3))
            .map(|_| {
                let mode = match self.random.below(6) {
                    0 => Mode::Shared,
                    1 => Mode::Mutable,
                    _ => Mode::Value,
                };
                // Behind a reference stands a number: its parts are read in other ways.
                let ty = match mode {
                    Mode::Value => self.types.any(self.random, 2),
                    Mode::Shared | Mode::Mutable => Ty::Int(*self.random.choose(&INTS)),
                };
                (ty, mode)
            })
            .collect()
    }

    /// A function or method of any kind.
    fn function(&mut self, index: usize) {
        let is_method = self.random.below(3) == 0;
        let name = format!("f{index}_{}", self.number);
        let mut params = self.parameters();
        let mut receiver = None;
        if is_method {
            let of = self.random.below(self.types.structs.len());
            receiver = Some(self.types.structs[of].name.clone());
            params.insert(0, (Ty::Struct(of), Mode::Value));
        }
        let ret = self.types.any(self.random, 2);
        self.vars.clear();
        let mut written = Vec::new();
        let mut copies = String::new();
        for (at, (ty, mode)) in params.iter().enumerate() {
            let (of, param) = (self.types.name(ty), format!("p{at}"));
            let (name, text) = match mode {
                Mode::Value if is_method && at == 0 => ("self".to_owned(), "self".to_owned()),
                Mode::Value => (param.clone(), format!("{param}: {of}")),
                Mode::Shared => {
                    copies += &format!("    val c{at}: {of} = *{param}\n");
                    (format!("c{at}"), format!("{param}: &{of}"))
                }
                Mode::Mutable => {
                    copies += &format!(
                        "    *{param} = (*{param} + 1) % 9\n    val c{at}: {of} = *{param}\n"
                    );
                    (format!("c{at}"), format!("{param}: &mut {of}"))
                }
            };
            written.push(text);
            self.vars.push(Var { name, ty: ty.clone(), mutable: false });
        }
        self.calls_left = 3;
        let body = self.body(&ret, 3);
        let head = format!("func {name}({}) -> {}", written.join(", "), self.types.name(&ret));
        let text = format!("{head} {{\n{copies}{body}}}");
        self.item(&match receiver {
            Some(receiver) => format!("impl {receiver} {{\n{text}\n}}"),
            None => text,
        });
        self.functions.push(Function { name, params, ret, is_method });
    }

    /// A function that calls itself a few times.
    fn recursion(&mut self, index: usize) {
        self.note("recursion");
        let name = format!("f{index}_{}", self.number);
        let ty = self.types.any(self.random, 1);
        let of = self.types.name(&ty);
        self.vars = vec![Var { name: "value".to_owned(), ty: ty.clone(), mutable: false }];
        self.calls_left = 1;
        let next = self.expr(&ty, 3);
        let before = self.take_before("    ");
        let text = format!(
            "func {name}(value: {of}, n: u8) -> {of} {{\n    if n % 8u8 == 0u8 {{\n        return value\n    }}\n\
             {before}    {name}({next}, (n % 8u8) - 1u8)\n}}"
        );
        self.item(&text);
        let count = Ty::Int(INTS[4]);
        let params = vec![(ty.clone(), Mode::Value), (count, Mode::Value)];
        self.functions.push(Function { name, params, ret: ty, is_method: false });
    }

    /// A function that passes on that there is nothing.
    fn fallible(&mut self, index: usize) {
        self.note("?");
        let name = format!("f{index}_{}", self.number);
        let (ty, ret) = (self.types.any(self.random, 1), self.types.any(self.random, 1));
        let (of, gives) = (self.types.name(&ty), self.types.name(&ret));
        let option = self.option();
        self.vars = vec![Var { name: "inner".to_owned(), ty: ty.clone(), mutable: false }];
        self.calls_left = 1;
        let value = self.expr(&ret, 3);
        let before = self.take_before("    ");
        self.item(&format!(
            "func try_{name}(value: {of}, flag: bool) -> Option<{gives}> {{\n    val inner = {option}(value, flag)?\n\
             {before}    Some({value})\n}}"
        ));
        self.vars.clear();
        let other = self.expr(&ret, 2);
        let before = self.take_before("    ");
        self.item(&format!(
            "func {name}(value: {of}, flag: bool) -> {gives} {{\n{before}    try_{name}(value, flag) ?? {other}\n}}"
        ));
        let params = vec![(ty, Mode::Value), (Ty::Bool, Mode::Value)];
        self.functions.push(Function { name, params, ret, is_method: false });
    }

    /// Statements and the value of a function.
    fn body(&mut self, ret: &Ty, statements: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(statements) {
            text += &self.statement(2, Some(ret));
        }
        let value = self.expr(ret, self.depth_limit);
        text + &self.take_before("    ") + &format!("    {value}\n")
    }

    fn indent(&self) -> String {
        "    ".repeat(1 + self.loops.len())
    }

    /// Statements in a block of its own, whose variables end with it.
    fn block(&mut self, depth: u32, ret: Option<&Ty>) -> String {
        let known = self.vars.len();
        let mut text = String::new();
        for _ in 0..1 + self.random.below(2) {
            text += &self.statement(depth.saturating_sub(1), ret);
        }
        self.vars.truncate(known);
        text
    }

    /// A statement; those in it are nested at most `depth` deep.
    fn statement(&mut self, depth: u32, ret: Option<&Ty>) -> String {
        let indent = self.indent();
        let made = match self.random.below(if depth == 0 { 12 } else { 18 }) {
            0 | 1 => self.binding(),
            2 | 3 => self.assignment(),
            4 => self.destructuring(),
            5 => self.enum_value(),
            6 if !self.loops.is_empty() => self.leave_loop(),
            6 => match ret {
                Some(ret) => self.early_return(ret),
                None => self.binding(),
            },
            7 => self.text(),
            8 => self.vector(),
            9 => self.map(),
            10 => self.builder(),
            11 => self.stack(),
            12 | 13 => return self.branch(depth, ret),
            14 | 15 => return self.for_range(depth, ret),
            16 => return self.while_loop(depth, ret),
            _ => return self.for_array(depth, ret),
        };
        self.take_before(&indent) + &format!("{indent}{made}\n")
    }

    fn binding(&mut self) -> String {
        let ty = self.types.any(self.random, 2);
        let mutable = self.random.below(3) > 0;
        let value = self.expr(&ty, 3);
        let (name, of) = (self.fresh("v"), self.types.name(&ty));
        self.note(if mutable { "mut" } else { "val" });
        self.vars.push(Var { name: name.clone(), ty, mutable });
        format!("{} {name}: {of} = {value}", if mutable { "mut" } else { "val" })
    }

    fn assignment(&mut self) -> String {
        let mut places = Vec::new();
        for var in self.vars.iter().filter(|var| var.mutable) {
            self.types.places(&var.name, &var.ty, &mut places);
        }
        if places.is_empty() {
            return self.binding();
        }
        let (place, ty) = self.random.choose(&places).clone();
        let value = self.expr(&ty, 3);
        match ty {
            Ty::F64 | Ty::F32 if self.random.below(2) == 0 => {
                self.note("compound assignment");
                format!("{place} {} {value}", self.random.choose(&["+=", "-=", "*="]))
            }
            Ty::Int(Int { signed: false, bound, name, .. }) if self.random.below(2) == 0 => {
                self.note("compound assignment");
                format!("{place} = ({place} + {value}) % {bound}{name}")
            }
            _ => {
                self.note("assignment");
                format!("{place} = {value}")
            }
        }
    }

    fn destructuring(&mut self) -> String {
        self.note("destructuring");
        let parts: Vec<Ty> = (0..2).map(|_| self.types.any(self.random, 1)).collect();
        let ty = Ty::Tuple(parts.clone());
        let value = self.expr(&ty, 2);
        let names = [0; 2].map(|_| self.fresh("d"));
        for (name, ty) in names.iter().zip(parts) {
            self.vars.push(Var { name: name.clone(), ty, mutable: false });
        }
        format!("val ({}) = {value}", names.join(", "))
    }

    fn enum_value(&mut self) -> String {
        self.note("enum value");
        let index = self.random.below(self.types.enums.len());
        let name = self.types.enums[index].name.clone();
        let (variant, held) = self.random.choose(&self.types.enums[index].variants).clone();
        let held: Vec<String> = held.iter().map(|ty| self.expr(ty, 2)).collect();
        let value = self.fresh("e");
        let made = match held.is_empty() {
            true => format!("{name}::{variant}"),
            false => format!("{name}::{variant}({})", held.join(", ")),
        };
        self.before.push(format!("val {value} = {made}"));
        format!("println(\"{value} {{fold_{name}(&{value})}}\")")
    }

    fn leave_loop(&mut self) -> String {
        let cond = self.expr(&Ty::Bool, 3);
        let label = self.random.choose(&self.loops).clone();
        match self.random.below(4) {
            0 => {
                self.note("continue");
                format!("if {cond} {{ continue }}")
            }
            1 => {
                self.note("continue with a label");
                format!("if {cond} {{ continue {label} }}")
            }
            2 => {
                self.note("break with a label");
                format!("if {cond} {{ break {label} }}")
            }
            _ => {
                self.note("break");
                format!("if {cond} {{ break }}")
            }
        }
    }

    fn early_return(&mut self, ret: &Ty) -> String {
        self.note("return");
        let cond = self.expr(&Ty::Bool, 3);
        let value = self.expr(ret, 2);
        format!("if {cond} {{ return {value} }}")
    }

    fn branch(&mut self, depth: u32, ret: Option<&Ty>) -> String {
        self.note("if statement");
        let indent = self.indent();
        let cond = self.expr(&Ty::Bool, 3);
        let before = self.take_before(&indent);
        let (then, otherwise) = (self.block(depth, ret), self.block(depth, ret));
        format!("{before}{indent}if {cond} {{\n{then}{indent}}} else {{\n{otherwise}{indent}}}\n")
    }

    /// A loop with a label around a block.
    fn repeated(&mut self, head: &str, first: &str, depth: u32, ret: Option<&Ty>) -> String {
        let indent = self.indent();
        let before = self.take_before(&indent);
        let label = self.fresh("l");
        self.loops.push(label.clone());
        let calls = std::mem::take(&mut self.calls_left);
        let body = self.block(depth, ret);
        self.calls_left = calls;
        self.loops.pop();
        format!("{before}{indent}{label}: {head} {{\n{first}{body}{indent}}}\n")
    }

    fn for_range(&mut self, depth: u32, ret: Option<&Ty>) -> String {
        self.note("for over a range");
        let int = *self.random.choose(&INTS);
        let name = self.fresh("i");
        let end = self.expr(&Ty::Int(int), 2);
        let range = match self.random.below(4) {
            0 => format!("0{0}..=({end} % 4{0})", int.name),
            1 => format!("(0{0}..({end} % 6{0})).rev()", int.name),
            2 => format!("(0{0}..9{0}).step(1{0} + ({end} % 3{0}) * ({end} % 3{0}))", int.name),
            _ => format!("({end} % 3{0})..5{0}", int.name),
        };
        let known = self.vars.len();
        // The head is written before its variable is in reach.
        self.vars.push(Var { name: name.clone(), ty: Ty::Int(int), mutable: false });
        let text = self.repeated(&format!("for {name} in {range}"), "", depth, ret);
        self.vars.truncate(known);
        text
    }

    fn for_array(&mut self, depth: u32, ret: Option<&Ty>) -> String {
        self.note("for over an array");
        let ty = self.types.scalar(self.random);
        let length = 1 + self.random.below(4);
        let array = self.expr(&Ty::Array(Box::new(ty.clone()), length), 2);
        let name = self.fresh("x");
        let known = self.vars.len();
        self.vars.push(Var { name: name.clone(), ty, mutable: false });
        let text = self.repeated(&format!("for {name} in {array}"), "", depth, ret);
        self.vars.truncate(known);
        text
    }

    fn while_loop(&mut self, depth: u32, ret: Option<&Ty>) -> String {
        let counter = self.fresh("n");
        let cond = self.expr(&Ty::Bool, 2);
        self.before.push(format!("mut {counter}: u64 = 0"));
        let inner = format!("{}    {counter} += 1\n", self.indent());
        let head = match self.random.below(2) {
            0 => {
                self.note("while");
                (format!("while {counter} < 4u64 && {cond}"), inner)
            }
            _ => {
                self.note("loop");
                let leave = format!("{}    if {counter} > 3u64 {{ break }}\n", self.indent());
                ("loop".to_owned(), inner + &leave)
            }
        };
        self.repeated(&head.0, &head.1, depth, ret)
    }

    /// The function that runs the program: it prints each number that it has.
    fn run(&mut self) {
        self.vars.clear();
        self.calls_left = 6;
        let mut text = String::new();
        for _ in 0..4 + self.random.below(4) {
            text += &self.statement(3, None);
        }
        let mut places = Vec::new();
        for var in &self.vars {
            self.types.parts(&var.name, &var.ty, &mut places);
        }
        places.retain(|(_, ty)| !matches!(ty, Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(_)));
        for (place, _) in places {
            let _ = writeln!(text, "    println(\"{place} {{{place}}}\")");
        }
        for index in 0..self.functions.len() {
            self.calls_left = 1;
            let ret = self.functions[index].ret.clone();
            let value = self.call_of(index, 3);
            let (name, of) = (self.fresh("q"), self.types.name(&ret));
            text += &self.take_before("    ");
            let _ = writeln!(text, "    val {name}: {of} = {value}");
            let mut parts = Vec::new();
            self.types.parts(&name, &ret, &mut parts);
            for (place, ty) in parts {
                if !matches!(ty, Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(_)) {
                    let _ = writeln!(text, "    println(\"{place} {{{place}}}\")");
                }
            }
        }
        let name = self.named("run");
        self.item(&format!("func {name}() {{\n{text}}}"));
        self.note("function item");
    }
}
