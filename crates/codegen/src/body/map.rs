//! Maps: calls of the library, which is given keys and values by their addresses.

use cranelift_codegen::ir::{InstBuilder, Type, Value, types::I64};
use neuro_mir::{Operand, Place, key_functions};
use neuro_runtime::map::{KeyKind, Shape};
use neuro_runtime::symbols as rt;
use neuro_types::{Collection, Ty};

use super::BodyEmitter;
use crate::abi::{Role, Target};
use crate::callee;
use crate::error::CompileError;
use crate::layout::{self, Repr};
use crate::piece::trusted;

impl BodyEmitter<'_, '_, '_> {
    /// Puts a value under a key.
    pub(super) fn insert(
        &mut self,
        map: &Place,
        ordered: bool,
        (key_ty, key): (&Ty, &Operand),
        (value_ty, value): (&Ty, &Operand),
    ) -> Result<(), CompileError> {
        let new_key = self.in_memory(key, key_ty)?;
        let new_value = self.in_memory(value, value_ty)?;
        let map = self.address(map)?;
        let shape = self.shape(ordered, key_ty, value_ty)?;
        let shape = self.unit.bytes(self.builder.func, &shape.bytes());
        let shape = self.builder.ins().symbol_value(I64, shape);
        let kind = if ordered { Collection::BTreeMap } else { Collection::HashMap };
        let [first, second] = self.key_functions(kind, key_ty);
        let arguments = [map, shape, first, second, new_key, new_value];
        self.unit.call(self.builder, rt::MAP_INSERT, &arguments);
        self.arrived(key)?;
        self.arrived(value)
    }

    /// The addresses of the functions of the program that compare keys; 0 where the library does.
    fn key_functions(&mut self, kind: Collection, key: &Ty) -> [Value; 2] {
        let mut functions = [0, 0].map(|none| self.builder.ins().iconst(I64, none));
        let Ty::Adt { .. } = key else { return functions };
        for (place, instance) in functions.iter_mut().zip(key_functions(self.db, kind, key)) {
            let target = Target { instance, role: Role::Plain, checked: self.checked() };
            if !self.callees.contains(&target) {
                self.callees.push(target);
            }
            *place = callee::address(self.db, self.builder, self.unit, target);
        }
        functions
    }

    /// Asks for a key, by a function of the library that takes a map and the address of a key.
    pub(super) fn look_up(
        &mut self,
        symbol: &str,
        result: Type,
        (map, key_ty): (&Place, &Ty),
        wanted: &Operand,
        dest: Option<&Place>,
    ) -> Result<(), CompileError> {
        let key = self.in_memory(wanted, key_ty)?;
        let map = self.map(map)?;
        let found = self.unit.call_value(self.builder, symbol, &[map, key], result);
        match dest {
            Some(dest) => self.write_place(dest, found),
            None => Ok(()),
        }
    }

    /// Puts all keys in a vector that is empty.
    pub(super) fn keys(&mut self, map: &Place, dest: &Place) -> Result<(), CompileError> {
        self.empty(dest)?;
        let map = self.map(map)?;
        let keys = self.address(dest)?;
        self.unit.call(self.builder, rt::MAP_KEYS, &[map, keys]);
        Ok(())
    }

    /// Puts a copy of a map in a place that holds none.
    pub(super) fn copy_map(&mut self, map: &Place, dest: &Place) -> Result<(), CompileError> {
        let map = self.map(map)?;
        let copy = self.unit.call_value(self.builder, rt::MAP_COPY, &[map], I64);
        let address = self.address(dest)?;
        self.builder.ins().store(trusted(), copy, address, 0);
        Ok(())
    }

    pub(super) fn map_length(&mut self, map: &Place) -> Result<Value, CompileError> {
        let map = self.map(map)?;
        Ok(self.unit.call_value(self.builder, rt::MAP_LENGTH, &[map], I64))
    }

    pub(super) fn clear_map(&mut self, map: &Place) -> Result<(), CompileError> {
        let map = self.map(map)?;
        self.unit.call(self.builder, rt::MAP_CLEAR, &[map]);
        Ok(())
    }

    /// The map in a place.
    fn map(&mut self, place: &Place) -> Result<Value, CompileError> {
        let address = self.address(place)?;
        Ok(self.builder.ins().load(I64, trusted(), address, 0))
    }

    /// The address of a value: where it is, or where it is put for a call.
    fn in_memory(&mut self, operand: &Operand, ty: &Ty) -> Result<Value, CompileError> {
        let layout = layout::layout(self.db, ty);
        let kept = layout::repr(self.db, ty);
        let value = match (operand, kept) {
            (_, Repr::Nothing) => None,
            (_, Repr::Memory(_)) => return self.operand(operand),
            (_, Repr::Register(_)) => Some(self.operand(operand)?),
        };
        let slot = self.memory_slot(layout)?;
        let address = self.builder.ins().stack_addr(I64, slot, 0);
        if let Some(value) = value {
            self.builder.ins().store(trusted(), value, address, 0);
        }
        Ok(address)
    }

    /// What the library is told of keys and values.
    fn shape(&self, ordered: bool, key: &Ty, value: &Ty) -> Result<Shape, CompileError> {
        let kind = match key {
            Ty::Scalar(dtype) if dtype.is_int() && dtype.is_signed() => KeyKind::Signed,
            Ty::Scalar(_) | Ty::Char => KeyKind::Unsigned,
            Ty::Text => KeyKind::Text,
            Ty::Adt { .. } => KeyKind::User,
            _ => return Err(self.error("keys that are not compared")),
        };
        Ok(Shape {
            key_size: layout::layout(self.db, key).size,
            value_size: layout::layout(self.db, value).size,
            key: kind,
            text_values: u32::from(*value == Ty::Text),
            ordered: u64::from(ordered),
        })
    }
}
