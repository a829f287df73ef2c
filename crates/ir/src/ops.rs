//! One module for each family of ops: shape rule with its error text, attributes in text, value.

pub(crate) mod arithmetic;
pub(crate) mod constant;
pub(crate) mod control;
pub(crate) mod element;
pub(crate) mod matmul;
pub(crate) mod shape;
pub(crate) mod sum;

use crate::Type;

/// Exactly `N` operands.
fn exactly<'t, const N: usize>(operands: &[&'t Type]) -> Result<[&'t Type; N], String> {
    operands.try_into().map_err(|_| {
        format!("takes {N} operand{}, not {}", if N == 1 { "" } else { "s" }, operands.len())
    })
}

/// The operand is a scalar integer, as positions are.
fn scalar_integer(ty: &Type) -> Result<(), String> {
    if ty.rank() == 0 && ty.dtype.is_int() {
        Ok(())
    } else {
        Err(format!("a position is a scalar integer, not {ty}"))
    }
}
