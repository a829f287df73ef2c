//! Finished code: one module of memory for each compiled function, and the cells through which functions
//! call each other.
//!
//! A call goes through the cell of its callee, so a function that changes is compiled alone and its callers
//! stay as they are.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{DataDescription, Linkage, Module, default_libcall_names};

use crate::CompileError;
use crate::imports::{DATA_ALIGN, DataImport, Linking, Unit};
use crate::machine;

/// A compiled function. Its memory lives as long as this value.
pub(crate) struct Code {
    /// Taken only when it is dropped.
    module: Option<JITModule>,
    /// The function's first byte.
    pub(crate) address: *const u8,
    /// Bytes of machine code.
    pub(crate) size: u64,
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: whoever runs code holds it by `Rc`, so none of it runs any more, and addresses are
            // only read from live values or from cells that are set anew before each run.
            unsafe { module.free_memory() }
        }
    }
}

/// What decides a function's machine code: a hash of its text, its imports and the options, wide enough
/// that two different functions never share one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CodeKey([u64; 2]);

/// The code of one process: cells, finished code, and the machine to compile for.
pub(crate) struct Jit {
    isa: OwnedTargetIsa,
    symbols: HashMap<&'static str, *const u8>,
    cells: HashMap<String, Rc<CodeCell>>,
    finished: HashMap<CodeKey, Finished>,
    /// Counts programs, to know which code was used lately.
    round: u64,
}

struct Finished {
    code: Rc<Code>,
    used: u64,
}

/// Where callers of a function find its address. Generated code reads it as 8 bytes in memory.
#[repr(transparent)]
pub(crate) struct CodeCell(Cell<*const u8>);

impl CodeCell {
    /// Makes callers call `code` from now on.
    pub(crate) fn set(&self, code: &Code) {
        self.0.set(code.address);
    }
}

/// Functions that were not part of the last so many programs lose their code.
const ROUNDS_KEPT: u64 = 16;

impl Jit {
    /// For the machine that this process runs on.
    pub(crate) fn new() -> Result<Self, CompileError> {
        let isa = machine::isa(Linking::Process)?;
        Ok(Self {
            isa,
            symbols: neuro_runtime::symbols().into_iter().collect(),
            cells: HashMap::new(),
            finished: HashMap::new(),
            round: 0,
        })
    }

    /// The machine.
    pub(crate) fn isa(&self) -> &OwnedTargetIsa {
        &self.isa
    }

    /// The cell of the function called `name`.
    pub(crate) fn cell(&mut self, name: &str) -> Rc<CodeCell> {
        let empty = || Rc::new(CodeCell(Cell::new(std::ptr::null())));
        self.cells.entry(name.to_owned()).or_insert_with(empty).clone()
    }

    /// Begins a program: code that no recent program used is let go.
    pub(crate) fn next_round(&mut self) {
        self.round += 1;
        let oldest = self.round.saturating_sub(ROUNDS_KEPT);
        self.finished.retain(|_, finished| finished.used >= oldest);
    }

    /// The machine code of a function, compiled now unless the same text was compiled before. Tells which.
    pub(crate) fn code(
        &mut self,
        function: Function,
        unit: &Unit<'_>,
    ) -> Result<(Rc<Code>, bool), CompileError> {
        let key = key(&function, unit);
        let used = self.round;
        if let Some(finished) = self.finished.get_mut(&key) {
            finished.used = used;
            return Ok((finished.code.clone(), false));
        }
        let code = Rc::new(self.compile(function, unit)?);
        self.finished.insert(key, Finished { code: code.clone(), used });
        Ok((code, true))
    }

    fn compile(&mut self, function: Function, unit: &Unit<'_>) -> Result<Code, CompileError> {
        let cells: HashMap<String, Rc<CodeCell>> = unit
            .data
            .iter()
            .filter_map(|data| match data {
                DataImport::Cell(name) => Some((cell_symbol(name), self.cell(name))),
                DataImport::Bytes(_) | DataImport::Sites => None,
            })
            .collect();
        let mut builder = JITBuilder::with_isa(self.isa.clone(), default_libcall_names());
        for import in &unit.functions {
            let address = self.symbols.get(import.name.as_str());
            let address = address.ok_or_else(|| CompileError::unknown_symbol(&import.name))?;
            builder.symbol(import.name.as_str(), *address);
        }
        for (symbol, cell) in &cells {
            builder.symbol(symbol.as_str(), Rc::as_ptr(cell).cast());
        }
        let mut module = JITModule::new(builder);
        match define(&mut module, function, unit) {
            Ok((address, size)) => Ok(Code { module: Some(module), address, size }),
            Err(error) => {
                // SAFETY: nothing of the module was ever run or handed out.
                unsafe { module.free_memory() }
                Err(error)
            }
        }
    }
}

/// The symbol of a callee's cell in a module.
fn cell_symbol(name: &str) -> String {
    format!("cell {name}")
}

fn key(function: &Function, unit: &Unit<'_>) -> CodeKey {
    let text = function.display().to_string();
    CodeKey([0u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        half.hash(&mut hasher);
        text.hash(&mut hasher);
        for import in &unit.functions {
            import.name.hash(&mut hasher);
            import.signature.to_string().hash(&mut hasher);
        }
        unit.data.hash(&mut hasher);
        hasher.finish()
    }))
}

/// Declares the imports in the order of their numbers, then compiles the function.
fn define(
    module: &mut JITModule,
    function: Function,
    unit: &Unit<'_>,
) -> Result<(*const u8, u64), CompileError> {
    let own = module.declare_function("function", Linkage::Export, &function.signature)?;
    for import in &unit.functions {
        module.declare_function(&import.name, Linkage::Import, &import.signature)?;
    }
    for data in &unit.data {
        match data {
            DataImport::Cell(name) => {
                module.declare_data(&cell_symbol(name), Linkage::Import, true, false)?;
            }
            DataImport::Bytes(bytes) => {
                let id = module.declare_anonymous_data(false, false)?;
                let mut description = DataDescription::new();
                description.define(bytes.clone().into_boxed_slice());
                description.set_align(DATA_ALIGN);
                module.define_data(id, &description)?;
            }
            DataImport::Sites => return Err(CompileError::unknown_symbol("positions")),
        }
    }
    let mut context = Context::for_function(function);
    module.define_function(own, &mut context)?;
    let size = context.compiled_code().map_or(0, |code| code.code_buffer().len() as u64);
    module.finalize_definitions()?;
    Ok((module.get_finalized_function(own), size))
}
