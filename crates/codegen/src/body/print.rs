//! What is printed, becomes a message, or part of a text.

use cranelift_codegen::ir::{InstBuilder, types::I32, types::I64};
use neuro_mir::PrintPart;
use neuro_num::FormatSpec;
use neuro_runtime::output::{PackedSpec, dtype_number};
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use super::BodyEmitter;
use crate::error::CompileError;
use crate::scalar;

impl BodyEmitter<'_, '_, '_> {
    pub(super) fn print(&mut self, parts: &[PrintPart]) -> Result<(), CompileError> {
        for part in parts {
            match part {
                PrintPart::Text(text) => self.unit.print_text(self.builder, text),
                PrintPart::Value { value, ty, spec, .. } if *ty.peeled() == Ty::Text => {
                    let address = self.operand(value)?;
                    let (start, length) = self.words(address);
                    if *spec == FormatSpec::default() {
                        self.unit.call(self.builder, rt::PRINT_TEXT, &[start, length]);
                    } else {
                        let [flags, numbers] = self.packed(spec);
                        let arguments = [start, length, flags, numbers];
                        self.unit.call(self.builder, rt::PRINT_TEXT_IN_FIELD, &arguments);
                    }
                }
                PrintPart::Value { value, ty, spec, .. } => {
                    let value = self.scalar_operand(value)?;
                    let [flags, numbers] = self.packed(spec);
                    match ty.peeled() {
                        Ty::Char => {
                            let arguments = [value, flags, numbers];
                            self.unit.call(self.builder, rt::PRINT_CHAR, &arguments);
                        }
                        Ty::Scalar(dtype) => {
                            let bits = scalar::bits(self.builder, *dtype, value);
                            let number = i64::from(dtype_number(*dtype));
                            let dtype = self.builder.ins().iconst(I32, number);
                            let arguments = [dtype, bits, flags, numbers];
                            self.unit.call(self.builder, rt::PRINT_SCALAR, &arguments);
                        }
                        _ => return Err(self.error("a hole without text")),
                    }
                }
            }
        }
        Ok(())
    }

    fn packed(&mut self, spec: &FormatSpec) -> [cranelift_codegen::ir::Value; 2] {
        let PackedSpec { flags, numbers } = PackedSpec::pack(spec);
        let flags = self.builder.ins().iconst(I32, i64::from(flags));
        [flags, self.builder.ins().iconst(I64, numbers as i64)]
    }
}
