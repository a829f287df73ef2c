//! Memory of the stack that only loads and stores reach, at places that are known, kept in registers instead.
//!
//! Aggregates lie on the stack, and so does what is passed and given in memory. Once small functions stand in the places
//! of their calls, much of it is written and read in one function alone. Each part of a slot that every access takes as
//! a whole becomes a value that flows from block to block.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    Block, BlockArg, Function, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, StackSlot,
    Type, Value, types,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function with more parts times blocks than this stays as it is.
const LARGE: usize = 1 << 16;

/// A part of a slot: its offset and its bytes.
type Part = (StackSlot, i64, u32);

/// A load or store of a part.
#[derive(Clone, Copy, Debug)]
struct Access {
    part: Part,
    ty: Type,
    /// What is stored; none for a load.
    stored: Option<Value>,
}

/// Keeps in registers what can be.
pub(crate) fn promote(function: &mut Function) {
    let accesses = accesses(function);
    let parts = parts(accesses.values());
    let blocks: Vec<Block> = function.layout.blocks().collect();
    if parts.is_empty() || parts.len().saturating_mul(blocks.len()) > LARGE {
        return;
    }
    let mut promotion = Promotion { accesses, parts, live: FxHashMap::default() };
    promotion.find_live(function, &blocks);
    promotion.rewrite(function, &blocks);
    promotion.release(function);
}

/// The loads and stores of slots that nothing else reaches.
fn accesses(function: &Function) -> FxHashMap<Inst, Access> {
    let addresses = addresses(function);
    let mut found = FxHashMap::default();
    let mut escaped = FxHashSet::default();
    for block in function.layout.blocks() {
        for inst in function.layout.block_insts(block) {
            let data = &function.dfg.insts[inst];
            let place = |value: Value, offset: i32| {
                let (slot, at) = addresses.get(&function.dfg.resolve_aliases(value))?;
                Some((*slot, *at + i64::from(offset)))
            };
            match *data {
                InstructionData::Load { opcode: Opcode::Load, arg, offset, .. } => {
                    if let Some((slot, at)) = place(arg, offset.into()) {
                        let result = function.dfg.first_result(inst);
                        let ty = function.dfg.value_type(result);
                        let part = (slot, at, ty.bytes());
                        found.insert(inst, Access { part, ty, stored: None });
                    }
                }
                InstructionData::Store {
                    opcode: Opcode::Store,
                    args: [value, arg],
                    offset,
                    ..
                } => {
                    escaped.extend(place(value, 0).map(|(slot, _)| slot));
                    if let Some((slot, at)) = place(arg, offset.into()) {
                        let ty = function.dfg.value_type(value);
                        let part = (slot, at, ty.bytes());
                        found.insert(inst, Access { part, ty, stored: Some(value) });
                    }
                }
                // What an address makes an address of is looked at where that is used.
                _ if function
                    .dfg
                    .inst_results(inst)
                    .first()
                    .is_some_and(|result| addresses.contains_key(result)) => {}
                _ => {
                    let used = function.dfg.inst_values(inst);
                    escaped.extend(used.filter_map(|value| place(value, 0)).map(|(slot, _)| slot));
                }
            }
        }
    }
    found.retain(|_, access| !escaped.contains(&access.part.0));
    found
}

/// The values that are addresses in a slot at a known offset.
fn addresses(function: &Function) -> FxHashMap<Value, (StackSlot, i64)> {
    let dfg = &function.dfg;
    let constant = |value: Value| {
        let inst = dfg.value_def(dfg.resolve_aliases(value)).inst()?;
        match dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    };
    let mut found: FxHashMap<Value, (StackSlot, i64)> = FxHashMap::default();
    // Blocks may stand in any order, so what one makes of an address of another is found in the next round.
    loop {
        let before = found.len();
        for inst in function.layout.blocks().flat_map(|block| function.layout.block_insts(block)) {
            let address = match dfg.insts[inst] {
                InstructionData::StackAddr { stack_slot, offset, .. } => {
                    Some((stack_slot, i64::from(i32::from(offset))))
                }
                InstructionData::Binary { opcode: Opcode::Iadd, args: [a, b] } => {
                    let base = |value: Value| found.get(&dfg.resolve_aliases(value)).copied();
                    let moved = |from: Value, by: Value| {
                        let ((slot, at), by) = (base(from)?, constant(by)?);
                        Some((slot, at.checked_add(by)?))
                    };
                    moved(a, b).or_else(|| moved(b, a))
                }
                _ => None,
            };
            if let Some(address) = address {
                found.insert(dfg.first_result(inst), address);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The parts that every access takes as a whole, and the type that each is kept in.
fn parts<'a>(accesses: impl Iterator<Item = &'a Access>) -> FxHashMap<Part, Type> {
    let mut types: FxHashMap<Part, Type> = FxHashMap::default();
    for access in accesses {
        let kept = types.entry(access.part).or_insert(access.ty);
        // Copies move the bits of floats as integers.
        if access.ty.is_float() {
            *kept = access.ty;
        }
    }
    let mut all: Vec<Part> = types.keys().copied().collect();
    all.sort_unstable();
    let mut mixed = FxHashSet::default();
    let mut reach: Option<(Part, i64)> = None;
    for part in all {
        let end = part.1 + i64::from(part.2);
        if let Some((widest, until)) = reach
            && widest.0 == part.0
            && part.1 < until
        {
            mixed.extend([widest, part]);
            if end <= until {
                continue;
            }
        }
        reach = Some((part, end));
    }
    types.retain(|part, ty| !mixed.contains(part) && (ty.is_int() || ty.is_float()));
    types
}

/// What is kept in registers, and where it is needed.
struct Promotion {
    accesses: FxHashMap<Inst, Access>,
    parts: FxHashMap<Part, Type>,
    /// The parts that a block needs from those before it, in order.
    live: FxHashMap<Block, Vec<Part>>,
}

impl Promotion {
    /// Parts are live where they may be read before they are written.
    fn find_live(&mut self, function: &Function, blocks: &[Block]) {
        let mut read: FxHashMap<Block, FxHashSet<Part>> = FxHashMap::default();
        let mut written: FxHashMap<Block, FxHashSet<Part>> = FxHashMap::default();
        for block in blocks {
            let (mut reads, mut writes) = (FxHashSet::default(), FxHashSet::default());
            for inst in function.layout.block_insts(*block) {
                let Some(access) = self.accesses.get(&inst) else { continue };
                if !self.parts.contains_key(&access.part) {
                    continue;
                }
                if access.stored.is_some() {
                    writes.insert(access.part);
                } else if !writes.contains(&access.part) {
                    reads.insert(access.part);
                }
            }
            read.insert(*block, reads);
            written.insert(*block, writes);
        }
        loop {
            let mut changed = false;
            for block in blocks.iter().rev() {
                let mut needed = FxHashSet::default();
                for next in targets(function, *block) {
                    needed.extend(read.get(&next).into_iter().flatten().copied());
                }
                let (Some(reads), Some(writes)) = (read.get_mut(block), written.get(block)) else {
                    continue;
                };
                for part in needed {
                    changed |= !writes.contains(&part) && reads.insert(part);
                }
            }
            if !changed {
                break;
            }
        }
        for (block, parts) in read {
            let mut parts: Vec<Part> = parts.into_iter().collect();
            parts.sort_unstable();
            self.live.insert(block, parts);
        }
    }

    fn rewrite(&self, function: &mut Function, blocks: &[Block]) {
        let entry = function.layout.entry_block();
        let mut params: FxHashMap<(Block, Part), Value> = FxHashMap::default();
        for block in blocks.iter().filter(|block| Some(**block) != entry) {
            for part in self.live.get(block).into_iter().flatten() {
                let param = function.dfg.append_block_param(*block, self.parts[part]);
                params.insert((*block, *part), param);
            }
        }
        for block in blocks {
            let mut current: FxHashMap<Part, Value> = FxHashMap::default();
            let live = self.live.get(block).into_iter().flatten();
            current.extend(live.filter_map(|part| Some((*part, *params.get(&(*block, *part))?))));
            self.rewrite_block(function, *block, current);
        }
    }

    /// Takes the room of slots of which nothing is left in memory.
    fn release(&self, function: &mut Function) {
        let slot = |access: &Access| access.part.0;
        let mut free: FxHashSet<StackSlot> = self.accesses.values().map(slot).collect();
        for access in self.accesses.values() {
            if !self.parts.contains_key(&access.part) {
                free.remove(&slot(access));
            }
        }
        for slot in free {
            function.sized_stack_slots[slot].size = 0;
        }
    }

    fn rewrite_block(
        &self,
        function: &mut Function,
        block: Block,
        mut current: FxHashMap<Part, Value>,
    ) {
        let mut cursor = FuncCursor::new(function).at_top(block);
        while let Some(inst) = cursor.next_inst() {
            if let Some(from) = bits_of_bits(cursor.func, inst) {
                replace(&mut cursor, inst, from);
                continue;
            }
            let access = self.accesses.get(&inst).copied();
            let Some((access, kept)) =
                access.and_then(|access| Some((access, *self.parts.get(&access.part)?)))
            else {
                if cursor.func.dfg.insts[inst].opcode().is_branch() {
                    self.pass_on(&mut cursor, inst, &current);
                }
                continue;
            };
            match access.stored {
                Some(value) => {
                    let value = as_type(&mut cursor, value, kept);
                    current.insert(access.part, value);
                }
                None => {
                    let value = match current.get(&access.part) {
                        Some(value) => *value,
                        None => zero(&mut cursor, kept),
                    };
                    let value = as_type(&mut cursor, value, access.ty);
                    replace(&mut cursor, inst, value);
                    continue;
                }
            }
            cursor.goto_inst(inst);
            cursor.remove_inst_and_step_back();
        }
    }

    /// Gives the blocks that a branch leads to what they need.
    fn pass_on(&self, cursor: &mut FuncCursor<'_>, inst: Inst, current: &FxHashMap<Part, Value>) {
        let entry = cursor.func.layout.entry_block();
        let targets = branch_targets(cursor.func, inst);
        for (index, target) in targets.into_iter().enumerate() {
            if Some(target) == entry {
                continue;
            }
            for part in self.live.get(&target).into_iter().flatten() {
                let value = match current.get(part) {
                    Some(value) => *value,
                    None => zero(cursor, self.parts[part]),
                };
                cursor.goto_inst(inst);
                let dfg = &mut cursor.func.dfg;
                let calls = dfg.insts[inst]
                    .branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables);
                if let Some(call) = calls.get_mut(index) {
                    call.append_argument(BlockArg::Value(value), &mut dfg.value_lists);
                }
            }
        }
    }
}

/// A value in front of the instruction at the cursor; the same bits in another type if need be.
fn as_type(cursor: &mut FuncCursor<'_>, value: Value, ty: Type) -> Value {
    let dfg = &cursor.func.dfg;
    if dfg.value_type(value) == ty {
        return value;
    }
    match bits_from(cursor.func, value).filter(|from| cursor.func.dfg.value_type(*from) == ty) {
        Some(from) => from,
        None => cursor.ins().bitcast(ty, MemFlagsData::new(), value),
    }
}

/// What a value has its bits from, if it is those of another type.
fn bits_from(function: &Function, value: Value) -> Option<Value> {
    let dfg = &function.dfg;
    let inst = dfg.value_def(dfg.resolve_aliases(value)).inst()?;
    match dfg.insts[inst] {
        InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => Some(arg),
        _ => None,
    }
}

/// The value whose bits an instruction makes a value of the same type of again.
fn bits_of_bits(function: &Function, inst: Inst) -> Option<Value> {
    let dfg = &function.dfg;
    let InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } = dfg.insts[inst] else {
        return None;
    };
    let wanted = dfg.value_type(dfg.first_result(inst));
    bits_from(function, arg).filter(|from| dfg.value_type(*from) == wanted)
}

/// Puts a value in the place of the result of the instruction at the cursor, which goes.
fn replace(cursor: &mut FuncCursor<'_>, inst: Inst, value: Value) {
    let result = cursor.func.dfg.first_result(inst);
    cursor.func.dfg.clear_results(inst);
    cursor.func.dfg.change_to_alias(result, value);
    cursor.goto_inst(inst);
    cursor.remove_inst_and_step_back();
}

/// What was never written holds anything.
fn zero(cursor: &mut FuncCursor<'_>, ty: Type) -> Value {
    match ty {
        types::F32 => cursor.ins().f32const(0.0),
        types::F64 => cursor.ins().f64const(0.0),
        _ => cursor.ins().iconst(ty, 0),
    }
}

fn targets(function: &Function, block: Block) -> Vec<Block> {
    function.layout.last_inst(block).map(|last| branch_targets(function, last)).unwrap_or_default()
}

fn branch_targets(function: &Function, inst: Inst) -> Vec<Block> {
    let dfg = &function.dfg;
    let calls = dfg.insts[inst].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
    calls.iter().map(|call| call.block(&dfg.value_lists)).collect()
}

#[cfg(test)]
mod tests {
    use cranelift_codegen::ir::{
        AbiParam, Signature, StackSlotData, StackSlotKind, UserFuncName, types::F64, types::I64,
    };
    use cranelift_codegen::isa::CallConv;
    use cranelift_codegen::settings;
    use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

    use super::*;
    use crate::imports::Linking;

    /// `func(n, x)`: a loop that adds `x` to the first word of a slot, and keeps the other word as it is. `escape` gives the
    /// address away.
    fn looped(escape: bool) -> Function {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.extend([AbiParam::new(I64), AbiParam::new(F64)]);
        signature.returns.extend([AbiParam::new(F64), AbiParam::new(I64)]);
        let mut function = Function::with_name_signature(UserFuncName::default(), signature);
        let mut context = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut function, &mut context);
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 3);
        let slot = builder.create_sized_stack_slot(slot);
        let [entry, head, body, exit] = [0; 4].map(|_| builder.create_block());
        let flags = MemFlagsData::trusted();
        builder.append_block_params_for_function_params(entry);
        let count = builder.append_block_param(head, I64);
        builder.switch_to_block(entry);
        let (n, x) = (builder.block_params(entry)[0], builder.block_params(entry)[1]);
        let address = builder.ins().stack_addr(I64, slot, 0);
        let zero = builder.ins().f64const(0.0);
        builder.ins().store(flags, zero, address, 0);
        let far = builder.ins().iadd_imm_s(address, 8);
        builder.ins().store(flags, n, far, 0);
        builder.ins().jump(head, &[n.into()]);
        builder.switch_to_block(head);
        let none: &[BlockArg] = &[];
        builder.ins().brif(count, body, none, exit, none);
        builder.switch_to_block(body);
        // Bits are moved as an integer.
        let bits = builder.ins().load(I64, flags, address, 0);
        builder.ins().store(flags, bits, address, 0);
        let sum = builder.ins().load(F64, flags, address, 0);
        let sum = builder.ins().fadd(sum, x);
        builder.ins().store(flags, sum, address, 0);
        let less = builder.ins().iadd_imm_s(count, -1);
        builder.ins().jump(head, &[less.into()]);
        builder.switch_to_block(exit);
        let sum = builder.ins().load(F64, flags, address, 0);
        let kept = builder.ins().load(I64, flags, far, 0);
        let kept = if escape { builder.ins().iadd(kept, address) } else { kept };
        builder.ins().return_(&[sum, kept]);
        builder.seal_all_blocks();
        let isa = crate::machine::isa(Linking::Object).unwrap();
        builder.finalize(isa.frontend_config());
        function
    }

    fn loads_and_stores(function: &Function) -> usize {
        let insts = function.layout.blocks().flat_map(|block| function.layout.block_insts(block));
        let is_access = |inst: &Inst| {
            matches!(function.dfg.insts[*inst].opcode(), Opcode::Load | Opcode::Store)
        };
        insts.filter(is_access).count()
    }

    #[test]
    fn what_only_loads_and_stores_reach_leaves_memory() {
        let mut function = looped(false);
        assert_eq!(loads_and_stores(&function), 8);
        promote(&mut function);
        assert_eq!(loads_and_stores(&function), 0, "{function}");
        let flags = settings::Flags::new(settings::builder());
        cranelift_codegen::verify_function(&function, &flags).unwrap();
        assert!(function.sized_stack_slots.values().all(|slot| slot.size == 0));
    }

    #[test]
    fn what_is_reached_in_other_ways_stays() {
        let mut function = looped(true);
        promote(&mut function);
        assert_eq!(loads_and_stores(&function), 8);
    }

    #[test]
    fn parts_that_overlap_stay() {
        let access = |slot: u32, at: i64, ty: Type| Access {
            part: (StackSlot::from_u32(slot), at, ty.bytes()),
            ty,
            stored: None,
        };
        let all = [
            access(0, 0, types::I64),
            access(0, 4, types::I32),
            access(0, 8, F64),
            access(0, 8, I64),
            access(1, 4, types::I32),
        ];
        let mut found: Vec<_> =
            parts(all.iter()).into_iter().map(|(part, ty)| (part.1, ty)).collect();
        found.sort_by_key(|(at, _)| *at);
        assert_eq!(found, [(4, types::I32), (8, F64)]);
    }
}
