//! Operations on tensors: elements and copies in line, everything else as a graph of one operation.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types::I64};
use neuro_grad::{PieceOperand, raise_in_place, raise_operation};
use neuro_hir::BinaryOp;
use neuro_mir::{Operand, Operation, Place};
use neuro_num::{DType, Scalar};
use neuro_runtime::symbols as rt;
use neuro_runtime::{DATA_OFFSET, PanicKind};
use neuro_types::{TensorTy, Ty};

use super::BodyEmitter;
use crate::block;
use crate::error::CompileError;
use crate::imports::GraphImports;
use crate::piece::{Input, Piece, elements, input, trusted};
use crate::scalar::{self, register_type};

impl BodyEmitter<'_, '_, '_> {
    pub(super) fn tensor_operation(
        &mut self,
        place: &Place,
        op: &Operation,
        operands: &[Operand],
        result: &Ty,
    ) -> Result<(), CompileError> {
        let value = match (op, operands) {
            (Operation::Item, [tensor]) => {
                let (handle, tensor) = self.tensor_operand(tensor)?;
                let register = register_type(tensor.elem);
                self.builder.ins().load(register, trusted(), handle, DATA_OFFSET as i32)
            }
            (Operation::Element, [tensor, positions @ ..]) => {
                let (handle, tensor) = self.tensor_operand(tensor)?;
                let address = self.element_address(handle, &tensor, positions)?;
                self.builder.ins().load(register_type(tensor.elem), trusted(), address, 0)
            }
            (Operation::Clone | Operation::Detach, [tensor]) => {
                let (handle, _) = self.tensor_operand(tensor)?;
                let pool = self.pool_of(place);
                let pool = self.pool(pool);
                block::clone(self.builder, self.unit, pool, handle)
            }
            (Operation::Pack, leaves) if let Some(tensor) = result.as_tensor() => {
                self.pack(place, tensor, leaves)?
            }
            (Operation::Identity, []) if let Some(tensor) = result.as_tensor() => {
                self.identity(place, tensor)?
            }
            _ => return self.graph_operation(place, op, operands, result),
        };
        self.write_place(place, value)
    }

    /// A tensor's handle and type.
    fn tensor_operand(&mut self, operand: &Operand) -> Result<(Value, TensorTy), CompileError> {
        let ty = self.body.operand_ty(operand);
        let value = self.operand(operand)?;
        match self.follow(value, &ty) {
            (handle, Ty::Tensor(tensor)) => Ok((handle, tensor)),
            _ => Err(self.error("an operand that is no tensor")),
        }
    }

    /// A block for what is built into a place.
    fn allocate(&mut self, place: &Place, tensor: &TensorTy) -> Value {
        let pool = self.pool_of(place);
        let pool = self.pool(pool);
        block::allocate(self.builder, self.unit, pool, block::bytes_of(tensor))
    }

    /// The address of an element. Panics when a position is out of bounds.
    fn element_address(
        &mut self,
        handle: Value,
        tensor: &TensorTy,
        positions: &[Operand],
    ) -> Result<Value, CompileError> {
        let Some(extents) = tensor.shape.known().filter(|known| known.len() == positions.len())
        else {
            return Err(self.error("an element without a position for each axis"));
        };
        let mut offset = self.builder.ins().iconst(I64, 0);
        for (position, extent) in positions.iter().zip(extents.iter()) {
            let dtype = self.body.operand_ty(position).as_scalar().unwrap_or(DType::U64);
            let position = self.scalar_operand(position)?;
            let position = scalar::widen(self.builder, dtype, position);
            let extent = self.builder.ins().iconst(I64, *extent as i64);
            // A negative position is a great one without its sign.
            let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, position, extent);
            self.require(inside, PanicKind::Index)?;
            offset = self.builder.ins().imul(offset, extent);
            offset = self.builder.ins().iadd(offset, position);
        }
        let bytes = self.builder.ins().imul_imm_s(offset, tensor.elem.size() as i64);
        let first = elements(self.builder, handle);
        Ok(self.builder.ins().iadd(first, bytes))
    }

    pub(super) fn set_element(
        &mut self,
        tensor: &Place,
        positions: &[Operand],
        value: &Operand,
    ) -> Result<(), CompileError> {
        let value = self.scalar_operand(value)?;
        let ty = self.body.place_ty(tensor);
        let ty = ty.as_tensor().cloned().ok_or_else(|| self.error("an element of no tensor"))?;
        let handle = self.read_handle(tensor)?;
        let address = self.element_address(handle, &ty, positions)?;
        self.builder.ins().store(trusted(), value, address, 0);
        Ok(())
    }

    /// A tensor of its leaves, row-major. Constant leaves are copied at once.
    fn pack(
        &mut self,
        place: &Place,
        tensor: &TensorTy,
        leaves: &[Operand],
    ) -> Result<Value, CompileError> {
        let handle = self.allocate(place, tensor);
        let first = elements(self.builder, handle);
        let constants: Vec<Option<Scalar>> = leaves
            .iter()
            .map(|leaf| match leaf {
                Operand::Const(scalar) => Some(*scalar),
                Operand::Copy(_) | Operand::Move(_) => None,
            })
            .collect();
        if constants.iter().any(Option::is_some) {
            let zero = Scalar::zero(tensor.elem);
            let bytes: Vec<u8> =
                constants.iter().flat_map(|leaf| leaf.unwrap_or(zero).to_le_bytes()).collect();
            let data = self.unit.bytes(self.builder.func, &bytes);
            let data = self.builder.ins().symbol_value(I64, data);
            let count = self.builder.ins().iconst(I64, bytes.len() as i64);
            self.unit.call(self.builder, rt::COPY, &[first, data, count]);
        }
        for (index, leaf) in leaves.iter().enumerate() {
            if matches!(leaf, Operand::Const(_)) {
                continue;
            }
            let value = self.scalar_operand(leaf)?;
            let offset = i32::try_from(index * tensor.elem.size());
            let offset = offset.map_err(|_| self.error("a tensor literal is too long"))?;
            self.builder.ins().store(trusted(), value, first, offset);
        }
        Ok(handle)
    }

    /// An identity matrix. In a graph it would be a constant as large as the matrix.
    fn identity(&mut self, place: &Place, tensor: &TensorTy) -> Result<Value, CompileError> {
        let known = tensor.shape.known();
        let Some([extent, columns]) = known.as_deref() else {
            return Err(self.error("an identity that is no matrix"));
        };
        if extent != columns {
            return Err(self.error("an identity that is not square"));
        }
        let handle = self.allocate(place, tensor);
        let to = elements(self.builder, handle);
        let one = Scalar::one(tensor.elem).bits();
        let numbers = [*extent, tensor.elem.size() as u64, one];
        let [extent, size, one] = numbers.map(|n| self.builder.ins().iconst(I64, n as i64));
        self.unit.call(self.builder, rt::IDENTITY, &[to, extent, size, one]);
        Ok(handle)
    }

    /// Constants become part of the graph; everything else is a parameter of it.
    fn piece_operands(
        &mut self,
        operands: &[Operand],
    ) -> Result<(Vec<PieceOperand>, Vec<Input>), CompileError> {
        let (mut pieces, mut inputs) = (Vec::with_capacity(operands.len()), Vec::new());
        for operand in operands {
            pieces.push(match operand {
                Operand::Const(scalar) => PieceOperand::Const(*scalar),
                Operand::Copy(_) | Operand::Move(_) => {
                    let ty = self.body.operand_ty(operand);
                    let value = self.operand(operand)?;
                    inputs.push(input(self.builder, &ty, value));
                    PieceOperand::Value(ty)
                }
            });
        }
        Ok((pieces, inputs))
    }

    fn graph_operation(
        &mut self,
        place: &Place,
        op: &Operation,
        operands: &[Operand],
        result: &Ty,
    ) -> Result<(), CompileError> {
        let (pieces, inputs) = self.piece_operands(operands)?;
        let graph = raise_operation(op, &pieces, result, self.checked());
        let piece = Piece::new(&graph.map_err(|error| self.error(format!("{error:?}")))?);
        match result.as_tensor() {
            Some(tensor) => {
                let handle = self.allocate(place, tensor);
                let address = elements(self.builder, handle);
                self.emit_piece(&piece, &inputs, Some(address))?;
                self.write_place(place, handle)
            }
            None => {
                let value = self.emit_piece(&piece, &inputs, None)?;
                let value = value.ok_or_else(|| self.error("an operation without a result"))?;
                self.write_place(place, value)
            }
        }
    }

    fn emit_piece(
        &mut self,
        piece: &Piece,
        inputs: &[Input],
        result: Option<Value>,
    ) -> Result<Option<Value>, CompileError> {
        let site = self.site()?;
        let mut imports = GraphImports { unit: self.unit, sites: &[], default: site };
        let values = piece.emit(self.builder, &mut imports, inputs, &[result]);
        Ok(values.first().copied().flatten())
    }

    /// `place op= value`, in the tensor's own memory.
    pub(super) fn in_place(
        &mut self,
        place: &Place,
        op: BinaryOp,
        value: &Operand,
    ) -> Result<(), CompileError> {
        let target = self.body.place_ty(place);
        let Some(tensor) = target.as_tensor().cloned() else {
            return Err(self.error("an update of what is no tensor"));
        };
        let (pieces, rest) = self.piece_operands(std::slice::from_ref(value))?;
        let Some(operand) = pieces.first() else {
            return Err(self.error("an update without a value"));
        };
        let graph = raise_in_place(op, &target, operand, self.checked());
        let piece = Piece::new(&graph.map_err(|error| self.error(format!("{error:?}")))?);
        let handle = self.read_handle(place)?;
        let own = elements(self.builder, handle);
        let inputs: Vec<Input> = std::iter::once(Input::Elements(own)).chain(rest).collect();
        if piece.may_write_in_place(0) {
            self.emit_piece(&piece, &inputs, Some(own))?;
            return Ok(());
        }
        let bytes = self.builder.ins().iconst(I64, block::bytes_of(&tensor) as i64);
        let scratch = self.unit.call_value(self.builder, rt::RESIDUALS_NEW, &[bytes], I64);
        self.emit_piece(&piece, &inputs, Some(scratch))?;
        self.unit.call(self.builder, rt::COPY, &[own, scratch, bytes]);
        self.unit.call(self.builder, rt::RESIDUALS_DROP, &[scratch]);
        Ok(())
    }
}
