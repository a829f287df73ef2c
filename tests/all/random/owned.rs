//! What random programs do with values that are moved: texts and vectors.

use super::generate::Generator;
use super::types::{INTS, Ty};

impl Generator<'_> {
    /// A hole that prints what a variable in reach holds, or a number.
    pub(super) fn hole(&mut self) -> String {
        let mut found = Vec::new();
        for var in &self.vars {
            self.types.parts(&var.name, &var.ty, &mut found);
        }
        found.retain(|(_, ty)| matches!(ty, Ty::Int(_) | Ty::F64 | Ty::F32 | Ty::Bool | Ty::Char));
        match found.is_empty() {
            true => "{7}".to_owned(),
            false => format!("{{{}}}", self.random.choose(&found).0),
        }
    }

    /// Makes a text, joins it, hands it on and prints it.
    pub(super) fn text(&mut self) -> String {
        self.note("text");
        let name = self.fresh("t");
        let (first, second) = (self.hole(), self.hole());
        self.before.push(format!("mut {name} = \"a{first}ü{second}\""));
        for _ in 0..self.random.below(3) {
            let hole = self.hole();
            let line = match self.random.below(4) {
                0 => {
                    self.note("text +");
                    format!("{name} = {name} + \"|{hole}\"")
                }
                1 => {
                    self.note("text +=");
                    format!("{name} += \"-{hole}\"")
                }
                2 => {
                    self.note("text comparison");
                    format!("if {name} == \"a{hole}\" {{ {name} += \"=\" }}")
                }
                _ => {
                    self.note("text under a condition");
                    format!("if {} {{ {name} = \"{hole}\" }}", self.expr(&Ty::Bool, 2))
                }
            };
            self.before.push(line);
        }
        match self.random.below(3) {
            0 => {
                self.note("text passed by value");
                format!("println(\"{name} {{{}({name})}}\")", self.length())
            }
            _ => format!("println(\"{name} {{{name}}} {{{name}.len()}}\")"),
        }
    }

    /// Fills a vector, changes it, lends it as a slice and prints what is in it.
    pub(super) fn vector(&mut self) -> String {
        self.note("vector");
        let of = INTS[3];
        let ty = Ty::Int(of);
        let name = self.fresh("w");
        let count = 1 + self.random.below(4);
        let mut lines = vec![format!("mut {name}: Vec<{}> = Vec::new()", of.name)];
        for _ in 0..count {
            let value = self.expr(&ty, 2);
            lines.push(format!("{name}.push({value})"));
        }
        if self.random.below(2) == 0 {
            self.note("element of a vector");
            let (at, value) = (self.random.below(count), self.expr(&ty, 2));
            lines.push(format!("{name}[{at}] = {value}"));
        }
        self.note("slice");
        self.before.extend(lines);
        format!("println(\"{name} {{{name}.len()}} {{{name}[0]}} {{{}(&{name})}}\")", self.total())
    }
}
