//! The text of a program, for people.

use std::fmt::{self, Display, Formatter};

use crate::program::{
    Access, Block, Buffer, BufferId, BufferKind, Checks, Index, Inst, Nest, Op, Port, Program, Reg,
    Sink, Step, SumOrder, SumPlace,
};
use neuro_num::Overflow;

impl Display for Reg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl Display for BufferId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

impl Display for Port {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Port::Scalar(reg) => reg.fmt(f),
            Port::Tensor(buffer) => buffer.fmt(f),
        }
    }
}

/// `2x3xf32`.
impl Display for Buffer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.dims.iter().try_for_each(|extent| write!(f, "{extent}x"))?;
        write!(f, "{}", self.dtype)
    }
}

/// `3*i0 + i1 + 2`.
impl Display for Index {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (number, stride) in self.strides.iter().enumerate().filter(|(_, stride)| **stride != 0)
        {
            f.write_str(if first { "" } else { " + " })?;
            first = false;
            match stride {
                1 => write!(f, "i{number}")?,
                _ => write!(f, "{stride}*i{number}")?,
            }
        }
        match self.offset {
            offset if first => write!(f, "{offset}"),
            0 => Ok(()),
            offset => write!(f, " + {offset}"),
        }
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.buffer, self.index)
    }
}

/// The steps, after the parameters, the results and the buffers that are not the caller's.
impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, ports) in [("param", &self.params), ("result", &self.results)] {
            for (number, port) in ports.iter().enumerate() {
                write!(f, "{name} {number}: {port} ")?;
                match port {
                    Port::Scalar(reg) => writeln!(f, "{}", self.dtype(*reg))?,
                    Port::Tensor(buffer) => writeln!(f, "{}", self.buffer(*buffer))?,
                }
            }
        }
        for (number, buffer) in self.buffers.iter().enumerate() {
            match buffer.kind {
                BufferKind::Const(_) => writeln!(f, "const b{number} {buffer}")?,
                BufferKind::Frame { base, offset } => {
                    writeln!(f, "frame b{number} {buffer} at {base} + {offset}")?;
                }
                BufferKind::Param(_) | BufferKind::Result(_) | BufferKind::Workspace(_) => {}
            }
        }
        write_memory(self, f)?;
        Printer { program: self, indent: 0 }.steps(&self.steps, f)
    }
}

/// The workspace of a program as text: a line for each buffer in it.
#[derive(Debug)]
pub struct MemoryPlan<'p>(pub &'p Program);

impl Display for MemoryPlan<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_memory(self.0, f)
    }
}

fn write_memory(program: &Program, f: &mut Formatter<'_>) -> fmt::Result {
    let mut used = vec![false; program.buffers.len()];
    note_used(&program.steps, &mut used);
    for (number, buffer) in program.buffers.iter().enumerate().filter(|(number, _)| used[*number]) {
        if let BufferKind::Workspace(offset) = buffer.kind {
            let end = offset.saturating_add(buffer.bytes());
            writeln!(f, "workspace b{number} {buffer} at {offset}..{end}")?;
        }
    }
    writeln!(f, "workspace of {} bytes", program.workspace_bytes)
}

/// Notes the buffers that steps touch: what became another one has no place.
fn note_used(steps: &[Step], used: &mut [bool]) {
    for step in steps {
        step.for_each_read(|buffer| used[buffer.0 as usize] = true);
        step.for_each_write(|buffer| used[buffer.0 as usize] = true);
        step.blocks().for_each(|block| note_used(&block.steps, used));
    }
}

struct Printer<'p> {
    program: &'p Program,
    indent: usize,
}

impl Printer<'_> {
    fn line(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:width$}", "", width = self.indent * 2)
    }

    fn nested(
        &mut self,
        f: &mut Formatter<'_>,
        inner: impl FnOnce(&mut Self, &mut Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        self.indent += 1;
        inner(self, f)?;
        self.indent -= 1;
        Ok(())
    }

    fn steps(&mut self, steps: &[Step], f: &mut Formatter<'_>) -> fmt::Result {
        steps.iter().try_for_each(|step| self.step(step, f))
    }

    fn step(&mut self, step: &Step, f: &mut Formatter<'_>) -> fmt::Result {
        match step {
            Step::Scalar(inst) => self.inst(inst, f),
            Step::Nest(nest) => self.nest(nest, f),
            Step::MatMul(product) => {
                self.line(f)?;
                let mark = |transposed| if transposed { "^T" } else { "" };
                writeln!(
                    f,
                    "{} = {}{} @ {}{} ({} x {} x {})",
                    product.out,
                    product.lhs,
                    mark(product.transpose_lhs),
                    product.rhs,
                    mark(product.transpose_rhs),
                    product.rows,
                    product.inner,
                    product.columns,
                )
            }
            Step::Store { value, buffer, position } => {
                self.line(f)?;
                writeln!(f, "{buffer}[{position}] = {value}")
            }
            Step::StoreAt(store) => {
                self.line(f)?;
                write!(f, "{}[", store.buffer)?;
                list(&store.positions, "]", f)?;
                write!(f, " {} {}", if store.add { "+=" } else { "=" }, store.value)?;
                store.loc.map_or(Ok(()), |loc| write!(f, " {loc}"))?;
                writeln!(f)
            }
            Step::Push { base, bytes, loc } => {
                self.line(f)?;
                write!(f, "{base} = push frame of {bytes} bytes")?;
                loc.map_or(Ok(()), |loc| write!(f, " {loc}"))?;
                writeln!(f)
            }
            Step::Pop { base, bytes } => {
                self.line(f)?;
                writeln!(f, "{base} = pop frame of {bytes} bytes")
            }
            Step::Assert { condition, message, loc } => {
                self.line(f)?;
                write!(f, "assert {condition} {message:?}")?;
                loc.map_or(Ok(()), |loc| write!(f, " {loc}"))?;
                writeln!(f)
            }
            Step::If { condition, then, otherwise, results } => {
                self.line(f)?;
                list(results, " = ", f)?;
                writeln!(f, "if {condition} {{")?;
                self.nested(f, |this, f| this.block(then, f))?;
                self.line(f)?;
                writeln!(f, "}} else {{")?;
                self.nested(f, |this, f| this.block(otherwise, f))?;
                self.close(f)
            }
            Step::While { carried, condition, body } => {
                self.line(f)?;
                f.write_str("loop")?;
                for carried in carried {
                    write!(f, " {} = {}", carried.current, carried.first)?;
                }
                writeln!(f, " while {{")?;
                self.nested(f, |this, f| this.block(condition, f))?;
                self.line(f)?;
                writeln!(f, "}} do {{")?;
                self.nested(f, |this, f| this.block(body, f))?;
                self.close(f)
            }
        }
    }

    fn close(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.line(f)?;
        writeln!(f, "}}")
    }

    fn block(&mut self, block: &Block, f: &mut Formatter<'_>) -> fmt::Result {
        self.steps(&block.steps, f)?;
        if block.values.is_empty() {
            return Ok(());
        }
        self.line(f)?;
        f.write_str("give ")?;
        list(&block.values, "\n", f)
    }

    fn nest(&mut self, nest: &Nest, f: &mut Formatter<'_>) -> fmt::Result {
        self.line(f)?;
        f.write_str("for")?;
        for (number, extent) in nest.extents.iter().enumerate() {
            write!(f, " i{number} < {extent}")?;
        }
        writeln!(f, " {{")?;
        self.nested(f, |this, f| {
            nest.body.iter().try_for_each(|inst| this.inst(inst, f))?;
            this.line(f)?;
            match &nest.sink {
                Sink::Store { value, to } => writeln!(f, "{to} = {value}"),
                Sink::Sum { value, run, order, checks, to } => {
                    match to {
                        SumPlace::Scalar(reg) => write!(f, "{reg}")?,
                        SumPlace::Element(access) => write!(f, "{access}")?,
                    }
                    write!(f, " = sum of {value} over the innermost {run}")?;
                    if let SumOrder::Lanes { lanes } = order {
                        write!(f, " in lanes {lanes}")?;
                    }
                    write_checks(*checks, f)?;
                    writeln!(f)
                }
            }
        })?;
        self.close(f)
    }

    fn inst(&mut self, inst: &Inst, f: &mut Formatter<'_>) -> fmt::Result {
        self.line(f)?;
        write!(f, "{} {} = ", inst.dest, self.program.dtype(inst.dest))?;
        match &inst.op {
            Op::Const(scalar) => write!(f, "{scalar}")?,
            Op::Math(function, operands) => {
                write!(f, "{} ", function.name())?;
                list(operands, "", f)?;
            }
            Op::Unary { op, operand, checks } => {
                write!(f, "{} {operand}", op.name())?;
                write_checks(*checks, f)?;
            }
            Op::Binary { op, lhs, rhs, checks } => {
                write!(f, "{} {lhs}, {rhs}", op.name())?;
                write_checks(*checks, f)?;
            }
            Op::Compare { op, lhs, rhs } => write!(f, "{} {lhs}, {rhs}", op.name())?,
            Op::Select { condition, then, otherwise } => {
                write!(f, "select {condition}, {then}, {otherwise}")?;
            }
            Op::Convert(operand) => write!(f, "convert {operand}")?,
            Op::Load(access) => access.fmt(f)?,
            Op::AtPosition(axes) => {
                f.write_str("at")?;
                axes.iter().try_for_each(|(index, reg)| write!(f, " ({index} == {reg})"))?;
            }
            Op::Element { buffer, positions, loc, .. } => {
                write!(f, "{buffer}[")?;
                list(positions, "]", f)?;
                loc.map_or(Ok(()), |loc| write!(f, " {loc}"))?;
            }
        }
        writeln!(f)
    }
}

fn list(regs: &[Reg], end: &str, f: &mut Formatter<'_>) -> fmt::Result {
    for (number, reg) in regs.iter().enumerate() {
        write!(f, "{}{reg}", if number == 0 { "" } else { ", " })?;
    }
    f.write_str(if regs.is_empty() { "" } else { end })
}

/// Only what can trap has a place.
fn write_checks(checks: Checks, f: &mut Formatter<'_>) -> fmt::Result {
    match (checks.loc, checks.overflow) {
        (Some(loc), Overflow::Trap) => write!(f, " checked {loc}"),
        (Some(loc), Overflow::Wrap) => write!(f, " {loc}"),
        (None, _) => Ok(()),
    }
}
