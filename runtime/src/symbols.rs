//! The names by which generated code knows the functions of this library.

use neuro_num::{DType, MathFn, Scalar};

use crate::{
    block, captures, guard, history, kernels, map, output, panics, pool, residuals, text, vector,
};

/// `(kind, unit, site)`, never returns.
pub const PANIC: &str = "neuro_panic";
/// `(unit, site)`, never returns; after [`BEGIN_MESSAGE`] and prints.
pub const PANIC_MESSAGE: &str = "neuro_panic_message";
/// `()`
pub const BEGIN_MESSAGE: &str = "neuro_begin_message";
/// `(bytes) -> handle`
pub const BLOCK_NEW: &str = "neuro_block_new";
/// `(pool, bytes) -> handle`
pub const BLOCK_NEW_IN_POOL: &str = "neuro_block_new_in_pool";
/// `(handle)`
pub const BLOCK_DROP: &str = "neuro_block_drop";
/// `(handle) -> handle`
pub const BLOCK_CLONE: &str = "neuro_block_clone";
/// `(pool, handle) -> handle`
pub const BLOCK_CLONE_IN_POOL: &str = "neuro_block_clone_in_pool";
/// `(handle) -> handle`
pub const BLOCK_TO_HEAP: &str = "neuro_block_to_heap";
/// `(handle) -> handle`
pub const GRADIENT_FILL: &str = "neuro_gradient_fill";
/// `(handle, unit, site) -> address of a handle`
pub const GRADIENT_PLACE: &str = "neuro_gradient_place";
/// `(handle)`
pub const GRADIENT_CLEAR: &str = "neuro_gradient_clear";
/// `() -> pool`
pub const POOL_ENTER: &str = "neuro_pool_enter";
/// `(pool)`
pub const POOL_EXIT: &str = "neuro_pool_exit";
/// `(bytes) -> address`
pub const RESIDUALS_NEW: &str = "neuro_residuals_new";
/// `(bytes) -> address`, with the header of a history at its start.
pub const RESIDUALS_NEW_WITH_HISTORY: &str = "neuro_residuals_new_with_history";
/// `(address of the header, bytes, limit) -> 0 when the limit is passed`
pub const HISTORY_GROW: &str = "neuro_history_grow";
/// `(address)`
pub const RESIDUALS_DROP: &str = "neuro_residuals_drop";
/// `(address of the captures kept before, address of captures, bytes) -> address of a copy`
pub const CAPTURES_KEEP: &str = "neuro_captures_keep";
/// `(address of the captures kept last)`
pub const CAPTURES_RELEASE: &str = "neuro_captures_release";
/// `(address, length)`
pub const PRINT_TEXT: &str = "neuro_print_text";
/// `(address, length, flags, numbers)`
pub const PRINT_TEXT_IN_FIELD: &str = "neuro_print_text_in_field";
/// `(pool, place, pieces, count)`: puts a new text of pieces, each an address and a length, in a place.
pub const TEXT_JOIN: &str = "neuro_text_join";
/// `(pool, place, pieces, count)`: puts pieces at the end of the text in a place.
pub const TEXT_APPEND: &str = "neuro_text_append";
/// `(pool, place)`: puts what was printed since [`BEGIN_MESSAGE`] in a place as a new text.
pub const TEXT_COLLECT: &str = "neuro_text_collect";
/// `(pool, place)`: puts what was printed since [`BEGIN_MESSAGE`] at the end of the text in a place.
pub const TEXT_COLLECT_APPEND: &str = "neuro_text_collect_append";
/// `(address of the bytes)`
pub const TEXT_DROP: &str = "neuro_text_drop";
/// `(place)`: the text becomes heap memory.
pub const TEXT_TO_HEAP: &str = "neuro_text_to_heap";
/// `(address, length, address, length) -> 1 when the bytes are equal`
pub const TEXT_EQUAL: &str = "neuro_text_equal";
/// `(address, length) -> u64`: a number that equal texts have in common.
pub const TEXT_HASH: &str = "neuro_text_hash";
/// `(bits) -> u64`: a number that equal numbers have in common.
pub const HASH: &str = "neuro_hash";
/// `(view, to, start, end, bits, unit, site)`: a part of the text in one place is put in another; bit 0: the end is
/// part of it, bit 1: the positions are those of characters.
pub const TEXT_SLICE: &str = "neuro_text_slice";
/// `(view) -> code point, or all bits when nothing is left`: the first character, which is taken off the view.
pub const TEXT_NEXT: &str = "neuro_text_next";
/// `(dtype, bits, flags, numbers)`
pub const PRINT_SCALAR: &str = "neuro_print_scalar";
/// `(code point, flags, numbers)`
pub const PRINT_CHAR: &str = "neuro_print_char";
/// `()`
pub const PRINT_NEWLINE: &str = "neuro_print_newline";
/// `(address of a vector, bytes of an element)`: makes room for one more.
pub const VEC_GROW: &str = "neuro_vec_grow";
/// `(address of a vector, bytes of an element)`: releases its memory, and leaves nothing.
pub const VEC_DROP: &str = "neuro_vec_drop";
/// `(place of a map, shape, first function, second function, address of a key, address of a value)`
pub const MAP_INSERT: &str = "neuro_map_insert";
/// `(map, address of a key) -> address of the value`, or 0.
pub const MAP_FIND: &str = "neuro_map_find";
/// `(map, address of a key) -> 1 if it was there`
pub const MAP_REMOVE: &str = "neuro_map_remove";
/// `(map) -> number of keys`
pub const MAP_LENGTH: &str = "neuro_map_length";
/// `(map)`
pub const MAP_CLEAR: &str = "neuro_map_clear";
/// `(map, address of an empty vector)`
pub const MAP_KEYS: &str = "neuro_map_keys";
/// `(map) -> a map with copies of all that it holds`
pub const MAP_COPY: &str = "neuro_map_copy";
/// `(place of a map)`: releases it, and leaves nothing.
pub const MAP_DROP: &str = "neuro_map_drop";
/// `()`: writes out what is printed so far.
pub const FLUSH: &str = "neuro_flush";
/// `(code, slots, where the result is put) -> 0, or the number of a trap`
pub const GUARD: &str = "neuro_guard";
/// `(to, from, bytes)`, of memory that does not overlap.
pub const COPY: &str = "neuro_copy";
/// `(to, bytes)`: sets them to zero.
pub const CLEAR: &str = "neuro_clear";
/// `(to, extent, bytes of an element, bits of one)`
pub const IDENTITY: &str = "neuro_identity";
/// `(f32, f32) -> f32`
pub const REMAINDER_F32: &str = "neuro_remainder_f32";
/// `(f64, f64) -> f64`
pub const REMAINDER_F64: &str = "neuro_remainder_f64";

/// `(bits) -> f32`: the value of an `f16`.
pub const F16_VALUE: &str = "neuro_f16_value";
/// `(f64) -> bits`: the nearest `f16`.
pub const F16_ROUND: &str = "neuro_f16_round";
/// `(f64) -> bits`: the nearest `bf16`.
pub const BF16_ROUND: &str = "neuro_bf16_round";

/// # Safety
/// Both ranges are valid and do not overlap.
#[unsafe(export_name = "neuro_copy")]
unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: u64) {
    // SAFETY: the caller promises it.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes as usize) }
}

/// # Safety
/// The range is valid.
#[unsafe(export_name = "neuro_clear")]
unsafe extern "C" fn clear(to: *mut u8, bytes: u64) {
    // SAFETY: the caller promises it.
    unsafe { to.write_bytes(0, bytes as usize) }
}

/// Writes an identity matrix.
///
/// # Safety
/// `to` has room for `extent * extent` elements of `size` bytes each.
#[unsafe(export_name = "neuro_identity")]
unsafe extern "C" fn identity(to: *mut u8, extent: u64, size: u64, one: u64) {
    let (extent, size) = (extent as usize, size as usize);
    let one = one.to_le_bytes();
    // SAFETY: the caller promises it; an element has at most 8 bytes.
    unsafe {
        to.write_bytes(0, extent * extent * size);
        for at in 0..extent {
            to.add(at * (extent + 1) * size).copy_from_nonoverlapping(one.as_ptr(), size.min(8));
        }
    }
}

#[unsafe(export_name = "neuro_remainder_f32")]
extern "C" fn remainder_f32(x: f32, y: f32) -> f32 {
    x % y
}

#[unsafe(export_name = "neuro_remainder_f64")]
extern "C" fn remainder_f64(x: f64, y: f64) -> f64 {
    x % y
}

#[unsafe(export_name = "neuro_hash")]
extern "C" fn hash(bits: u64) -> u64 {
    neuro_num::hash(&bits.to_le_bytes())
}

#[unsafe(export_name = "neuro_f16_value")]
extern "C" fn f16_value(bits: u32) -> f32 {
    Scalar::from_bits(DType::F16, u64::from(bits)).to_f64() as f32
}

#[unsafe(export_name = "neuro_f16_round")]
extern "C" fn f16_round(value: f64) -> u32 {
    rounded(DType::F16, value)
}

#[unsafe(export_name = "neuro_bf16_round")]
extern "C" fn bf16_round(value: f64) -> u32 {
    rounded(DType::BF16, value)
}

fn rounded(dtype: DType, value: f64) -> u32 {
    Scalar::float(dtype, value).map_or(0, |value| value.bits() as u32)
}

/// Every function that generated code may call: its name and address.
pub fn symbols() -> Vec<(&'static str, *const u8)> {
    let mut all: Vec<(&'static str, *const u8)> = vec![
        (PANIC, panics::panic as *const u8),
        (PANIC_MESSAGE, panics::panic_message as *const u8),
        (BEGIN_MESSAGE, output::begin_message as *const u8),
        (BLOCK_NEW, block::block_new as *const u8),
        (BLOCK_NEW_IN_POOL, block::block_new_in_pool as *const u8),
        (BLOCK_DROP, block::block_drop as *const u8),
        (BLOCK_CLONE, block::block_clone as *const u8),
        (BLOCK_CLONE_IN_POOL, block::block_clone_in_pool as *const u8),
        (BLOCK_TO_HEAP, block::block_to_heap as *const u8),
        (GRADIENT_FILL, block::gradient_fill as *const u8),
        (GRADIENT_PLACE, block::gradient_place as *const u8),
        (GRADIENT_CLEAR, block::gradient_clear as *const u8),
        (POOL_ENTER, pool::pool_enter as *const u8),
        (POOL_EXIT, pool::pool_exit as *const u8),
        (RESIDUALS_NEW, residuals::residuals_new as *const u8),
        (RESIDUALS_NEW_WITH_HISTORY, residuals::residuals_new_with_history as *const u8),
        (HISTORY_GROW, history::history_grow as *const u8),
        (RESIDUALS_DROP, residuals::residuals_drop as *const u8),
        (CAPTURES_KEEP, captures::captures_keep as *const u8),
        (CAPTURES_RELEASE, captures::captures_release as *const u8),
        (PRINT_TEXT, output::print_text as *const u8),
        (PRINT_TEXT_IN_FIELD, output::print_text_in_field as *const u8),
        (TEXT_JOIN, text::text_join as *const u8),
        (TEXT_APPEND, text::text_append as *const u8),
        (TEXT_COLLECT, text::text_collect as *const u8),
        (TEXT_COLLECT_APPEND, text::text_collect_append as *const u8),
        (TEXT_DROP, text::text_drop as *const u8),
        (TEXT_TO_HEAP, text::text_to_heap as *const u8),
        (TEXT_EQUAL, text::text_equal as *const u8),
        (TEXT_HASH, text::text_hash as *const u8),
        (HASH, hash as *const u8),
        (TEXT_SLICE, text::text_slice as *const u8),
        (TEXT_NEXT, text::text_next as *const u8),
        (PRINT_SCALAR, output::print_scalar as *const u8),
        (PRINT_CHAR, output::print_char as *const u8),
        (PRINT_NEWLINE, output::print_newline as *const u8),
        (VEC_GROW, vector::vec_grow as *const u8),
        (VEC_DROP, vector::vec_drop as *const u8),
        (MAP_INSERT, map::map_insert as *const u8),
        (MAP_FIND, map::map_find as *const u8),
        (MAP_REMOVE, map::map_remove as *const u8),
        (MAP_LENGTH, map::map_length as *const u8),
        (MAP_CLEAR, map::map_clear as *const u8),
        (MAP_KEYS, map::map_keys as *const u8),
        (MAP_COPY, map::map_copy as *const u8),
        (MAP_DROP, map::map_drop as *const u8),
        (FLUSH, output::flush_all as *const u8),
        (GUARD, guard::guard as *const u8),
        (COPY, copy as *const u8),
        (CLEAR, clear as *const u8),
        (IDENTITY, identity as *const u8),
        (REMAINDER_F32, remainder_f32 as *const u8),
        (REMAINDER_F64, remainder_f64 as *const u8),
        (F16_VALUE, f16_value as *const u8),
        (F16_ROUND, f16_round as *const u8),
        (BF16_ROUND, bf16_round as *const u8),
    ];
    all.extend(kernels::symbols());
    for function in MathFn::all() {
        all.extend(function.symbol(DType::F32));
        all.extend(function.symbol(DType::F64));
    }
    all
}
