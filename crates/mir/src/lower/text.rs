//! Text: what holes and `+` make of pieces, and what is printed.
//!
//! A text is first taken apart into its pieces, without evaluating anything: `"{a + b}!"` are the text `a`, the text `b`
//! and an exclamation mark. So nothing is built that is only a part of something else.

use neuro_hir::{BinaryOp, Expr, ExprId, FormatPart};
use neuro_num::{Align, DType, FormatKind, FormatSpec};
use neuro_syntax::ast;
use neuro_types::Ty;

use super::Lowering;
use super::limit::shown_fields;
use super::read::{Read, Reading};
use crate::{DropReason, Operand, Place, PrintPart, Projection, Rvalue, walk};

/// A piece of a text that is not evaluated yet.
enum Piece {
    Constant(String),
    Value { value: ExprId, spec: FormatSpec },
}

impl Lowering<'_, '_> {
    /// Puts a new text in a place.
    pub(super) fn text_into(&mut self, text: ExprId, dest: &Place, expr: ExprId) {
        let (parts, reads) = self.text(text, &[]);
        self.assign(dest, Rvalue::Text(parts), expr);
        self.after(reads);
    }

    /// Evaluates the pieces of a text from left to right. `rest` are the expressions that are evaluated after them.
    pub(super) fn text(&mut self, text: ExprId, rest: &[ExprId]) -> (Vec<PrintPart>, Vec<Read>) {
        let pieces = self.pieces(text);
        // Where nothing is evaluated, nothing is changed or given away.
        let evaluated = |value: ExprId| walk::path(self.hir, value).is_none();
        let values = pieces.iter().filter_map(|piece| match piece {
            Piece::Value { value, .. } => Some(*value).filter(|value| evaluated(*value)),
            Piece::Constant(_) => None,
        });
        let values: Vec<ExprId> = values.chain(rest.iter().copied()).collect();
        let mut later = values.as_slice();
        let (mut parts, mut reads) = (Parts::default(), Vec::new());
        for piece in pieces {
            match piece {
                Piece::Constant(text) => parts.constant(&text),
                Piece::Value { value, spec } => {
                    if walk::path(self.hir, value).is_none() {
                        later = later.get(1..).unwrap_or_default();
                    }
                    self.hole(value, spec, later, &mut parts, &mut reads);
                }
            }
        }
        (parts.0, reads)
    }

    fn hole(
        &mut self,
        value: ExprId,
        spec: FormatSpec,
        rest: &[ExprId],
        parts: &mut Parts,
        reads: &mut Vec<Read>,
    ) {
        let ty = self.types.ty(value).peeled().clone();
        self.open_scope(DropReason::Temporary, None);
        let read = self.read(value, Reading::Looking, rest);
        // A hole is read at its turn: what is made for it ends then.
        let ends = self.scope_runs_drop();
        if let Ty::Adt { .. } = ty {
            let changes = self.disturb(rest, value);
            let mut fields = Parts::default();
            if let Operand::Copy(place) | Operand::Move(place) = &read.operand {
                self.shown(place, (spec, value), &mut fields);
            }
            if !ends && !changes && spec.width.is_none() {
                self.join_scope();
                reads.push(read);
                return fields.0.into_iter().for_each(|part| parts.push(part));
            }
            // A field is around the whole of it.
            let whole = Place::local(self.temporary(Ty::Text));
            self.assign(&whole, Rvalue::Text(fields.0), value);
            let FormatSpec { align, width, .. } = spec;
            let spec = FormatSpec { align, width, ..FormatSpec::default() };
            return self.apart(whole, spec, value, parts, reads);
        }
        if let Operand::Copy(text) = &read.operand
            && ty == Ty::Text
            && ends
        {
            let whole = Place::local(self.temporary(Ty::Text));
            self.assign(&whole, Rvalue::Use(Operand::Copy(text.clone())), value);
            return self.apart(whole, spec, value, parts, reads);
        }
        self.join_scope();
        parts.0.push(PrintPart::Value { value: read.operand.clone(), ty, spec, expr: value });
        reads.push(read);
    }

    /// A hole whose text was built apart; the scope of what it was made of ends.
    fn apart(
        &mut self,
        text: Place,
        spec: FormatSpec,
        value: ExprId,
        parts: &mut Parts,
        reads: &mut Vec<Read>,
    ) {
        self.close_scope(value);
        self.own(text.local);
        let read = self.read_temporary(text, value);
        let text = read.operand.clone();
        parts.0.push(PrintPart::Value { value: text, ty: Ty::Text, spec, expr: value });
        reads.push(read);
    }

    /// What `{x:?}` shows of a value in a place. Decimals and signs are asked of the numbers in it.
    fn shown(&self, place: &Place, (asked, expr): (FormatSpec, ExprId), parts: &mut Parts) {
        let place = self.peel(place.clone());
        let ty = self.place_ty(&place);
        let Some((name, fields)) = shown_fields(self.db, &ty) else {
            let number = ty.as_scalar().filter(|dtype| *dtype != DType::Bool);
            let decimals = number.filter(|dtype| dtype.is_float()).and(asked.precision);
            let spec = FormatSpec {
                kind: Some(FormatKind::Debug),
                precision: decimals,
                plus: asked.plus && number.is_some(),
                ..FormatSpec::default()
            };
            let value = Operand::Copy(place);
            return parts.0.push(PrintPart::Value { value, ty, spec, expr });
        };
        parts.constant(&name);
        if fields.is_empty() {
            return;
        }
        for (index, (field, ty)) in fields.into_iter().enumerate() {
            parts.constant(if index == 0 { " { " } else { ", " });
            parts.constant(&field);
            parts.constant(": ");
            let step = Projection::Field { index: index as u32, ty };
            self.shown(&place.clone().part(step), (asked, expr), parts);
        }
        parts.constant(" }");
    }

    /// The pieces of a text from left to right. Chains of `+` are long, and take no depth here.
    fn pieces(&self, text: ExprId) -> Vec<Piece> {
        let hir = self.hir;
        let mut pieces = Vec::new();
        let plain = FormatSpec::default();
        let mut todo = vec![Piece::Value { value: text, spec: plain }];
        while let Some(piece) = todo.pop() {
            let Piece::Value { value, spec } = piece else {
                pieces.push(piece);
                continue;
            };
            if let Some(text) = self.types.texts.get(value).filter(|_| spec == plain) {
                pieces.push(Piece::Constant(text.to_string()));
                continue;
            }
            match &hir.exprs[value] {
                Expr::Text(parts) if spec == plain => {
                    todo.extend(parts.iter().rev().map(|part| match part {
                        FormatPart::Text(text) => Piece::Constant(text.clone()),
                        FormatPart::Hole { value, spec } => Piece::Value {
                            value: *value,
                            spec: spec.as_ref().map(format_spec).unwrap_or_default(),
                        },
                    }));
                }
                Expr::Binary { lhs, rhs, .. } if spec == plain && self.joins(value) => {
                    todo.push(Piece::Value { value: *rhs, spec: plain });
                    todo.push(Piece::Value { value: *lhs, spec: plain });
                }
                _ => pieces.push(Piece::Value { value, spec }),
            }
        }
        pieces
    }

    /// Whether an expression joins two texts.
    pub(super) fn joins(&self, expr: ExprId) -> bool {
        match self.hir.exprs[expr] {
            Expr::Binary { op: BinaryOp::Add, lhs, rhs } => self.is_text(lhs) && self.is_text(rhs),
            _ => false,
        }
    }

    /// Whether an expression is text, or refers to text.
    pub(super) fn is_text(&self, expr: ExprId) -> bool {
        *self.types.ty(expr).peeled() == Ty::Text
    }
}

/// Pieces in order; constant ones that meet are one.
#[derive(Default)]
struct Parts(Vec<PrintPart>);

impl Parts {
    fn constant(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(PrintPart::Text(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => self.0.push(PrintPart::Text(text.to_owned())),
        }
    }

    fn push(&mut self, part: PrintPart) {
        match part {
            PrintPart::Text(text) => self.constant(&text),
            value @ PrintPart::Value { .. } => self.0.push(value),
        }
    }
}

fn format_spec(spec: &ast::FormatSpec) -> FormatSpec {
    FormatSpec {
        align: spec.align.map(|align| match align {
            ast::Align::Left => Align::Left,
            ast::Align::Right => Align::Right,
            ast::Align::Center => Align::Center,
        }),
        plus: spec.plus,
        zero: spec.zero,
        width: spec.width,
        precision: spec.precision,
        kind: spec.kind.map(|kind| match kind {
            ast::FormatKind::Debug => FormatKind::Debug,
            ast::FormatKind::Exponent => FormatKind::Exponent,
            ast::FormatKind::Decimal => FormatKind::Decimal,
            ast::FormatKind::LowerHex => FormatKind::LowerHex,
            ast::FormatKind::UpperHex => FormatKind::UpperHex,
            ast::FormatKind::Binary => FormatKind::Binary,
            ast::FormatKind::Octal => FormatKind::Octal,
        }),
    }
}
