//! The readable text of a body, for tests and for people.

use std::fmt::{self, Display, Formatter};

use neuro_db::Db;
use neuro_hir::{BinaryOp, CompareOp, UnaryOp};
use neuro_num::DType;
use neuro_types::{GenericArg, Ty};

use crate::{
    BlockId, BlockKind, Body, Code, CollectionOp, DropReason, LocalId, LocalKind, NumberOp,
    Operand, Operation, Place, PrintPart, Projection, Range, Rvalue, Statement, StatementKind,
    SweepId, Terminator, TextOperation,
};

/// The text of a body. A constant is printed with its type, a place as `_3` or `*_3`.
pub fn print(db: &dyn Db, body: &Body<'_>) -> String {
    Printer { db, body }.to_string()
}

struct Printer<'a, 'db> {
    db: &'db dyn Db,
    body: &'a Body<'db>,
}

impl Display for Printer<'_, '_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let body = self.body;
        f.write_str("fn(")?;
        for (index, param) in body.params.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{}", local(*param))?;
        }
        match body.ret {
            Some(ret) => writeln!(f, ") -> {}", local(ret))?,
            None => writeln!(f, ")")?,
        }
        for (id, declaration) in body.locals.iter() {
            write!(f, "  let {}: ", local(id))?;
            match declaration.kind {
                LocalKind::Residuals(sweep) => write!(f, "residuals of {}", sweep_name(sweep))?,
                LocalKind::Kept => f.write_str("captures that are kept")?,
                LocalKind::Param | LocalKind::Binding(_) | LocalKind::Temporary => {
                    write!(f, "{}", declaration.ty)?;
                }
            }
            if let Some(name) = &declaration.name {
                write!(f, " = {name}")?;
            }
            match declaration.pool {
                Some(pool) if matches!(declaration.ty, Ty::Tensor(_)) => {
                    writeln!(f, " in pool{}", pool.into_raw().into_u32())?;
                }
                _ => writeln!(f)?,
            }
        }
        for (id, sweep) in body.sweeps.iter() {
            let name = sweep.function.name(self.db);
            write!(f, "  {}: {} = {name}", sweep_name(id), local(sweep.loss))?;
            operands(f, &sweep.args)?;
            writeln!(f, ", {}", local(sweep.residuals))?;
        }
        for (id, block) in body.blocks.iter() {
            match block.kind {
                BlockKind::Plain => writeln!(f, "{}:", block_name(id))?,
                BlockKind::LoopHeader { exit } => {
                    write!(f, "{}: loop, exit {}", block_name(id), block_name(exit))?;
                    if let Some(range) = body.ranges.get(id) {
                        let dots = if range.inclusive { "..=" } else { ".." };
                        write!(f, ", {} in ", local(range.var))?;
                        operand(f, &range.start)?;
                        f.write_str(dots)?;
                        operand(f, &range.end)?;
                        f.write_str(if range.reversed { " reversed by " } else { " by " })?;
                        operand(f, &range.step)?;
                    }
                    writeln!(f)?;
                }
            }
            for statement in &block.statements {
                f.write_str("  ")?;
                self.statement(f, statement)?;
                writeln!(f)?;
            }
            f.write_str("  ")?;
            terminator(f, &block.terminator)?;
            writeln!(f)?;
        }
        Ok(())
    }
}

impl<'db> Printer<'_, 'db> {
    fn statement(&self, f: &mut Formatter<'_>, statement: &Statement<'db>) -> fmt::Result {
        match &statement.kind {
            StatementKind::Assign { place: dest, value } => {
                place(f, dest)?;
                f.write_str(" = ")?;
                rvalue(f, value)
            }
            StatementKind::InPlace { place: target, op, value } => {
                place(f, target)?;
                write!(f, " {}= ", binary_symbol(*op))?;
                operand(f, value)
            }
            StatementKind::SetElement { tensor, positions, value } => {
                place(f, tensor)?;
                f.write_str("[")?;
                list(f, positions)?;
                f.write_str("] = ")?;
                operand(f, value)
            }
            StatementKind::Bounds { position, length, of: _ } => {
                f.write_str("bounds ")?;
                operand(f, position)?;
                f.write_str(" < ")?;
                operand(f, length)
            }
            StatementKind::Collection { dest, op, place: of, args } => {
                if let Some(dest) = dest {
                    place(f, dest)?;
                    f.write_str(" = ")?;
                }
                f.write_str(match op {
                    CollectionOp::Push => "push ",
                    CollectionOp::Pop => "pop ",
                    CollectionOp::Clear => "clear ",
                    CollectionOp::Insert => "insert ",
                    CollectionOp::Find => "find ",
                    CollectionOp::Remove => "remove ",
                    CollectionOp::Keys => "keys ",
                    CollectionOp::Copy => "copy ",
                })?;
                place(f, of)?;
                operands(f, args)
            }
            StatementKind::Call { dest, function, generics, args } => {
                if let Some(dest) = dest {
                    place(f, dest)?;
                    f.write_str(" = ")?;
                }
                write!(f, "call {}", function.name(self.db))?;
                turbofish(f, generics)?;
                operands(f, args)
            }
            StatementKind::FunctionValue { dest, code, captures, kept } => {
                place(f, dest)?;
                match code {
                    Code::Function { function, generics } => {
                        write!(f, " = function {}", function.name(self.db))?;
                        turbofish(f, generics)?;
                    }
                    Code::Expr(expr) => {
                        write!(f, " = function value {}", expr.into_raw().into_u32())?;
                    }
                }
                if let Some(captures) = captures {
                    f.write_str(if *kept { " keeping " } else { " with " })?;
                    place(f, captures)?;
                }
                Ok(())
            }
            StatementKind::CallDyn { dest, function, args } => {
                if let Some(dest) = dest {
                    place(f, dest)?;
                    f.write_str(" = ")?;
                }
                write!(f, "call dyn {}", function.name(self.db))?;
                operands(f, args)
            }
            StatementKind::CallValue { dest, callee, args } => {
                if let Some(dest) = dest {
                    place(f, dest)?;
                    f.write_str(" = ")?;
                }
                f.write_str("call value ")?;
                operand(f, callee)?;
                operands(f, args)
            }
            StatementKind::Forward(sweep) => write!(f, "forward {}", sweep_name(*sweep)),
            StatementKind::Backward(sweep) => write!(f, "backward {}", sweep_name(*sweep)),
            StatementKind::ZeroGrad(target) => {
                f.write_str("zero_grad ")?;
                place(f, target)
            }
            StatementKind::Drop { place: target, reason } => {
                f.write_str("drop ")?;
                place(f, target)?;
                f.write_str(match reason {
                    DropReason::Consumed => " (consumed)",
                    DropReason::ScopeEnd => " (scope ends)",
                    DropReason::Displaced => " (displaced)",
                    DropReason::Temporary => " (temporary)",
                })
            }
            StatementKind::Append { place: target, parts } => {
                place(f, target)?;
                f.write_str(" += ")?;
                text(f, parts)
            }
            StatementKind::ClearText(target) => {
                f.write_str("clear ")?;
                place(f, target)
            }
            StatementKind::Print { parts, newline } => {
                f.write_str(if *newline { "println " } else { "print " })?;
                text(f, parts)
            }
            StatementKind::PoolEnter(pool) => write!(f, "enter pool{}", pool.into_raw().into_u32()),
            StatementKind::PoolExit(pool) => write!(f, "exit pool{}", pool.into_raw().into_u32()),
        }
    }
}

fn turbofish(f: &mut Formatter<'_>, generics: &[GenericArg]) -> fmt::Result {
    if generics.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = generics.iter().map(ToString::to_string).collect();
    write!(f, "::<{}>", shown.join(", "))
}

fn local(id: LocalId) -> String {
    format!("_{}", id.into_raw().into_u32())
}

fn block_name(id: BlockId) -> String {
    format!("bb{}", id.into_raw().into_u32())
}

fn sweep_name(id: SweepId) -> String {
    format!("sweep{}", id.into_raw().into_u32())
}

fn place(f: &mut Formatter<'_>, place: &Place) -> fmt::Result {
    let mut text = local(place.local);
    for projection in &place.projections {
        let inner = if text.starts_with('*') && *projection != Projection::Deref {
            format!("({text})")
        } else {
            text
        };
        text = match projection {
            Projection::Deref => format!("*{inner}"),
            Projection::Field { index, .. } => format!("{inner}.{index}"),
            Projection::Payload { variant, index, .. } => format!("{inner}.v{variant}.{index}"),
            Projection::Element(position) => format!("{inner}[{position}]"),
            Projection::Rest(first) => format!("{inner}[{first}..]"),
            Projection::Index(position) => format!("{inner}[{}]", local(*position)),
        };
    }
    f.write_str(&text)
}

fn operand(f: &mut Formatter<'_>, operand: &Operand) -> fmt::Result {
    match operand {
        Operand::Copy(source) => place(f, source),
        Operand::Move(source) => {
            f.write_str("move ")?;
            place(f, source)
        }
        Operand::Const(scalar) if scalar.dtype() == DType::Bool => write!(f, "{scalar}"),
        Operand::Const(scalar) => write!(f, "{scalar}{}", scalar.dtype()),
    }
}

fn list(f: &mut Formatter<'_>, operands: &[Operand]) -> fmt::Result {
    for (index, one) in operands.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        operand(f, one)?;
    }
    Ok(())
}

fn operands(f: &mut Formatter<'_>, operands: &[Operand]) -> fmt::Result {
    f.write_str("(")?;
    list(f, operands)?;
    f.write_str(")")
}

fn rvalue(f: &mut Formatter<'_>, value: &Rvalue) -> fmt::Result {
    match value {
        Rvalue::Use(source) => operand(f, source),
        Rvalue::Ref { mutable, place: target } => {
            f.write_str(if *mutable { "&mut " } else { "&" })?;
            place(f, target)
        }
        Rvalue::Gradient(target) => {
            f.write_str("grad ")?;
            place(f, target)
        }
        Rvalue::Aggregate(parts) => {
            f.write_str("of ")?;
            operands(f, parts)
        }
        Rvalue::Variant { variant, parts } => {
            write!(f, "variant {variant} of ")?;
            operands(f, parts)
        }
        Rvalue::Tag(target) => {
            f.write_str("tag ")?;
            place(f, target)
        }
        Rvalue::Text(parts) => {
            f.write_str("text ")?;
            text(f, parts)
        }
        Rvalue::TextOperation { op, operands: sources } => {
            f.write_str(text_operation(*op))?;
            operands(f, sources)
        }
        Rvalue::Empty => f.write_str("empty"),
        Rvalue::Length(target) => {
            f.write_str("length ")?;
            place(f, target)
        }
        Rvalue::Object { mutable, place: target } => {
            f.write_str(if *mutable { "&mut dyn " } else { "&dyn " })?;
            place(f, target)
        }
        Rvalue::Slice { mutable, place: target, range } => {
            f.write_str(if *mutable { "slice mut " } else { "slice " })?;
            place(f, target)?;
            let Some(Range { start, end, inclusive }) = range else { return Ok(()) };
            f.write_str(" from ")?;
            operand(f, start)?;
            f.write_str(if *inclusive { " through " } else { " to " })?;
            operand(f, end)
        }
        Rvalue::Operation { op, operands: sources } => {
            operation(f, op)?;
            operands(f, sources)
        }
    }
}

fn text_operation(op: TextOperation) -> &'static str {
    match op {
        TextOperation::Equal(true) => "text_eq",
        TextOperation::Equal(false) => "text_ne",
        TextOperation::Hash => "hash",
        TextOperation::Length => "length",
        TextOperation::Slice { inclusive: false, characters: false } => "slice",
        TextOperation::Slice { inclusive: true, characters: false } => "slice_to",
        TextOperation::Slice { inclusive: false, characters: true } => "char_slice",
        TextOperation::Slice { inclusive: true, characters: true } => "char_slice_to",
        TextOperation::Chars => "chars",
        TextOperation::Next => "next",
    }
}

fn operation(f: &mut Formatter<'_>, op: &Operation) -> fmt::Result {
    match op {
        Operation::Unary(UnaryOp::Neg) => f.write_str("neg"),
        Operation::Unary(UnaryOp::Not) => f.write_str("not"),
        Operation::Unary(UnaryOp::BitNot) => f.write_str("bit_not"),
        Operation::Binary(op) => f.write_str(binary_word(*op)),
        Operation::Compare(op) => f.write_str(match op {
            CompareOp::Eq => "eq",
            CompareOp::Ne => "ne",
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
        }),
        Operation::Cast(dtype) => write!(f, "cast to {dtype} "),
        Operation::Character => f.write_str("character"),
        Operation::Math(function) => f.write_str(function.name()),
        Operation::Number(op) => number_operation(f, *op),
        Operation::Sum => f.write_str("sum"),
        Operation::Mean => f.write_str("mean"),
        Operation::Item => f.write_str("item"),
        Operation::Element => f.write_str("element"),
        Operation::Pack => f.write_str("pack"),
        Operation::Fill => f.write_str("fill"),
        Operation::Identity => f.write_str("identity"),
        Operation::Clone => f.write_str("clone"),
        Operation::Transpose => f.write_str("transpose"),
        Operation::Detach => f.write_str("detach"),
        Operation::NotYet => f.write_str("not yet"),
    }
}

fn number_operation(f: &mut Formatter<'_>, op: NumberOp) -> fmt::Result {
    match op {
        NumberOp::Wrapping(op) => write!(f, "wrapping_{}", op.word()),
        NumberOp::Saturating(op) => write!(f, "saturating_{}", op.word()),
        NumberOp::Fits(op) => write!(f, "fits_{}", op.word()),
        NumberOp::Shr => f.write_str("shr"),
        NumberOp::Hash => f.write_str("hash"),
        NumberOp::IsNan => f.write_str("is_nan"),
        NumberOp::Holds(dtype) => write!(f, "holds {dtype} "),
    }
}

fn binary_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::BitAnd => "bit_and",
        BinaryOp::BitOr => "bit_or",
        BinaryOp::BitXor => "bit_xor",
        BinaryOp::Shl => "shl",
        BinaryOp::MatMul => "matmul",
    }
}

/// The operator as it is written in a program.
pub(crate) fn binary_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::MatMul => "@",
    }
}

fn text(f: &mut Formatter<'_>, parts: &[PrintPart]) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(" ")?;
        }
        match part {
            PrintPart::Text(text) => write!(f, "{text:?}")?,
            PrintPart::Value { value, .. } => operand(f, value)?,
        }
    }
    Ok(())
}

fn terminator(f: &mut Formatter<'_>, terminator: &Terminator) -> fmt::Result {
    match terminator {
        Terminator::Goto(target) => write!(f, "goto {}", block_name(*target)),
        Terminator::Branch { cond, then, otherwise, join } => {
            f.write_str("if ")?;
            operand(f, cond)?;
            write!(f, " goto {} else {}", block_name(*then), block_name(*otherwise))?;
            match join {
                Some(join) => write!(f, ", join {}", block_name(*join)),
                None => Ok(()),
            }
        }
        Terminator::Return => f.write_str("return"),
        Terminator::Panic { message, .. } => {
            f.write_str("panic ")?;
            text(f, message)
        }
        Terminator::Unreachable => f.write_str("unreachable"),
    }
}
