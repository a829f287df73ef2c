//! Small functions in place of the calls to them, where a whole object file is at hand. Code in the worker has none of
//! this: there each function is compiled alone, so that an edit recompiles one.
//!
//! What is computed stays the same, to the bit; only the depth at which a recursion overflows the stack may change.

use std::borrow::Cow;
use std::collections::HashMap;

use cranelift_codegen::Context;
use cranelift_codegen::inline::{Inline, InlineCommand};
use cranelift_codegen::ir::{
    Block, ExternalName, FuncRef, Function, Inst, Opcode, UserExternalName, Value,
};
use cranelift_module::FuncId;

use crate::CompileError;
use crate::imports::FUNCTIONS;
use crate::promote::promote;

/// A function of at most so many instructions is put in the place of a call.
const SMALL: usize = 80;
/// A function that has more than so many takes in no other.
const LARGE: usize = 4000;
/// So often is everything looked through: what calls small functions may be small itself.
const ROUNDS: usize = 2;

/// Puts small functions in the places of their calls, in all functions of a file.
pub(crate) fn inline(functions: &mut [(FuncId, Function)]) -> Result<(), CompileError> {
    for round in 0..ROUNDS {
        // `Context::inline` keeps the callee's own numbers of data, which mean other data in the caller.
        let fits = |function: &Function| {
            size(function) <= SMALL && function.global_values.is_empty() && !has_loop(function)
        };
        let small = functions.iter().filter(|(_, function)| fits(function));
        let bodies = small.map(|(id, function)| (id.as_u32(), function.clone())).collect();
        for (id, function) in functions.iter_mut() {
            let mut context = Context::for_function(std::mem::replace(function, Function::new()));
            let inlined = context.inline(Calls { bodies: &bodies, own: id.as_u32(), round });
            inlined.map_err(|error| CompileError::Code(error.to_string()))?;
            *function = context.func;
            promote(function);
        }
    }
    Ok(())
}

/// Instructions of a function.
fn size(function: &Function) -> usize {
    let blocks = function.layout.blocks();
    blocks.map(|block| function.layout.block_insts(block).count()).sum()
}

/// Whether a function has a loop: next to it, a call is nothing. The blocks of a loop begin with its header.
fn has_loop(function: &Function) -> bool {
    let order: HashMap<Block, usize> = function.layout.blocks().zip(0..).collect();
    let back = |block: Block| {
        let last = function.layout.last_inst(block);
        let tables = (&function.dfg.jump_tables, &function.dfg.exception_tables);
        let targets =
            last.map(|last| function.dfg.insts[last].branch_destination(tables.0, tables.1));
        let mut targets = targets.into_iter().flatten();
        targets
            .any(|target| order.get(&target.block(&function.dfg.value_lists)) <= order.get(&block))
    };
    function.layout.blocks().any(back)
}

/// Decides on the calls in one function.
struct Calls<'a> {
    /// The small functions, by their numbers in the module.
    bodies: &'a HashMap<u32, Function>,
    own: u32,
    round: usize,
}

impl Inline for Calls<'_> {
    fn inline(
        &mut self,
        caller: &Function,
        call: Inst,
        _: Opcode,
        callee: FuncRef,
        _: &[Value],
    ) -> InlineCommand<'_> {
        let block = caller.layout.inst_block(call);
        if block.is_none_or(|block| caller.layout.is_cold(block)) || caller.dfg.num_insts() > LARGE
        {
            return InlineCommand::KeepCall;
        }
        let ExternalName::User(name) = caller.dfg.ext_funcs[callee].name else {
            return InlineCommand::KeepCall;
        };
        let UserExternalName { namespace, index } = caller.params.user_named_funcs()[name];
        match self.bodies.get(&index) {
            Some(body) if namespace == FUNCTIONS && (index != self.own || self.round == 0) => {
                InlineCommand::Inline { callee: Cow::Borrowed(body), visit_callee: false }
            }
            Some(_) | None => InlineCommand::KeepCall,
        }
    }
}
