//! What is printed, and the messages of panics.

use cranelift_codegen::ir::{InstBuilder, types::I32, types::I64};
use neuro_mir::PrintPart;
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
                PrintPart::Value { value, ty, spec } => {
                    let PackedSpec { flags, numbers } = PackedSpec::pack(spec);
                    let value = self.scalar_operand(value)?;
                    let flags = self.builder.ins().iconst(I32, i64::from(flags));
                    let numbers = self.builder.ins().iconst(I64, numbers as i64);
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
}
