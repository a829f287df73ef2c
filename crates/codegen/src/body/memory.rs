//! Aggregates in memory: copies, what is left behind, and what becomes of the tensors and texts in them.

use cranelift_codegen::ir::{
    Block, InstBuilder, Value,
    condcodes::IntCC,
    types::{I8, I16, I32, I64},
};
use neuro_hir::BuiltinTrait;
use neuro_mir::{Instance, Operand, Place, owns, variants};
use neuro_runtime::symbols as rt;
use neuro_types::{Collection, Ty, known_implementation, pool_functions};

use super::BodyEmitter;
use crate::abi::{Role, Target};
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
    /// The same where a pool owned it: what is `PoolAware` does not run its `drop`.
    ReleaseInPool,
    /// It stays, and what is `PoolAware` is told that a pool owns it.
    Register,
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
        if let Some(offset) = layout::alive_offset(self.db, &ty) {
            let alive = self.builder.ins().iconst(I8, 1);
            let at = self.builder.ins().iadd_imm_s(address, offset as i64);
            self.builder.ins().store(trusted(), alive, at, 0);
            if self.pool_of(place).is_some() {
                self.register(address, &ty)?;
            }
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
                    Handling::Register => return Ok(()),
                    Handling::Release | Handling::ReleaseInPool => {
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
                (Handling::Release | Handling::ReleaseInPool, Some(elem)) => {
                    self.drop_vector(address, elem)
                }
                (Handling::ToHeap, Some(elem)) => self.each_in_vector(address, elem, handling),
                (Handling::Register, _) | (_, None) => Ok(()),
            },
            Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. } => {
                if matches!(handling, Handling::Release | Handling::ReleaseInPool) {
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
                match handling {
                    Handling::Release => self.own_drop(address, ty, false)?,
                    Handling::ReleaseInPool => self.own_drop(address, ty, true)?,
                    Handling::Register => self.register(address, ty)?,
                    Handling::ToHeap => {}
                }
                for (offset, part) in in_order(layout::offsets(self.db, ty), handling) {
                    let at = self.builder.ins().iadd_imm_s(address, offset as i64);
                    self.each_tensor(at, &part, handling)?;
                }
                Ok(())
            }
        }
    }

    /// Runs the `drop` of a struct, if it has one and there is a value; what a pool owned and is `PoolAware` has
    /// another function for it.
    fn own_drop(&mut self, address: Value, ty: &Ty, in_pool: bool) -> Result<(), CompileError> {
        let Some(offset) = layout::alive_offset(self.db, ty) else { return Ok(()) };
        let found = match pool_functions(self.db, ty).filter(|_| in_pool) {
            Some([_, release]) => Some(release),
            None => known_implementation(self.db, BuiltinTrait::Drop, 0, ty),
        };
        let (function, args) = found.ok_or_else(|| self.error("a `drop` that is not found"))?;
        let at = self.builder.ins().iadd_imm_s(address, offset as i64);
        let alive = self.builder.ins().load(I8, trusted(), at, 0);
        let (inside, exit) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(alive, inside, &[], exit, &[]);
        self.builder.switch_to_block(inside);
        // It runs once, whatever it does with its receiver.
        let ended = self.builder.ins().iconst(I8, 0);
        self.builder.ins().store(trusted(), ended, at, 0);
        let instance = Instance::new(self.db, function, args);
        let target = Target { instance, role: Role::Plain, checked: self.checked() };
        self.call_code(target, &[address]);
        self.builder.ins().store(trusted(), ended, at, 0);
        self.builder.ins().jump(exit, &[]);
        self.builder.switch_to_block(exit);
        Ok(())
    }

    /// Tells a struct that a pool owns it, if it wants to know and there is a value.
    pub(super) fn register(&mut self, address: Value, ty: &Ty) -> Result<(), CompileError> {
        let Some(offset) = layout::alive_offset(self.db, ty) else { return Ok(()) };
        let Some([(function, args), _]) = pool_functions(self.db, ty) else { return Ok(()) };
        let alive = self.builder.ins().iadd_imm_s(address, offset as i64);
        let alive = self.builder.ins().load(I8, trusted(), alive, 0);
        let (inside, exit) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(alive, inside, &[], exit, &[]);
        self.builder.switch_to_block(inside);
        let instance = Instance::new(self.db, function, args);
        let target = Target { instance, role: Role::Plain, checked: self.checked() };
        // There is nothing in a handle of a pool.
        self.call_code(target, &[address, address]);
        self.builder.ins().jump(exit, &[]);
        self.builder.switch_to_block(exit);
        Ok(())
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
            for (offset, part) in in_order(parts, handling) {
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
            for index in in_order((0..len as i64).collect(), handling) {
                let at = self.builder.ins().iadd_imm_s(address, size * index);
                self.each_tensor(at, elem, handling)?;
            }
            return Ok(());
        }
        let end = self.builder.ins().iadd_imm_s(address, size.saturating_mul(len as i64));
        if handling == Handling::ReleaseInPool {
            return self.each_back(address, end, elem, handling);
        }
        self.each_until(address, end, elem, handling)
    }

    /// The same for each element of a row, the last one first.
    fn each_back(
        &mut self,
        address: Value,
        end: Value,
        elem: &Ty,
        handling: Handling,
    ) -> Result<(), CompileError> {
        let size = layout::layout(self.db, elem).size as i64;
        let (header, exit, behind) = self.loop_between(end, address)?;
        let at = self.builder.ins().iadd_imm_s(behind, -size);
        self.each_tensor(at, elem, handling)?;
        self.builder.ins().jump(header, &[at.into()]);
        self.builder.switch_to_block(exit);
        Ok(())
    }

    /// Opens a loop over addresses from one to another; gives its header, its exit, and the address of a round, with
    /// which the header is to be entered again.
    fn loop_between(
        &mut self,
        from: Value,
        to: Value,
    ) -> Result<(Block, Block, Value), CompileError> {
        let header = self.builder.create_block();
        let inside = self.builder.create_block();
        let exit = self.builder.create_block();
        self.builder.append_block_param(header, I64);
        self.builder.ins().jump(header, &[from.into()]);
        self.builder.switch_to_block(header);
        let at = self.builder.block_params(header).first().copied();
        let at = at.ok_or_else(|| self.error("a loop without a counter"))?;
        let more = self.builder.ins().icmp(IntCC::NotEqual, at, to);
        self.builder.ins().brif(more, inside, &[], exit, &[]);
        self.builder.switch_to_block(inside);
        Ok((header, exit, at))
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
        let (header, exit, at) = self.loop_between(address, end)?;
        self.each_tensor(at, elem, handling)?;
        let next = self.builder.ins().iadd_imm_s(at, size);
        self.builder.ins().jump(header, &[next.into()]);
        self.builder.switch_to_block(exit);
        Ok(())
    }
}

/// Parts in the order in which something becomes of them: what a pool owned ends in the reverse order of its making.
fn in_order<T>(mut parts: Vec<T>, handling: Handling) -> Vec<T> {
    if handling == Handling::ReleaseInPool {
        parts.reverse();
    }
    parts
}
