//! Frames of the history: the top is moved in line, only growing is a call.

use cranelift_codegen::ir::{
    BlockArg, InstBuilder, MemFlagsData, Value, condcodes::IntCC, types::I64,
};
use neuro_ir::Loc;
use neuro_runtime::symbols::HISTORY_GROW;
use neuro_runtime::{HISTORY_END, HISTORY_TOP};

use super::{Emitter, place, walk};

/// The most that a call may keep of the iterations of its loops, in bytes. Past it the program ends. To run such loops
/// again from some of their iterations, rather than keep all, is not done yet.
const HISTORY_LIMIT: u64 = 256 << 20;

/// What the panic says then.
const TOO_LONG: &str = "the derivative of this loop keeps more than 256 MiB";

/// Puts a frame on the history and gives its address.
pub(super) fn push(emitter: &mut Emitter<'_, '_>, bytes: u64, loc: Option<Loc>) -> Value {
    let header = header(emitter);
    let bytes = bytes.min(i64::MAX as u64) as i64;
    let builder = &mut *emitter.builder;
    let (cold, go) = (builder.create_block(), builder.create_block());
    builder.set_cold_block(cold);
    let frame = builder.append_block_param(go, I64);
    let top = builder.ins().load(I64, MemFlagsData::trusted(), header, HISTORY_TOP);
    let end = builder.ins().load(I64, MemFlagsData::trusted(), header, HISTORY_END);
    let room = builder.ins().isub(end, top);
    let size = builder.ins().iconst(I64, bytes);
    let fits = builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, room, size);
    builder.ins().brif(fits, go, &[BlockArg::Value(top)], cold, &[]);

    builder.switch_to_block(cold);
    let limit = builder.ins().iconst(I64, HISTORY_LIMIT as i64);
    let grow = emitter.imports.function(builder.func, HISTORY_GROW, &[I64, I64, I64], &[I64]);
    let call = builder.ins().call(grow, &[header, size, limit]);
    let grown = builder.inst_results(call)[0];
    let next = place::split(builder, grown);
    emitter.imports.panic_text(builder, TOO_LONG, loc);
    builder.switch_to_block(next);
    let top = builder.ins().load(I64, MemFlagsData::trusted(), header, HISTORY_TOP);
    builder.ins().jump(go, &[BlockArg::Value(top)]);

    builder.switch_to_block(go);
    let above = walk::moved(builder, frame, bytes);
    builder.ins().store(MemFlagsData::trusted(), above, header, HISTORY_TOP);
    frame
}

/// Takes the last frame from the history and gives its address.
pub(super) fn pop(emitter: &mut Emitter<'_, '_>, bytes: u64) -> Value {
    let header = header(emitter);
    let builder = &mut *emitter.builder;
    let top = builder.ins().load(I64, MemFlagsData::trusted(), header, HISTORY_TOP);
    let frame = walk::moved(builder, top, -(bytes.min(i64::MAX as u64) as i64));
    builder.ins().store(MemFlagsData::trusted(), frame, header, HISTORY_TOP);
    frame
}

fn header(emitter: &Emitter<'_, '_>) -> Value {
    match emitter.history {
        Some(header) => header,
        None => unreachable!("a program that pushes or pops has a history"),
    }
}
