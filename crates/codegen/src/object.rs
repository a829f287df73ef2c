//! Object files: all the code of a program in one module, whose functions know each other by symbols.

use std::collections::HashMap;

use cranelift_codegen::Context;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, Signature, UserExternalName, types::I32, types::I64,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module, default_libcall_names};
use cranelift_object::{ObjectBuilder, ObjectModule};
use neuro_runtime::Site;
use neuro_runtime::start::START;

use crate::CompileError;
use crate::imports::{
    DATA_ALIGN, DataImport, FUNCTIONS, FunctionImport, Linking, Origin, Unit, own_name,
};
use crate::inline::inline;
use crate::machine;
use crate::promote::promote;

/// Namespace of names that stand for nothing.
const NOBODYS: u32 = u32::MAX;

/// The C entry point.
const ENTRY_POINT: &str = "main";

/// Bytes of a `neuro_runtime::StaticSite`: an address, a length, a line and a column.
const SITE: usize = size_of::<neuro_runtime::StaticSite>();

/// An object file under construction.
pub(crate) struct ObjectFile {
    module: ObjectModule,
    /// The functions with their numbers, which are those that they call each other by.
    functions: Vec<(FuncId, Function)>,
    /// Constant bytes that several functions use are there once.
    bytes: HashMap<Vec<u8>, DataId>,
}

impl ObjectFile {
    /// An empty one, for machines of this kind.
    pub(crate) fn new(name: &str) -> Result<Self, CompileError> {
        let isa = machine::isa(Linking::Object)?;
        let builder = ObjectBuilder::new(isa, name, default_libcall_names())?;
        Ok(Self {
            module: ObjectModule::new(builder),
            functions: Vec::new(),
            bytes: HashMap::new(),
        })
    }

    /// The machine.
    pub(crate) fn isa(&self) -> &dyn cranelift_codegen::isa::TargetIsa {
        self.module.isa()
    }

    /// Adds the code of a function under its name, which others know too if it is exported.
    pub(crate) fn define(
        &mut self,
        name: &str,
        linkage: Linkage,
        mut function: Function,
        unit: &Unit<'_>,
        sites: &[Site],
    ) -> Result<(), CompileError> {
        let own = self.module.declare_function(name, linkage, &function.signature)?;
        let mut functions = Vec::with_capacity(unit.functions.len());
        for FunctionImport { name, origin, signature } in &unit.functions {
            let linkage = match origin {
                Origin::Runtime => Linkage::Import,
                Origin::Compiled => Linkage::Local,
            };
            functions.push(self.module.declare_function(name, linkage, signature)?);
        }
        let mut data = Vec::with_capacity(unit.data.len());
        for import in &unit.data {
            data.push(match import {
                DataImport::Bytes(bytes) => self.bytes(bytes, DATA_ALIGN)?,
                DataImport::Table(names) => self.table(names, unit, &functions)?,
                DataImport::Sites => self.sites(sites)?,
                DataImport::Cell(name) => return Err(CompileError::unknown_symbol(name)),
            });
        }
        // The numbers were those of the unit; now they are those of the module.
        let names: Vec<_> = function.params.user_named_funcs().iter().collect();
        let names: Vec<_> = names.into_iter().map(|(name, known)| (name, known.clone())).collect();
        let mut renamed = Vec::with_capacity(names.len());
        for (name, UserExternalName { namespace, index }) in names {
            let index = match namespace {
                // The unit's own function has the first number.
                FUNCTIONS => index.checked_sub(1).and_then(|index| functions.get(index as usize)),
                _ => None,
            }
            .map(|function| function.as_u32())
            .or_else(|| data.get(index as usize).map(|data| data.as_u32()));
            let index = index.ok_or_else(|| CompileError::unknown_symbol("import"))?;
            renamed.push((name, UserExternalName { namespace, index }));
        }
        // A number may be both one of the old and one of the new ones, and the function knows names by their numbers
        // too: all of the old ones go first.
        for (at, (name, _)) in renamed.iter().enumerate() {
            let nobodys = UserExternalName { namespace: NOBODYS, index: at as u32 };
            function.params.reset_user_func_name(*name, nobodys);
        }
        for (name, new) in renamed {
            function.params.reset_user_func_name(name, new);
        }
        self.functions.push((own, function));
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8], align: u64) -> Result<DataId, CompileError> {
        if let Some(known) = self.bytes.get(bytes) {
            return Ok(*known);
        }
        let id = self.module.declare_anonymous_data(false, false)?;
        let mut description = DataDescription::new();
        description.define(bytes.into());
        description.set_align(align);
        self.module.define_data(id, &description)?;
        self.bytes.insert(bytes.to_vec(), id);
        Ok(id)
    }

    /// The addresses of functions of this file, which the unit imports.
    fn table(
        &mut self,
        names: &[String],
        unit: &Unit<'_>,
        functions: &[FuncId],
    ) -> Result<DataId, CompileError> {
        let id = self.module.declare_anonymous_data(false, false)?;
        let mut description = DataDescription::new();
        description.define(vec![0; names.len() * 8].into());
        description.set_align(8);
        for (index, name) in names.iter().enumerate() {
            let known = unit.functions.iter().position(|import| import.name == *name);
            let function = known.and_then(|known| functions.get(known));
            let function = function.ok_or_else(|| CompileError::unknown_symbol(name))?;
            let function = self.module.declare_func_in_data(*function, &mut description);
            description.write_function_addr(index as u32 * 8, function);
        }
        self.module.define_data(id, &description)?;
        Ok(id)
    }

    /// The positions of a unit, as the run-time library reads them.
    fn sites(&mut self, sites: &[Site]) -> Result<DataId, CompileError> {
        let id = self.module.declare_anonymous_data(false, false)?;
        let mut description = DataDescription::new();
        let mut contents = Vec::with_capacity(sites.len() * SITE);
        for Site { file, line, column } in sites {
            let name = self.bytes(file.as_bytes(), DATA_ALIGN)?;
            let name = self.module.declare_data_in_data(name, &mut description);
            description.write_data_addr(contents.len() as u32, name, 0);
            contents.extend(0u64.to_ne_bytes());
            contents.extend((file.len() as u64).to_ne_bytes());
            contents.extend(line.to_ne_bytes());
            contents.extend(column.to_ne_bytes());
        }
        description.define(contents.into());
        description.set_align(align_of::<neuro_runtime::StaticSite>() as u64);
        self.module.define_data(id, &description)?;
        Ok(id)
    }

    /// Makes a function without parameters that gives a 32-bit integer the program: the C entry point runs it.
    pub(crate) fn entry_point(&mut self, program: &str) -> Result<(), CompileError> {
        let convention = self.module.isa().default_call_conv();
        let mut signature = Signature::new(convention);
        signature.returns.push(AbiParam::new(I32));
        let program = self.module.declare_function(program, Linkage::Local, &signature)?;
        let own = self.module.declare_function(ENTRY_POINT, Linkage::Export, &signature)?;
        let mut function = Function::with_name_signature(own_name(), signature.clone());
        signature.params.push(AbiParam::new(I64));
        let start = self.module.declare_function(START, Linkage::Import, &signature)?;
        let mut context = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut function, &mut context);
        let block = builder.create_block();
        builder.switch_to_block(block);
        let [program, start] = [program, start].map(|callee| {
            let callee = self.module.declare_func_in_func(callee, builder.func);
            builder.func.dfg.ext_funcs[callee].colocated = true;
            callee
        });
        let program = builder.ins().func_addr(I64, program);
        let call = builder.ins().call(start, &[program]);
        let status = builder.inst_results(call).to_vec();
        builder.ins().return_(&status);
        builder.seal_all_blocks();
        builder.finalize(self.module.isa().frontend_config());
        self.functions.push((own, function));
        Ok(())
    }

    /// The finished file. Small functions are put in the places of their calls if that is asked for.
    pub(crate) fn finish(mut self, inlining: bool) -> Result<Vec<u8>, CompileError> {
        for (_, function) in &mut self.functions {
            promote(function);
        }
        if inlining {
            inline(&mut self.functions)?;
        }
        for (id, function) in self.functions {
            self.module.define_function(id, &mut Context::for_function(function))?;
        }
        let emitted = self.module.finish().emit();
        emitted.map_err(|error| CompileError::Code(error.to_string()))
    }
}
