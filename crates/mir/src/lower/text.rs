//! What is printed.

use neuro_hir::{Expr, ExprId, FormatPart};
use neuro_num::{Align, FormatKind, FormatSpec};
use neuro_syntax::ast;
use neuro_types::Ty;

use super::Lowering;
use super::read::{Read, Reading};
use crate::PrintPart;

impl Lowering<'_, '_> {
    /// Evaluates the pieces of a text from left to right.
    pub(super) fn text(&mut self, text: Option<ExprId>) -> (Vec<PrintPart>, Vec<Read>) {
        let mut parts = Vec::new();
        let mut reads = Vec::new();
        if let Some(text) = text {
            self.text_parts(text, &mut parts, &mut reads);
        }
        (parts, reads)
    }

    fn text_parts(&mut self, text: ExprId, parts: &mut Vec<PrintPart>, reads: &mut Vec<Read>) {
        let hir = self.hir;
        let Expr::Text(pieces) = &hir.exprs[text] else { return };
        let holes: Vec<ExprId> = pieces.iter().filter_map(hole).collect();
        let mut evaluated = 0;
        for piece in pieces {
            match piece {
                FormatPart::Text(text) => parts.push(PrintPart::Text(text.clone())),
                FormatPart::Hole { value, spec } => {
                    evaluated += 1;
                    let ty = self.types.ty(*value).peeled().clone();
                    if ty == Ty::Text {
                        self.text_parts(*value, parts, reads);
                        continue;
                    }
                    let rest = holes.get(evaluated..).unwrap_or_default();
                    let read = self.read(*value, Reading::Looking, rest);
                    let spec = spec.as_ref().map(format_spec).unwrap_or_default();
                    parts.push(PrintPart::Value { value: read.operand.clone(), ty, spec });
                    reads.push(read);
                }
            }
        }
    }
}

fn hole(part: &FormatPart) -> Option<ExprId> {
    match part {
        FormatPart::Hole { value, .. } => Some(*value),
        FormatPart::Text(_) => None,
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
