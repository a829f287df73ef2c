//! IR text. [`parse`](crate::parse) reads it back to an equal function.
//!
//! ```text
//! func @scale(%0 "w": tensor<2xf64>) -> tensor<f64> {
//!   %1 = sum %0 {axes = [0]} : tensor<f64> loc(4)
//!   return %1
//! }
//! ```
//!
//! Values are numbered in the order of their definitions. Floats are in shortest round-trip form.

use std::fmt::{self, Write};

use neuro_num::Scalar;

use crate::{
    Function, Op, OpKind, RegionId, ValueId,
    attributes::{Attribute, attributes, region_names},
};

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer =
            Printer { function: self, out: f, numbers: vec![None; self.value_count()], next: 0 };
        printer.function()
    }
}

struct Printer<'p, 'f> {
    function: &'p Function,
    out: &'p mut fmt::Formatter<'f>,
    /// The printed number of each value defined so far.
    numbers: Vec<Option<u32>>,
    next: u32,
}

impl Printer<'_, '_> {
    fn function(&mut self) -> fmt::Result {
        let function = self.function;
        write!(self.out, "func @{}(", name(function.name()))?;
        for (index, param) in function.params().iter().enumerate() {
            self.comma(index)?;
            self.define(*param)?;
            write!(self.out, " {}: {}", quoted(function.param_name(index)), function.ty(*param))?;
        }
        self.out.write_str(") -> ")?;
        let results: Vec<String> =
            function.results().iter().map(|id| function.ty(*id).to_string()).collect();
        match results.as_slice() {
            [one] => self.out.write_str(one)?,
            many => write!(self.out, "({})", many.join(", "))?,
        }
        self.out.write_str(" {\n")?;
        self.region(function.body(), 1, "return")?;
        self.out.write_str("}\n")
    }

    fn region(&mut self, region: RegionId, depth: usize, last: &str) -> fmt::Result {
        let function = self.function;
        let region = function.region(region);
        for op in &region.ops {
            self.op(function.op(*op), depth)?;
        }
        write!(self.out, "{}{last}", "  ".repeat(depth))?;
        self.used(&region.results)?;
        self.out.write_char('\n')
    }

    fn op(&mut self, op: &Op, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        self.out.write_str(&indent)?;
        if !op.regions.is_empty() {
            return self.control(op, depth);
        }
        for (index, result) in op.results.iter().enumerate() {
            self.comma(index)?;
            self.define(*result)?;
        }
        if !op.results.is_empty() {
            self.out.write_str(" = ")?;
        }
        self.head(op)?;
        self.out.write_char('\n')
    }

    /// An op with regions. Its results stand after them, as their values are defined first.
    fn control(&mut self, op: &Op, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        self.head(op)?;
        self.out.write_char('\n')?;
        for (name, region) in region_names(&op.kind).iter().zip(&op.regions) {
            write!(self.out, "{indent}{name}(")?;
            for (index, param) in self.function.region(*region).params.iter().enumerate() {
                self.comma(index)?;
                self.define(*param)?;
                write!(self.out, ": {}", self.function.ty(*param))?;
            }
            self.out.write_str(") {\n")?;
            self.region(*region, depth + 1, "yield")?;
            writeln!(self.out, "{indent}}}")?;
        }
        write!(self.out, "{indent}gives")?;
        for (index, result) in op.results.iter().enumerate() {
            self.out.write_str(if index == 0 { " " } else { ", " })?;
            self.define(*result)?;
        }
        self.out.write_char('\n')
    }

    /// Everything of an op but its results and regions.
    fn head(&mut self, op: &Op) -> fmt::Result {
        self.out.write_str(op.kind.name())?;
        match &op.kind {
            OpKind::Const(value) => write!(self.out, " {}", literal(*value))?,
            OpKind::Dense(dense) => {
                let values: Vec<String> = dense.data().iter().map(|v| literal(*v)).collect();
                write!(self.out, " [{}]", values.join(", "))?;
            }
            OpKind::Unary { .. }
            | OpKind::Binary { .. }
            | OpKind::Math(_)
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. }
            | OpKind::Sum { .. }
            | OpKind::MatMul { .. }
            | OpKind::Element
            | OpKind::Scatter { .. }
            | OpKind::Update { .. }
            | OpKind::Pack { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::Assert { .. }
            | OpKind::If
            | OpKind::While => self.used(&op.operands)?,
        }
        self.attributes(op)?;
        for (index, result) in op.results.iter().enumerate() {
            self.out.write_str(if index == 0 { " : " } else { ", " })?;
            write!(self.out, "{}", self.function.ty(*result))?;
        }
        op.loc.map_or(Ok(()), |loc| write!(self.out, " {loc}"))
    }

    fn attributes(&mut self, op: &Op) -> fmt::Result {
        let attributes = attributes(&op.kind);
        if attributes.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = attributes
            .into_iter()
            .map(|(name, value)| match value {
                Attribute::Flag => name.to_owned(),
                Attribute::Axes(axes) => format!("{name} = {axes:?}"),
                Attribute::Text(text) => format!("{name} = {}", quoted(&text)),
            })
            .collect();
        write!(self.out, " {{{}}}", texts.join(", "))
    }

    fn used(&mut self, values: &[ValueId]) -> fmt::Result {
        for (index, value) in values.iter().enumerate() {
            self.out.write_str(if index == 0 { " " } else { ", " })?;
            match self.numbers[value.index()] {
                Some(number) => write!(self.out, "%{number}")?,
                // Only in a function that the verifier rejects.
                None => write!(self.out, "%undefined.{}", value.0)?,
            }
        }
        Ok(())
    }

    fn define(&mut self, value: ValueId) -> fmt::Result {
        let number = self.next;
        self.next += 1;
        self.numbers[value.index()] = Some(number);
        write!(self.out, "%{number}")
    }

    fn comma(&mut self, index: usize) -> fmt::Result {
        if index == 0 { Ok(()) } else { self.out.write_str(", ") }
    }
}

/// A constant's text; a not-a-number that is not the usual one with its bits.
fn literal(value: Scalar) -> String {
    let usual = Scalar::float(value.dtype(), f64::NAN);
    if value.as_float().is_some_and(f64::is_nan) && usual != Some(value) {
        return format!("nan({:#x})", value.bits());
    }
    value.to_string()
}

/// A function's name: as it is when made of identifiers and `::`, else quoted.
fn name(text: &str) -> String {
    let plain = !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
    if plain { text.to_owned() } else { quoted(text) }
}

/// Text between double quotes, with backslashes before quotes and backslashes, and line breaks as `\n`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}
