//! Assignments, and operations on scalars.

use cranelift_codegen::ir::{InstBuilder, Value, types::I32, types::I64};
use cranelift_frontend::FunctionBuilder;
use neuro_mir::{
    NumberOp, Operand, Operation, Place, Rvalue, arithmetic, binary_operation, comparison,
    unary_operation,
};
use neuro_num::{BinOp, DType, Overflow};
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use super::BodyEmitter;
use super::memory::Handling;
use crate::block;
use crate::error::CompileError;
use crate::imports::StatementPlace;
use crate::layout::{self, Repr, is_pair};
use crate::piece::trusted;
use crate::scalar;

impl BodyEmitter<'_, '_, '_> {
    pub(super) fn assign(&mut self, place: &Place, value: &Rvalue) -> Result<(), CompileError> {
        match value {
            Rvalue::Use(operand) => self.assign_use(place, operand),
            Rvalue::Ref { place: referent, .. }
                if matches!(self.body.place_ty(referent), Ty::Slice(_) | Ty::Dyn(_)) =>
            {
                let reference = self.reference_to(referent)?;
                let words = self.read_pair(&reference)?;
                self.write_pair(place, words)
            }
            Rvalue::Ref { place: referent, .. } => {
                let address = self.address(referent)?;
                // Of a view this copies the two words there.
                self.write_place(place, address)
            }
            Rvalue::Gradient(tensor) => {
                let handle = self.read_handle(tensor)?;
                let site = self.site()?;
                let site = self.unit.site(site);
                let unit = self.unit.own_number(self.builder);
                let site =
                    self.builder.ins().iconst(cranelift_codegen::ir::types::I32, i64::from(site));
                let arguments = [handle, unit, site];
                let gradient =
                    self.unit.call_value(self.builder, rt::GRADIENT_PLACE, &arguments, I64);
                self.write_place(place, gradient)
            }
            Rvalue::Aggregate(parts) => self.aggregate(place, parts),
            Rvalue::Variant { variant, parts } => self.variant(place, *variant, parts),
            Rvalue::Tag(of) => {
                let address = self.address(of)?;
                let tag = self.builder.ins().load(I32, trusted(), address, 0);
                self.write_place(place, tag)
            }
            Rvalue::Text(parts) => self.text(place, parts),
            Rvalue::TextOperation { op, operands } => self.text_operation(place, *op, operands),
            Rvalue::Empty => self.empty(place),
            Rvalue::Length(of) => {
                let length = self.length(of)?;
                self.write_place(place, length)
            }
            Rvalue::Object { place: of, .. } => self.object(place, of),
            Rvalue::Slice { mutable: _, place: row, range } => {
                self.slice(place, row, range.as_ref())
            }
            Rvalue::Operation { op, operands } => self.operation(place, op, operands),
        }
    }

    fn assign_use(&mut self, place: &Place, operand: &Operand) -> Result<(), CompileError> {
        let ty = self.body.place_ty(place);
        match layout::repr(self.db, &ty) {
            Repr::Nothing => return Ok(()),
            Repr::Register(_) => {}
            Repr::Memory(_) => return self.assign_memory(place, operand, &ty),
        }
        let value = self.operand(operand)?;
        let value = match (operand, self.body.operand_ty(operand)) {
            (Operand::Move(from), Ty::Tensor(_)) if self.may_leave_pool(from, place) => {
                self.moved_to_heap(value)
            }
            // Two places never hold one tensor.
            (Operand::Copy(_), Ty::Tensor(_)) => {
                let pool = self.pool_of(place);
                let pool = self.pool(pool);
                block::clone(self.builder, self.unit, pool, value)
            }
            _ => value,
        };
        self.write_place(place, value)
    }

    /// An aggregate that is moved or copied.
    fn assign_memory(
        &mut self,
        place: &Place,
        operand: &Operand,
        ty: &Ty,
    ) -> Result<(), CompileError> {
        if let Operand::Copy(from) = operand
            && is_pair(ty)
        {
            let words = self.read_pair(from)?;
            return self.write_pair(place, words);
        }
        let value = self.operand(operand)?;
        // Two places never hold one text.
        if let (Operand::Copy(_), Ty::Text) = (operand, ty) {
            return self.join(place, &[value]);
        }
        self.write_place(place, value)?;
        self.arrived(operand)?;
        if let Operand::Move(from) = operand
            && self.may_leave_pool(from, place)
        {
            let address = self.address(place)?;
            self.each_tensor(address, ty, Handling::ToHeap)?;
        }
        Ok(())
    }

    fn operation(
        &mut self,
        place: &Place,
        op: &Operation,
        operands: &[Operand],
    ) -> Result<(), CompileError> {
        let result = self.body.place_ty(place);
        let is_tensor = |operand: &Operand| self.body.operand_ty(operand).as_tensor().is_some();
        if result.as_tensor().is_some() || operands.iter().any(is_tensor) {
            return self.tensor_operation(place, op, operands, &result);
        }
        let value = self.scalar_operation(op, operands)?;
        self.write_place(place, value)
    }

    fn scalar_operation(
        &mut self,
        op: &Operation,
        operands: &[Operand],
    ) -> Result<Value, CompileError> {
        let Some(first) = operands.first() else {
            return Err(self.error("an operation without operands"));
        };
        let dtype = scalar_type(&self.body.operand_ty(first));
        let dtype = dtype.ok_or_else(|| self.error("arithmetic on what is no number"))?;
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.scalar_operand(operand)?);
        }
        let overflow = self.checked().overflow();
        let operator = match op {
            Operation::Binary(op) => binary_operation(*op),
            _ => None,
        };
        let (builder, mut place) = self.here()?;
        match (op, &values[..]) {
            (Operation::Unary(op), [value]) => Ok(scalar::unary(
                builder,
                &mut place,
                unary_operation(*op),
                dtype,
                *value,
                overflow,
            )),
            (Operation::Binary(_), [left, right]) if let Some(operator) = operator => {
                let operands = (*left, *right);
                Ok(scalar::binary(builder, &mut place, operator, dtype, operands, overflow))
            }
            (Operation::Compare(op), [left, right]) => {
                let operands = (*left, *right);
                Ok(scalar::compare(builder, &mut place, comparison(*op), dtype, operands))
            }
            (Operation::Character, [value]) => Ok(scalar::character(builder, dtype, *value)),
            (Operation::Cast(to), [value]) => {
                Ok(scalar::cast(builder, &mut place, dtype, *to, *value))
            }
            (Operation::Math(function), arguments) => {
                Ok(scalar::math(builder, &mut place, *function, dtype, arguments))
            }
            (Operation::Number(op), values) => {
                number(builder, &mut place, *op, dtype, values, overflow)
                    .ok_or_else(|| self.error("a method without its operands"))
            }
            (Operation::Clone | Operation::Detach | Operation::Item, [value]) => Ok(*value),
            _ => Err(self.error("an operation that scalars do not have")),
        }
    }
}

/// A method of numbers; none unless it has its operands.
fn number(
    builder: &mut FunctionBuilder<'_>,
    place: &mut StatementPlace<'_, '_>,
    op: NumberOp,
    dtype: DType,
    operands: &[Value],
    overflow: Overflow,
) -> Option<Value> {
    let first = *operands.first()?;
    let both = operands.get(1).map(|second| (first, *second));
    Some(match op {
        NumberOp::Wrapping(op) => {
            scalar::binary(builder, place, arithmetic(op), dtype, both?, Overflow::Wrap)
        }
        NumberOp::Saturating(op) => scalar::saturating(builder, arithmetic(op), dtype, both?),
        NumberOp::Fits(op) => scalar::fitting(builder, arithmetic(op), dtype, both?).1,
        NumberOp::Shr => scalar::binary(builder, place, BinOp::Shr, dtype, both?, overflow),
        NumberOp::Hash => {
            let bits = scalar::bits(builder, dtype, first);
            scalar::Place::call(place, builder, rt::HASH, &[bits], I64)
        }
        NumberOp::IsNan => scalar::is_nan(builder, place, dtype, first),
        NumberOp::Holds(to) => scalar::holds(builder, place, dtype, to, first),
    })
}

/// The type of a scalar behind every reference; a character counts as its code point.
fn scalar_type(ty: &Ty) -> Option<DType> {
    match ty.peeled() {
        Ty::Char => Some(DType::U32),
        other => other.as_scalar(),
    }
}
