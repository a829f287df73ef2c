//! Slices and vectors: values of two words, lengths, and views of parts.

use cranelift_codegen::ir::{InstBuilder, StackSlot, Value, condcodes::IntCC, types::I64};
use neuro_mir::{LocalId, Place, Projection, Range};
use neuro_runtime::PanicKind;
use neuro_types::{Collection, Ty};

use super::{BodyEmitter, Storage};
use crate::error::CompileError;
use crate::layout::{self, LENGTH_OFFSET};
use crate::piece::trusted;

impl BodyEmitter<'_, '_, '_> {
    /// The two words of a value that is a pair.
    pub(super) fn read_pair(&mut self, place: &Place) -> Result<[Value; 2], CompileError> {
        if place.projections.is_empty()
            && let Some(Storage::Pair(variables)) = self.storage.get(place.local).copied()
        {
            return Ok(variables.map(|variable| self.builder.use_var(variable)));
        }
        let address = self.address(place)?;
        Ok(self.load_pair(address))
    }

    pub(super) fn load_pair(&mut self, address: Value) -> [Value; 2] {
        [0, LENGTH_OFFSET].map(|at| self.builder.ins().load(I64, trusted(), address, at))
    }

    /// Puts a value of two words in a place.
    pub(super) fn write_pair(
        &mut self,
        place: &Place,
        words: [Value; 2],
    ) -> Result<(), CompileError> {
        if place.projections.is_empty()
            && let Some(Storage::Pair(variables)) = self.storage.get(place.local).copied()
        {
            for (variable, word) in variables.into_iter().zip(words) {
                self.builder.def_var(variable, word);
            }
            return Ok(());
        }
        let address = self.address(place)?;
        self.store_pair(address, words);
        Ok(())
    }

    fn store_pair(&mut self, address: Value, words: [Value; 2]) {
        for (word, at) in words.into_iter().zip([0, LENGTH_OFFSET]) {
            self.builder.ins().store(trusted(), word, address, at);
        }
    }

    /// A pair that lives in registers, copied to where it has an address.
    pub(super) fn spilled(&mut self, local: LocalId) -> Result<Value, CompileError> {
        let address = self.spill_address(local)?;
        let words = self.read_pair(&Place::local(local))?;
        self.store_pair(address, words);
        Ok(address)
    }

    /// Where a pair that lives in registers lies while it needs an address.
    pub(super) fn spill_address(&mut self, local: LocalId) -> Result<Value, CompileError> {
        let slot = match self.spills.get(local).copied() {
            Some(slot) => slot,
            None => {
                let slot: StackSlot = self.memory_slot(layout::PAIR)?;
                self.spills.insert(local, slot);
                slot
            }
        };
        Ok(self.builder.ins().stack_addr(I64, slot, 0))
    }

    /// The address of the first element of a row in a place, and how many there are.
    pub(super) fn row(&mut self, place: &Place) -> Result<[Value; 2], CompileError> {
        match self.body.place_ty(place) {
            Ty::Array { len, .. } => {
                let address = self.address(place)?;
                let length = len.known().unwrap_or(0);
                Ok([address, self.builder.ins().iconst(I64, length as i64)])
            }
            Ty::Slice(_) => {
                let reference = self.reference_to(place)?;
                self.read_pair(&reference)
            }
            _ => {
                let address = self.address(place)?;
                Ok(self.load_pair(address))
            }
        }
    }

    /// The place of the reference through which a place without a size is reached.
    pub(super) fn reference_to(&self, place: &Place) -> Result<Place, CompileError> {
        match place.projections.split_last() {
            Some((Projection::Deref, before)) => {
                Ok(Place { local: place.local, projections: before.to_vec() })
            }
            _ => Err(self.error("a value without a size that nothing refers to")),
        }
    }

    /// How many elements or entries there are.
    pub(super) fn length(&mut self, place: &Place) -> Result<Value, CompileError> {
        if let Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. } =
            self.body.place_ty(place)
        {
            return self.map_length(place);
        }
        let [_, length] = self.row(place)?;
        Ok(length)
    }

    /// A view of a row, or of a part of it.
    pub(super) fn slice(
        &mut self,
        dest: &Place,
        place: &Place,
        range: Option<&Range>,
    ) -> Result<(), CompileError> {
        let [address, length] = self.row(place)?;
        let Some(Range { start, end, inclusive }) = range else {
            return self.write_pair(dest, [address, length]);
        };
        let start = self.scalar_operand(start)?;
        let mut end = self.scalar_operand(end)?;
        let inside =
            if *inclusive { IntCC::UnsignedLessThan } else { IntCC::UnsignedLessThanOrEqual };
        let inside = self.builder.ins().icmp(inside, end, length);
        self.require(inside, PanicKind::SliceRange)?;
        if *inclusive {
            end = self.builder.ins().iadd_imm_s(end, 1);
        }
        let ordered = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, start, end);
        self.require(ordered, PanicKind::SliceRange)?;
        let size = self.element_size(&self.body.place_ty(place));
        let offset = self.builder.ins().imul_imm_s(start, size as i64);
        let first = self.builder.ins().iadd(address, offset);
        let count = self.builder.ins().isub(end, start);
        self.write_pair(dest, [first, count])
    }

    /// The bytes from one element of a row to the next.
    pub(super) fn element_size(&self, row: &Ty) -> u64 {
        match row {
            Ty::Array { elem, .. } | Ty::Slice(elem) => layout::layout(self.db, elem).size,
            Ty::Collection { kind: Collection::Vec, args } => {
                args.first().map_or(0, |elem| layout::layout(self.db, elem).size)
            }
            _ => 0,
        }
    }
}
