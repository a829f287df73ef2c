//! `einsum("ij,jk->ik", a, b)`: sums of products of elements, an axis for each letter.

use neuro_db::codes;
use neuro_hir::{Arg, Expr, ExprId, FormatPart};
use neuro_num::DType;

use super::Context;
use super::operator::Operand;
use crate::{Dim, Extent, Finding, Place, Shape, TensorTy, Ty};

/// What a specification says: the letters of each operand, and those of the result.
struct Spec {
    operands: Vec<Vec<char>>,
    result: Vec<char>,
}

/// A letter that has an extent, and the operand that gave it.
struct Letter {
    letter: char,
    extent: Extent,
    operand: usize,
}

impl Context<'_> {
    pub(super) fn infer_einsum(&mut self, call: ExprId, args: &[Arg]) -> Ty {
        let Some((written, operands)) = args.split_first() else {
            return self.refuse(
                Finding::new(
                    codes::ARGUMENTS,
                    Place::Head(call),
                    "`einsum` takes a specification and its operands, and this call gives nothing",
                )
                .note("as in `einsum(\"ij,jk->ik\", a, b)`"),
            );
        };
        if let Some(arg) = args.iter().find(|arg| arg.label.is_some()) {
            self.infer_arguments(args);
            return self.refuse(Finding::new(
                codes::ARGUMENTS,
                Place::Label(arg.value),
                "the arguments of `einsum` have no labels",
            ));
        }
        let tensors: Option<Vec<TensorTy>> = self.einsum_operands(operands);
        let Some(spec) = self.einsum_spec(written.value) else { return Ty::Error };
        if spec.operands.len() != operands.len() {
            return self.refuse(Finding::new(
                codes::ARGUMENTS,
                operands
                    .get(spec.operands.len())
                    .map_or(Place::Head(call), |extra| Place::Expr(extra.value)),
                format!(
                    "the specification has the letters of {}, and this call gives {}",
                    counted(spec.operands.len(), "operand"),
                    operands.len()
                ),
            ));
        }
        let Some(tensors) = tensors else { return Ty::Error };
        let Some(first) = tensors.first() else { return Ty::Error };
        let elem = first.elem;
        for (tensor, arg) in tensors.iter().zip(operands) {
            if tensor.elem != elem {
                return self.refuse(
                    Finding::new(
                        codes::OPERATOR,
                        Place::Expr(arg.value),
                        format!("`einsum` needs operands of one element type, and these are `{first}` and `{tensor}`"),
                    )
                    .related(operands.first().map_or(Place::Head(call), |arg| Place::Expr(arg.value)), format!("this is `{first}`")),
                );
            }
            if self.dynamic_axis(Place::Expr(arg.value), "`einsum`", tensor) {
                return Ty::Error;
            }
        }
        let Some(letters) = self.einsum_letters(written.value, &spec, &tensors, operands) else {
            return Ty::Error;
        };
        let mut dims = Vec::new();
        for (index, letter) in spec.result.iter().enumerate() {
            let place = Place::Expr(written.value);
            if spec.result.iter().take(index).any(|earlier| earlier == letter) {
                let message = format!("the letter `{letter}` stands twice behind `->`");
                return self.refuse(Finding::new(codes::SHAPE, place, message));
            }
            let Some(found) = letters.iter().find(|found| found.letter == *letter) else {
                let message =
                    format!("the letter `{letter}` of the result is an axis of no operand");
                return self.refuse(Finding::new(codes::SHAPE, place, message));
            };
            dims.push(Dim::new(found.extent.clone()));
        }
        if dims.is_empty() {
            Ty::Scalar(elem)
        } else {
            Ty::Tensor(TensorTy { elem, shape: Shape::of(dims) })
        }
    }

    /// The operands; none after a report.
    fn einsum_operands(&mut self, operands: &[Arg]) -> Option<Vec<TensorTy>> {
        let mut tensors = Vec::new();
        for arg in operands {
            let found = self.infer(arg.value, None);
            if self.absorbed(&found).is_some() {
                continue;
            }
            let found = self.settled(arg.value, &found);
            let problem = match self.operand(&found) {
                Operand::Tensor(tensor) if tensor.elem == DType::Bool => {
                    format!("`bool` has no arithmetic: `einsum` does not exist on `{tensor}`")
                }
                Operand::Tensor(tensor) => {
                    tensors.push(tensor);
                    continue;
                }
                _ if found == Ty::Error => continue,
                _ => format!(
                    "an operand of `einsum` is a tensor, and this is {}",
                    self.describe(&found)
                ),
            };
            self.give_up(&found);
            self.report(Finding::new(codes::MISMATCH, Place::Expr(arg.value), problem));
        }
        (tensors.len() == operands.len()).then_some(tensors)
    }

    /// What the specification says; none after a report.
    fn einsum_spec(&mut self, written: ExprId) -> Option<Spec> {
        self.record(written, Ty::Text);
        let place = Place::Expr(written);
        let text = match self.expr(written) {
            Expr::Text(parts) => match parts.as_slice() {
                [FormatPart::Text(text)] => text.clone(),
                [] => String::new(),
                _ => {
                    self.infer_holes(parts);
                    self.report(Finding::new(
                        codes::CONSTANT,
                        place,
                        "the specification of `einsum` is a text without holes",
                    ));
                    return None;
                }
            },
            _ => {
                self.exprs.remove(written);
                let found = self.infer(written, None);
                if self.absorbed(&found).is_none() {
                    self.give_up(&found);
                    self.report(
                        Finding::new(
                            codes::CONSTANT,
                            place,
                            "the specification of `einsum` is a text that is written in the call",
                        )
                        .note("as in `einsum(\"ij,jk->ik\", a, b)`"),
                    );
                }
                return None;
            }
        };
        let Some((operands, result)) = text.split_once("->") else {
            self.report(Finding::new(
                codes::SHAPE,
                place,
                format!("the specification `{text}` has no `->` before the letters of the result"),
            ));
            return None;
        };
        let read = |part: &str| -> Vec<char> { part.trim().chars().collect() };
        let spec = Spec { operands: operands.split(',').map(read).collect(), result: read(result) };
        let odd = spec.operands.iter().flatten().chain(&spec.result);
        if let Some(odd) = odd.copied().find(|letter| !letter.is_ascii_alphabetic()) {
            let message = format!(
                "`{odd}` is no letter: an axis of a specification is `a` to `z` or `A` to `Z`"
            );
            self.report(Finding::new(codes::SHAPE, place, message));
            return None;
        }
        Some(spec)
    }

    /// The extent of each letter; none after a report.
    fn einsum_letters(
        &mut self,
        written: ExprId,
        spec: &Spec,
        tensors: &[TensorTy],
        operands: &[Arg],
    ) -> Option<Vec<Letter>> {
        let place = Place::Expr(written);
        let mut letters: Vec<Letter> = Vec::new();
        for (operand, (subscript, tensor)) in spec.operands.iter().zip(tensors).enumerate() {
            let at = operands.get(operand).map_or(place, |arg| Place::Expr(arg.value));
            if subscript.len() != tensor.shape.rank() {
                let written: String = subscript.iter().collect();
                self.report(
                    Finding::new(
                        codes::SHAPE,
                        place,
                        format!(
                            "`{written}` has {}, and operand {} is `{tensor}`, with {}",
                            counted(subscript.len(), "letter"),
                            operand + 1,
                            match tensor.shape.rank() {
                                1 => "1 axis".to_owned(),
                                rank => format!("{rank} axes"),
                            }
                        ),
                    )
                    .related(at, format!("this is `{tensor}`")),
                );
                return None;
            }
            for (letter, dim) in subscript.iter().zip(tensor.shape.dims()) {
                match letters.iter().find(|found| found.letter == *letter) {
                    None => letters.push(Letter {
                        letter: *letter,
                        extent: dim.extent.clone(),
                        operand,
                    }),
                    Some(found) => {
                        let (earlier, extent) = (found.operand, found.extent.clone());
                        if self.table.unify_extents(&extent, &dim.extent) {
                            continue;
                        }
                        let first = tensors.get(earlier).map(|tensor| tensor.shape.to_string());
                        let first = first.unwrap_or_default();
                        let from =
                            operands.get(earlier).map_or(place, |arg| Place::Expr(arg.value));
                        self.report(
                            Finding::new(
                                codes::SHAPE,
                                place,
                                format!(
                                    "the letter `{letter}` is an axis of {extent} and one of {}",
                                    dim.extent
                                ),
                            )
                            .related(from, format!("`{letter}` is {extent} in {first}"))
                            .related(
                                at,
                                format!("`{letter}` is {} in {}", dim.extent, tensor.shape),
                            ),
                        );
                        return None;
                    }
                }
            }
        }
        Some(letters)
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
