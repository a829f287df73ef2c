//! Compiles a graph's program in this process and runs it. A trap returns its kind and location instead of ending the
//! process.

use cranelift_codegen::ir::{
    AbiParam, FuncRef, Function as Code, GlobalValue, InstBuilder, MemFlagsData, Type as Register,
    Value, types::I64,
};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{DataDescription, Linkage, Module, default_libcall_names};
use neuro_ir::{EvalError, Function, Loc, Tensor, Trap, eval_limited};
use neuro_loops::{Port, Program, lower};
use neuro_num::{ArithError, DType, Scalar};
use neuro_runtime::PanicKind;

use crate::graph::emit;
use crate::imports::Imports;
use crate::scalar::register_type;

/// Why and where a program ended.
type Ended = (PanicKind, Option<Loc>);

/// Checks that the code computes what the graph says, at each of `inputs`.
pub(crate) fn check(function: &Function, inputs: &[&[Tensor]]) {
    let program = lower(function);
    let compiled = Compiled::new(&program);
    for inputs in inputs {
        let expected: Result<Vec<Scalar>, Ended> = match eval_limited(function, inputs, 1000) {
            Ok(tensors) => Ok(tensors.iter().flat_map(|tensor| tensor.data().to_vec()).collect()),
            Err(EvalError::Trap { trap, loc }) => Err((kind(&trap), loc)),
            Err(error) => panic!("{error}"),
        };
        let found = compiled.run(function, &program, inputs);
        let same = match (&found, &expected) {
            (Ok(found), Ok(expected)) => {
                found.len() == expected.len()
                    && found.iter().zip(expected).all(|(found, expected)| equal(*found, *expected))
            }
            _ => found == expected,
        };
        assert!(same, "{found:?}\nis not\n{expected:?}\nof {inputs:?}\n{function}\n{program}");
    }
}

/// Equal bits; any not-a-number equals any other, since the language cannot tell them apart.
fn equal(a: Scalar, b: Scalar) -> bool {
    let nan = |value: Scalar| value.as_float().is_some_and(f64::is_nan);
    a == b || (a.dtype() == b.dtype() && nan(a) && nan(b))
}

fn kind(trap: &Trap) -> PanicKind {
    match trap {
        Trap::Arith(ArithError::Overflow) => PanicKind::Overflow,
        Trap::Arith(ArithError::Shift) => PanicKind::Shift,
        Trap::Arith(ArithError::DivisionByZero) => PanicKind::DivisionByZero,
        Trap::Arith(ArithError::RemainderByZero) => PanicKind::RemainderByZero,
        Trap::Arith(ArithError::Undefined) => panic!("ill-typed graph"),
        Trap::OutOfBounds => PanicKind::Index,
        Trap::Assert(_) => PanicKind::Message,
    }
}

/// What the code gives back when it does not end at a trap.
const FINISHED: i64 = -1;
/// The location of what has none.
const NOWHERE: i64 = 0xFFFF_FFFF;

struct TestImports<'m> {
    module: &'m mut JITModule,
}

impl Imports for TestImports<'_> {
    fn function(
        &mut self,
        function: &mut Code,
        symbol: &str,
        params: &[Register],
        results: &[Register],
    ) -> FuncRef {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.iter().copied().map(AbiParam::new));
        signature.returns.extend(results.iter().copied().map(AbiParam::new));
        let id = self.module.declare_function(symbol, Linkage::Import, &signature).unwrap();
        self.module.declare_func_in_func(id, function)
    }

    fn data(&mut self, function: &mut Code, bytes: &[u8]) -> GlobalValue {
        let id = self.module.declare_anonymous_data(false, false).unwrap();
        let mut data = DataDescription::new();
        data.define(bytes.into());
        data.set_align(64);
        self.module.define_data(id, &data).unwrap();
        self.module.declare_data_in_func(id, function)
    }

    fn panic(&mut self, builder: &mut FunctionBuilder<'_>, kind: PanicKind, loc: Option<Loc>) {
        let loc = loc.map_or(NOWHERE, |loc| i64::from(loc.0));
        let status = builder.ins().iconst(I64, (kind as i64) << 32 | loc);
        builder.ins().return_(&[status]);
    }

    fn panic_text(&mut self, builder: &mut FunctionBuilder<'_>, _: &str, loc: Option<Loc>) {
        self.panic(builder, PanicKind::Message, loc);
    }
}

/// Takes the addresses of parameters, results and workspace.
type Entry = extern "C" fn(*const *const u8, *const *mut u8, *mut u8) -> i64;

/// Compiled code and its memory.
struct Compiled {
    code: Entry,
    module: Option<JITModule>,
}

impl Compiled {
    fn new(program: &Program) -> Compiled {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").unwrap();
        let isa = cranelift_native::builder().unwrap().finish(settings::Flags::new(flags)).unwrap();
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        builder.symbols(neuro_runtime::symbols());
        let mut module = JITModule::new(builder);
        let mut context = module.make_context();
        let mut shared = FunctionBuilderContext::new();
        let signature = &mut context.func.signature;
        signature.params.extend([AbiParam::new(I64); 3]);
        signature.returns.push(AbiParam::new(I64));
        let mut builder = FunctionBuilder::new(&mut context.func, &mut shared);
        Self::body(&mut builder, &mut module, program);
        builder.seal_all_blocks();
        builder.finalize(module.target_config());
        let name = module.declare_function("tested", Linkage::Export, &context.func.signature);
        let name = name.unwrap();
        module.define_function(name, &mut context).unwrap();
        module.finalize_definitions().unwrap();
        // SAFETY: the code was built with this signature just above.
        let code =
            unsafe { std::mem::transmute::<*const u8, Entry>(module.get_finalized_function(name)) };
        Compiled { code, module: Some(module) }
    }

    fn body(builder: &mut FunctionBuilder<'_>, module: &mut JITModule, program: &Program) {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let [params, results, workspace] = builder.block_params(entry) else { unreachable!() };
        let (params, results, workspace) = (*params, *results, *workspace);
        let mut pointers = |table: Value, count: usize| -> Vec<Value> {
            (0..count as i32)
                .map(|number| builder.ins().load(I64, MemFlagsData::trusted(), table, number * 8))
                .collect()
        };
        let addresses = pointers(params, program.params.len());
        let places = pointers(results, program.results.len());
        let mut values = Vec::new();
        for (port, address) in program.params.iter().zip(&addresses) {
            values.push(match port {
                Port::Scalar(reg) => {
                    let ty = register_type(program.dtype(*reg));
                    builder.ins().load(ty, MemFlagsData::trusted(), *address, 0)
                }
                Port::Tensor(_) => *address,
            });
        }
        let bound: Vec<Option<Value>> = places.iter().copied().map(Some).collect();
        let mut imports = TestImports { module };
        let workspace = (program.workspace_bytes > 0).then_some(workspace);
        let scalars = emit(builder, &mut imports, program, &values, &bound, (workspace, None));
        for (scalar, place) in scalars.iter().zip(&places) {
            if let Some(scalar) = scalar {
                builder.ins().store(MemFlagsData::trusted(), *scalar, *place, 0);
            }
        }
        let finished = builder.ins().iconst(I64, FINISHED);
        builder.ins().return_(&[finished]);
    }

    /// The elements of all results, one after the other.
    fn run(
        &self,
        function: &Function,
        program: &Program,
        inputs: &[Tensor],
    ) -> Result<Vec<Scalar>, Ended> {
        let bytes = |tensor: &Tensor| {
            tensor.data().iter().flat_map(|scalar| scalar.to_le_bytes()).collect::<Vec<u8>>()
        };
        let params: Vec<Memory> = inputs.iter().map(|input| Memory::of(&bytes(input))).collect();
        let types: Vec<_> = function.results().iter().map(|value| function.ty(*value)).collect();
        let results: Vec<Memory> =
            types.iter().map(|ty| Memory::of(&vec![0xAA; ty.bytes()])).collect();
        let workspace = Memory::of(&vec![0xAA; program.workspace_bytes as usize]);
        let pointers = |memory: &[Memory]| memory.iter().map(Memory::address).collect::<Vec<_>>();
        let (inputs, outputs) = (pointers(&params), pointers(&results));
        let status = (self.code)(inputs.as_ptr().cast(), outputs.as_ptr(), workspace.address());
        for memory in params.iter().chain(&results).chain([&workspace]) {
            memory.check();
        }
        if status != FINISHED {
            let loc = status & NOWHERE;
            let kind = PanicKind::ALL[(status >> 32) as usize];
            return Err((kind, (loc != NOWHERE).then_some(Loc(loc as u32))));
        }
        let elements = |(ty, memory): (&&neuro_ir::Type, &Memory)| {
            let dtype: DType = ty.dtype;
            let bytes = memory.bytes().chunks(dtype.size()).take(ty.elements());
            bytes.map(|bytes| Scalar::from_le_bytes(dtype, bytes).unwrap()).collect::<Vec<_>>()
        };
        Ok(types.iter().zip(&results).flat_map(elements).collect())
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: no code of the module runs any more, and nobody else has its addresses.
            unsafe { module.free_memory() }
        }
    }
}

/// Aligned bytes with a guard behind them.
struct Memory {
    words: Vec<[u64; 8]>,
    length: usize,
}

const GUARD: u8 = 0x5C;

impl Memory {
    fn of(bytes: &[u8]) -> Memory {
        let words = bytes.len() / 64 + 3;
        let mut memory =
            Memory { words: vec![[u64::from_ne_bytes([GUARD; 8]); 8]; words], length: bytes.len() };
        // SAFETY: the words have more bytes than these, and the address is that of the first of them.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.start(), bytes.len());
        }
        memory
    }

    fn start(&mut self) -> *mut u8 {
        self.address()
    }

    /// The first address that is a multiple of 64.
    fn address(&self) -> *mut u8 {
        let start = self.words.as_ptr() as *mut u8;
        start.wrapping_add(start.align_offset(64))
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the bytes are inside of the words.
        unsafe { std::slice::from_raw_parts(self.address(), self.length) }
    }

    /// Nothing was written behind the bytes.
    fn check(&self) {
        // SAFETY: at least 64 bytes follow the bytes.
        let guard = unsafe { std::slice::from_raw_parts(self.address().add(self.length), 64) };
        assert!(guard.iter().all(|byte| *byte == GUARD), "written past the end");
    }
}
