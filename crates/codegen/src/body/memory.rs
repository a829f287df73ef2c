//! Aggregates in memory: copies, what is left behind, and what becomes of the tensors and texts in them.

use cranelift_codegen::ir::{
    InstBuilder, Value,
    condcodes::IntCC,
    types::{I8, I16, I32, I64},
};
use neuro_mir::{Operand, Place, owns, variants};
use neuro_runtime::symbols as rt;
use neuro_types::{Collection, Ty};

use super::BodyEmitter;
use crate::block;
use crate::error::CompileError;
use crate::layout;
use crate::piece::trusted;

/// Up to so many bytes are copied and cleared in line.
const IN_LINE: u64 = 64;
/// Up to so many elements of an array are handled one after another; more of them in a loop.
const UNROLLED: u64 = 4;

/// What becomes of each tensor and text in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Handling {
    /// It is released, and nothing stays.
    Release,
    /// It becomes heap memory.
    ToHeap,
}

impl BodyEmitter<'_, '_, '_> {
    /// The pieces in which a few bytes are loaded and stored.
    fn pieces(size: u64) -> impl Iterator<Item = (cranelift_codegen::ir::Type, i32)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let left = size.checked_sub(at).filter(|left| *left > 0)?;
            let ty = match left {
                8.. => I64,
                4.. => I32,
                2.. => I16,
                _ => I8,
            };
            let offset = at as i32;
            at += u64::from(ty.bytes());
            Some((ty, offset))
        })
    }

    /// Copies bytes between places that are one or do not overlap.
    pub(super) fn copy_memory(&mut self, to: Value, from: Value, size: u64) {
        if size > IN_LINE {
            let size = self.builder.ins().iconst(I64, size as i64);
            self.unit.call(self.builder, rt::COPY, &[to, from, size]);
            return;
        }
        // All is read before anything is written.
        let pieces: Vec<_> = Self::pieces(size)
            .map(|(ty, at)| (self.builder.ins().load(ty, trusted(), from, at), at))
            .collect();
        for (piece, at) in pieces {
            self.builder.ins().store(trusted(), piece, to, at);
        }
    }

    /// Leaves nothing in a place.
    pub(super) fn clear(&mut self, address: Value, size: u64) {
        if size > IN_LINE {
            let size = self.builder.ins().iconst(I64, size as i64);
            self.unit.call(self.builder, rt::CLEAR, &[address, size]);
            return;
        }
        for (ty, at) in Self::pieces(size) {
            let zero = self.builder.ins().iconst(ty, 0);
            self.builder.ins().store(trusted(), zero, address, at);
        }
    }

    /// An aggregate of its parts.
    pub(super) fn aggregate(
        &mut self,
        place: &Place,
        parts: &[Operand],
    ) -> Result<(), CompileError> {
        let ty = self.body.place_ty(place);
        let address = self.address(place)?;
        let element = match &ty {
            Ty::Array { elem, .. } => Some((layout::layout(self.db, elem).size, (**elem).clone())),
            _ => None,
        };
        let offsets = match &element {
            Some(_) => Vec::new(),
            None => layout::offsets(self.db, &ty),
        };
        for (index, part) in parts.iter().enumerate() {
            let (offset, ty) = match &element {
                Some((size, elem)) => (size.saturating_mul(index as u64), elem.clone()),
                None => match offsets.get(index) {
                    Some(found) => found.clone(),
                    None => return Err(self.error("a part too many")),
                },
            };
            self.store_part(address, offset, &ty, part, place)?;
        }
        Ok(())
    }

    /// A variant of an enum.
    pub(super) fn variant(
        &mut self,
        place: &Place,
        variant: u32,
        parts: &[Operand],
    ) -> Result<(), CompileError> {
        let ty = self.body.place_ty(place);
        let address = self.address(place)?;
        let tag = self.builder.ins().iconst(I32, i64::from(variant));
        self.builder.ins().store(trusted(), tag, address, 0);
        for ((offset, ty), part) in layout::payload_offsets(self.db, &ty, variant).iter().zip(parts)
        {
            self.store_part(address, *offset, ty, part, place)?;
        }
        Ok(())
    }

    fn store_part(
        &mut self,
        address: Value,
        offset: u64,
        ty: &Ty,
        part: &Operand,
        whole: &Place,
    ) -> Result<(), CompileError> {
        let leaves_pool = match part {
            Operand::Move(from) => self.may_leave_pool(from, whole),
            Operand::Copy(_) | Operand::Const(_) => false,
        };
        let value = self.operand(part)?;
        match layout::repr(self.db, ty) {
            layout::Repr::Nothing => {}
            layout::Repr::Register(_) => {
                let value = match (leaves_pool, ty) {
                    (true, Ty::Tensor(_)) => self.moved_to_heap(value),
                    _ => value,
                };
                let offset = i32::try_from(offset);
                let offset = offset.map_err(|_| self.error("an aggregate is too large"))?;
                self.builder.ins().store(trusted(), value, address, offset);
            }
            layout::Repr::Memory(layout) => {
                let to = self.builder.ins().iadd_imm_s(address, offset as i64);
                self.copy_memory(to, value, layout.size);
                self.arrived(part)?;
                if leaves_pool && owns(self.db, ty) {
                    self.each_tensor(to, ty, Handling::ToHeap)?;
                }
            }
        }
        Ok(())
    }

    /// An aggregate was copied to where it is moved: nothing stays behind.
    pub(super) fn arrived(&mut self, operand: &Operand) -> Result<(), CompileError> {
        match operand {
            Operand::Move(from) if owns(self.db, &self.body.place_ty(from)) => self.empty(from),
            Operand::Move(_) | Operand::Copy(_) | Operand::Const(_) => Ok(()),
        }
    }

    /// Does the same with each tensor and text in the place at an address, in the order of their declaration.
    pub(super) fn each_tensor(
        &mut self,
        address: Value,
        ty: &Ty,
        handling: Handling,
    ) -> Result<(), CompileError> {
        if !owns(self.db, ty) {
            return Ok(());
        }
        match ty {
            Ty::Tensor(_) => {
                let handle = self.builder.ins().load(I64, trusted(), address, 0);
                let stays = match handling {
                    Handling::Release => {
                        block::release(self.builder, self.unit, handle);
                        self.builder.ins().iconst(I64, 0)
                    }
                    Handling::ToHeap => self.moved_to_heap(handle),
                };
                self.builder.ins().store(trusted(), stays, address, 0);
                Ok(())
            }
            Ty::Text | Ty::Collection { kind: Collection::StringBuilder, .. } => {
                self.handle_text(address, handling);
                Ok(())
            }
            Ty::Collection { kind: Collection::Vec, args } => match (handling, args.first()) {
                (Handling::Release, Some(elem)) => self.drop_vector(address, elem),
                (Handling::ToHeap, Some(elem)) => self.each_in_vector(address, elem, handling),
                (_, None) => Ok(()),
            },
            Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. } => {
                if handling == Handling::Release {
                    self.unit.call(self.builder, rt::MAP_DROP, &[address]);
                }
                Ok(())
            }
            Ty::Array { elem, len } => {
                let len = len.known().unwrap_or(0);
                self.each_element(address, elem, len, handling)
            }
            _ if let Some(all) = variants(self.db, ty) => {
                self.each_variant(address, ty, all.len() as u32, handling)
            }
            _ => {
                for (offset, part) in layout::offsets(self.db, ty) {
                    let at = self.builder.ins().iadd_imm_s(address, offset as i64);
                    self.each_tensor(at, &part, handling)?;
                }
                Ok(())
            }
        }
    }

    /// The same for what the variant holds that an enum is of.
    fn each_variant(
        &mut self,
        address: Value,
        ty: &Ty,
        variants: u32,
        handling: Handling,
    ) -> Result<(), CompileError> {
        let tag = self.builder.ins().load(I32, trusted(), address, 0);
        let exit = self.builder.create_block();
        for variant in 0..variants {
            let parts = layout::payload_offsets(self.db, ty, variant);
            if !parts.iter().any(|(_, part)| owns(self.db, part)) {
                continue;
            }
            let inside = self.builder.create_block();
            let next = self.builder.create_block();
            let is = self.builder.ins().icmp_imm_s(IntCC::Equal, tag, i64::from(variant));
            self.builder.ins().brif(is, inside, &[], next, &[]);
            self.builder.switch_to_block(inside);
            for (offset, part) in parts {
                let at = self.builder.ins().iadd_imm_s(address, offset as i64);
                self.each_tensor(at, &part, handling)?;
            }
            self.builder.ins().jump(exit, &[]);
            self.builder.switch_to_block(next);
        }
        self.builder.ins().jump(exit, &[]);
        self.builder.switch_to_block(exit);
        Ok(())
    }

    fn each_element(
        &mut self,
        address: Value,
        elem: &Ty,
        len: u64,
        handling: Handling,
    ) -> Result<(), CompileError> {
        let size = layout::layout(self.db, elem).size as i64;
        if len <= UNROLLED {
            for index in 0..len as i64 {
                let at = self.builder.ins().iadd_imm_s(address, size * index);
                self.each_tensor(at, elem, handling)?;
            }
            return Ok(());
        }
        let end = self.builder.ins().iadd_imm_s(address, size.saturating_mul(len as i64));
        self.each_until(address, end, elem, handling)
    }

    /// The same for each element of a row from an address up to another.
    pub(super) fn each_until(
        &mut self,
        address: Value,
        end: Value,
        elem: &Ty,
        handling: Handling,
    ) -> Result<(), CompileError> {
        let size = layout::layout(self.db, elem).size as i64;
        let header = self.builder.create_block();
        let inside = self.builder.create_block();
        let exit = self.builder.create_block();
        self.builder.append_block_param(header, I64);
        self.builder.ins().jump(header, &[address.into()]);
        self.builder.switch_to_block(header);
        let at = self.builder.block_params(header).first().copied();
        let at = at.ok_or_else(|| self.error("a loop without a counter"))?;
        let more = self.builder.ins().icmp(IntCC::NotEqual, at, end);
        self.builder.ins().brif(more, inside, &[], exit, &[]);
        self.builder.switch_to_block(inside);
        self.each_tensor(at, elem, handling)?;
        let next = self.builder.ins().iadd_imm_s(at, size);
        self.builder.ins().jump(header, &[next.into()]);
        self.builder.switch_to_block(exit);
        Ok(())
    }
}
