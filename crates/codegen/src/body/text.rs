//! Texts: an address and a number of bytes, in memory.
//!
//! A constant text is constant data. One of pieces that are texts is made by one call, from a list of the pieces on the
//! stack; one with other values is printed into a collector first.

use cranelift_codegen::ir::{
    InstBuilder, StackSlotData, StackSlotKind, Value,
    types::{I8, I32, I64},
};
use neuro_mir::{Operand, Place, PrintPart, TextOperation};
use neuro_num::FormatSpec;
use neuro_runtime::symbols as rt;
use neuro_runtime::text::{NO_POOL, SLICE_CHARACTERS, SLICE_INCLUSIVE};
use neuro_types::Ty;

use super::BodyEmitter;
use super::memory::Handling;
use crate::error::CompileError;
use crate::piece::trusted;

/// Bytes of a text in memory, and the offset of its length.
const TEXT: u32 = 16;
const LENGTH: i32 = 8;

impl BodyEmitter<'_, '_, '_> {
    /// The two words of a text at an address.
    pub(super) fn words(&mut self, address: Value) -> (Value, Value) {
        let start = self.builder.ins().load(I64, trusted(), address, 0);
        (start, self.builder.ins().load(I64, trusted(), address, LENGTH))
    }

    fn write_words(&mut self, (start, length): (Value, Value), address: Value) {
        self.builder.ins().store(trusted(), start, address, 0);
        self.builder.ins().store(trusted(), length, address, LENGTH);
    }

    fn constant_words(&mut self, text: &str) -> (Value, Value) {
        let start = if text.is_empty() {
            self.builder.ins().iconst(I64, 0)
        } else {
            self.unit.constant_text(self.builder, text)
        };
        (start, self.builder.ins().iconst(I64, text.len() as i64))
    }

    /// A text of pieces.
    pub(super) fn text(&mut self, place: &Place, parts: &[PrintPart]) -> Result<(), CompileError> {
        if let [] | [PrintPart::Text(_)] = parts {
            let text = match parts {
                [PrintPart::Text(text)] => text,
                _ => "",
            };
            let words = self.constant_words(text);
            let address = self.address(place)?;
            self.write_words(words, address);
            return Ok(());
        }
        self.built(place, parts, rt::TEXT_JOIN, rt::TEXT_COLLECT)
    }

    /// `place += pieces`
    pub(super) fn append(
        &mut self,
        place: &Place,
        parts: &[PrintPart],
    ) -> Result<(), CompileError> {
        self.built(place, parts, rt::TEXT_APPEND, rt::TEXT_COLLECT_APPEND)
    }

    fn built(
        &mut self,
        place: &Place,
        parts: &[PrintPart],
        join: &str,
        collect: &str,
    ) -> Result<(), CompileError> {
        if !parts.iter().all(is_text) {
            self.unit.call(self.builder, rt::BEGIN_MESSAGE, &[]);
            self.print(parts)?;
            let address = self.address(place)?;
            let pool = self.text_pool(place);
            self.unit.call(self.builder, collect, &[pool, address]);
            return Ok(());
        }
        let mut pieces = Vec::with_capacity(parts.len());
        for part in parts {
            pieces.push(match part {
                PrintPart::Text(text) => self.constant_words(text),
                PrintPart::Value { value, .. } => {
                    let address = self.operand(value)?;
                    self.words(address)
                }
            });
        }
        self.call_with_pieces(join, place, &pieces)
    }

    /// A copy of the texts at these addresses, one behind the other.
    pub(super) fn join(&mut self, place: &Place, texts: &[Value]) -> Result<(), CompileError> {
        let pieces: Vec<_> = texts.iter().map(|text| self.words(*text)).collect();
        self.call_with_pieces(rt::TEXT_JOIN, place, &pieces)
    }

    fn call_with_pieces(
        &mut self,
        symbol: &str,
        place: &Place,
        pieces: &[(Value, Value)],
    ) -> Result<(), CompileError> {
        let count = u32::try_from(pieces.len()).ok().and_then(|count| count.checked_mul(TEXT));
        let size = count.filter(|size| *size < i32::MAX as u32);
        let size = size.ok_or_else(|| self.error("a text of too many pieces"))?;
        let slot = match self.list {
            Some((slot, room)) if room >= size => slot,
            _ => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
                let slot = self.builder.create_sized_stack_slot(data);
                self.list = Some((slot, size));
                slot
            }
        };
        let list = self.builder.ins().stack_addr(I64, slot, 0);
        for (index, (start, length)) in pieces.iter().enumerate() {
            let offset = index as i32 * TEXT as i32;
            self.builder.ins().store(trusted(), *start, list, offset);
            self.builder.ins().store(trusted(), *length, list, offset + LENGTH);
        }
        let address = self.address(place)?;
        let pool = self.text_pool(place);
        let count = self.builder.ins().iconst(I64, pieces.len() as i64);
        self.unit.call(self.builder, symbol, &[pool, address, list, count]);
        Ok(())
    }

    /// The number of the pool of what is built into a place.
    fn text_pool(&mut self, place: &Place) -> Value {
        let pool = self.pool_of(place);
        match self.pool(pool) {
            Some(pool) => pool,
            None => self.builder.ins().iconst(I64, NO_POOL as i64),
        }
    }

    /// Leaves an empty text with the same room.
    pub(super) fn clear_text(&mut self, place: &Place) -> Result<(), CompileError> {
        let address = self.address(place)?;
        let nothing = self.builder.ins().iconst(I64, 0);
        self.builder.ins().store(trusted(), nothing, address, LENGTH);
        Ok(())
    }

    /// Releases the text in the place at an address, or makes it heap memory.
    pub(super) fn handle_text(&mut self, address: Value, handling: Handling) {
        match handling {
            Handling::Register => {}
            Handling::Release | Handling::ReleaseInPool => {
                let start = self.builder.ins().load(I64, trusted(), address, 0);
                self.unit.call(self.builder, rt::TEXT_DROP, &[start]);
                let nothing = self.builder.ins().iconst(I64, 0);
                self.write_words((nothing, nothing), address);
            }
            Handling::ToHeap => self.unit.call(self.builder, rt::TEXT_TO_HEAP, &[address]),
        }
    }

    pub(super) fn text_operation(
        &mut self,
        place: &Place,
        op: TextOperation,
        operands: &[Operand],
    ) -> Result<(), CompileError> {
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.operand(operand)?);
        }
        match (op, values.as_slice()) {
            (TextOperation::Equal(equal), [left, right]) => {
                let ((left, left_length), (right, right_length)) =
                    (self.words(*left), self.words(*right));
                let arguments = [left, left_length, right, right_length];
                let same = self.unit.call_value(self.builder, rt::TEXT_EQUAL, &arguments, I8);
                let value = if equal { same } else { self.builder.ins().bxor_imm_s(same, 1) };
                self.write_place(place, value)
            }
            (TextOperation::Hash, [text]) => {
                let (start, length) = self.words(*text);
                let hash = self.unit.call_value(self.builder, rt::TEXT_HASH, &[start, length], I64);
                self.write_place(place, hash)
            }
            (TextOperation::Length, [text]) => {
                let (_, length) = self.words(*text);
                self.write_place(place, length)
            }
            (TextOperation::Slice { inclusive, characters }, [view, start, end]) => {
                let flag = |set: bool, bit: u64| if set { bit } else { 0 };
                let bits = flag(inclusive, SLICE_INCLUSIVE) | flag(characters, SLICE_CHARACTERS);
                let bits = self.builder.ins().iconst(I64, bits as i64);
                let site = self.site()?;
                let site = i64::from(self.unit.site(site));
                let site = self.builder.ins().iconst(I32, site);
                let unit = self.unit.own_number(self.builder);
                let to = self.address(place)?;
                let arguments = [*view, to, *start, *end, bits, unit, site];
                self.unit.call(self.builder, rt::TEXT_SLICE, &arguments);
                Ok(())
            }
            (TextOperation::Chars, [view]) => self.write_place(place, *view),
            (TextOperation::Next, [characters]) => {
                let arguments = [*characters];
                let next = self.unit.call_value(self.builder, rt::TEXT_NEXT, &arguments, I32);
                self.write_place(place, next)
            }
            _ => Err(self.error("an operation that text does not have")),
        }
    }
}

/// Whether a piece is a text as it is.
fn is_text(part: &PrintPart) -> bool {
    match part {
        PrintPart::Text(_) => true,
        PrintPart::Value { ty, spec, .. } => {
            *ty.peeled() == Ty::Text && *spec == FormatSpec::default()
        }
    }
}
