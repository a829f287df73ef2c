//! What the code of one function refers to outside of itself: functions of the run-time library, other
//! compiled functions, constant bytes, and the places where it can panic.
//!
//! A function is built before there is a module to put it in, because its text decides whether its code is
//! known already. So names get their numbers here, and the module declares them later in this same order.
//!
//! The same emission makes code for this process and for object files. Only here and in `callee` does it matter which
//! ([`Linking`]).

use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, FuncRef, Function, GlobalValue, GlobalValueData,
    InstBuilder, Signature, TrapCode, Type, UserExternalName, UserFuncName, Value, types::I32,
    types::I64,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use neuro_grad::Site;
use neuro_ir::Loc;
use neuro_runtime::PanicKind;
use neuro_runtime::symbols as rt;
use rustc_hash::FxHashMap;

use crate::scalar;

/// Namespace of functions in external names, as `cranelift-module` has it.
pub(crate) const FUNCTIONS: u32 = 0;
/// Namespace of data in external names.
pub(crate) const DATA: u32 = 1;
/// Alignment of constant bytes.
pub(crate) const DATA_ALIGN: u64 = 64;

/// Traps behind calls that do not return.
pub(crate) const NEVER: TrapCode = TrapCode::unwrap_user(1);

/// How code finds what lies outside of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Linking {
    /// In this process: other functions through their cells, so that each is compiled alone; the positions of panics by
    /// the number of the unit, so that code does not change when only positions do.
    Process,
    /// In an object file: other functions by their symbols, positions by their address.
    Object,
}

/// What emission of a graph's code needs of the unit that it becomes a part of.
pub(crate) trait Imports {
    /// A function of the run-time library, by its symbol.
    fn function(
        &mut self,
        function: &mut Function,
        symbol: &str,
        params: &[Type],
        results: &[Type],
    ) -> FuncRef;

    /// Constant bytes, aligned to [`DATA_ALIGN`]; their address is `builder.ins().symbol_value(I64, ..)`.
    fn data(&mut self, function: &mut Function, bytes: &[u8]) -> GlobalValue;

    /// Ends the current block, and the program, with a panic at a location of the graph.
    fn panic(&mut self, builder: &mut FunctionBuilder<'_>, kind: PanicKind, loc: Option<Loc>);

    /// The same with the text `panic: {message} at ..`.
    fn panic_text(&mut self, builder: &mut FunctionBuilder<'_>, message: &str, loc: Option<Loc>);
}

/// Where a function that is called comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Origin {
    /// The run-time library.
    Runtime,
    /// Another function of the same object file.
    Compiled,
}

/// A name that the module declares.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FunctionImport {
    /// The symbol, or the name of the compiled function.
    pub(crate) name: String,
    /// Which of both.
    pub(crate) origin: Origin,
    /// How it is called.
    pub(crate) signature: Signature,
}

/// A data object of the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DataImport {
    /// Constant bytes that the module owns.
    Bytes(Vec<u8>),
    /// The cell that holds the address of another compiled function, by the function's name.
    Cell(String),
    /// The positions of the unit's own sites, in an object file.
    Sites,
}

/// The imports and the panic sites of one function under construction.
pub(crate) struct Unit<'db> {
    /// The number by which panics name the function.
    pub(crate) number: u64,
    convention: CallConv,
    pub(crate) linking: Linking,
    pub(crate) functions: Vec<FunctionImport>,
    pub(crate) data: Vec<DataImport>,
    /// What the numbers of sites stand for.
    pub(crate) sites: Vec<Site<'db>>,
    function_refs: FxHashMap<String, FuncRef>,
    data_refs: Vec<GlobalValue>,
}

impl<'db> Unit<'db> {
    /// A unit without imports. `number` is told to the run time at a panic.
    pub(crate) fn new(number: u64, convention: CallConv, linking: Linking) -> Self {
        Self {
            number,
            convention,
            linking,
            functions: Vec::new(),
            data: Vec::new(),
            sites: Vec::new(),
            function_refs: FxHashMap::default(),
            data_refs: Vec::new(),
        }
    }

    /// The number of a site, new if need be.
    pub(crate) fn site(&mut self, site: Site<'db>) -> u32 {
        let known = self.sites.iter().position(|other| *other == site);
        known.unwrap_or_else(|| {
            self.sites.push(site);
            self.sites.len() - 1
        }) as u32
    }

    /// The signature of these parameters and results.
    pub(crate) fn signature(&self, params: &[Type], results: &[Type]) -> Signature {
        let mut signature = Signature::new(self.convention);
        signature.params.extend(params.iter().copied().map(AbiParam::new));
        signature.returns.extend(results.iter().copied().map(AbiParam::new));
        signature
    }

    /// A function of the run-time library.
    pub(crate) fn runtime(
        &mut self,
        function: &mut Function,
        symbol: &str,
        params: &[Type],
        results: &[Type],
    ) -> FuncRef {
        if let Some(known) = self.function_refs.get(symbol) {
            return *known;
        }
        let signature = self.signature(params, results);
        self.import(function, symbol, Origin::Runtime, signature)
    }

    /// Another function of the same object file.
    pub(crate) fn compiled(
        &mut self,
        function: &mut Function,
        name: &str,
        signature: Signature,
    ) -> FuncRef {
        match self.function_refs.get(name) {
            Some(known) => *known,
            None => self.import(function, name, Origin::Compiled, signature),
        }
    }

    fn import(
        &mut self,
        function: &mut Function,
        symbol: &str,
        origin: Origin,
        signature: Signature,
    ) -> FuncRef {
        let index = self.functions.len() as u32;
        let (name, imported) = (symbol.to_owned(), signature.clone());
        self.functions.push(FunctionImport { name, origin, signature: imported });
        let name = UserExternalName { namespace: FUNCTIONS, index: index + 1 };
        let name = function.declare_imported_user_function(name);
        let signature = function.import_signature(signature);
        let reference = function.import_function(ExtFuncData {
            name: ExternalName::user(name),
            signature,
            colocated: self.colocated(),
            patchable: false,
        });
        self.function_refs.insert(symbol.to_owned(), reference);
        reference
    }

    /// Whether what is imported lies near. An executable is small, and the run-time library a part of it.
    fn colocated(&self) -> bool {
        self.linking == Linking::Object
    }

    /// Calls a function of the run-time library that gives nothing. Its parameters are of the types of
    /// `arguments`.
    pub(crate) fn call(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        symbol: &str,
        arguments: &[Value],
    ) {
        let params = value_types(builder, arguments);
        let callee = self.runtime(builder.func, symbol, &params, &[]);
        builder.ins().call(callee, arguments);
    }

    /// Calls a function of the run-time library that gives one value.
    pub(crate) fn call_value(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        symbol: &str,
        arguments: &[Value],
        result: Type,
    ) -> Value {
        let params = value_types(builder, arguments);
        let callee = self.runtime(builder.func, symbol, &params, &[result]);
        let call = builder.ins().call(callee, arguments);
        builder.inst_results(call)[0]
    }

    /// Constant bytes.
    pub(crate) fn bytes(&mut self, function: &mut Function, bytes: &[u8]) -> GlobalValue {
        self.data_object(function, DataImport::Bytes(bytes.to_vec()))
    }

    /// The cell with the address of the compiled function called `name`.
    pub(crate) fn cell(&mut self, function: &mut Function, name: &str) -> GlobalValue {
        self.data_object(function, DataImport::Cell(name.to_owned()))
    }

    fn data_object(&mut self, function: &mut Function, object: DataImport) -> GlobalValue {
        if let Some(index) = self.data.iter().position(|known| *known == object) {
            return self.data_refs[index];
        }
        let index = self.data.len() as u32;
        self.data.push(object);
        let name =
            function.declare_imported_user_function(UserExternalName { namespace: DATA, index });
        let reference = function.create_global_value(GlobalValueData::Symbol {
            name: ExternalName::user(name),
            offset: 0.into(),
            colocated: self.colocated(),
            tls: false,
        });
        self.data_refs.push(reference);
        reference
    }

    /// What tells the run time of which unit a site is.
    pub(crate) fn own_number(&mut self, builder: &mut FunctionBuilder<'_>) -> Value {
        match self.linking {
            Linking::Process => builder.ins().iconst(I64, self.number as i64),
            Linking::Object => {
                let sites = self.data_object(builder.func, DataImport::Sites);
                builder.ins().symbol_value(I64, sites)
            }
        }
    }

    /// Ends the current block, and the program, with a panic at a site.
    pub(crate) fn panic_at(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        kind: PanicKind,
        site: u32,
    ) {
        let kind = builder.ins().iconst(I32, kind as i64);
        let unit = self.own_number(builder);
        let site = builder.ins().iconst(I32, i64::from(site));
        self.call(builder, rt::PANIC, &[kind, unit, site]);
        builder.ins().trap(NEVER);
    }

    /// Goes on only if `holds` is not zero; otherwise panics at a site. The rest of the code is emitted into
    /// a new block.
    pub(crate) fn check(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        holds: Value,
        kind: PanicKind,
        site: u32,
    ) {
        let (cold, next) = (builder.create_block(), builder.create_block());
        builder.set_cold_block(cold);
        builder.ins().brif(holds, next, &[], cold, &[]);
        builder.switch_to_block(cold);
        self.panic_at(builder, kind, site);
        builder.switch_to_block(next);
    }

    /// Prints constant text.
    pub(crate) fn print_text(&mut self, builder: &mut FunctionBuilder<'_>, text: &str) {
        if text.is_empty() {
            return;
        }
        let data = self.bytes(builder.func, text.as_bytes());
        let address = builder.ins().symbol_value(I64, data);
        let length = builder.ins().iconst(I64, text.len() as i64);
        self.call(builder, rt::PRINT_TEXT, &[address, length]);
    }

    /// The address of the bytes of a constant text, in front of which lies the header of a text that nobody owns.
    pub(crate) fn constant_text(&mut self, builder: &mut FunctionBuilder<'_>, text: &str) -> Value {
        let data = self.bytes(builder.func, &neuro_runtime::text::constant(text));
        let address = builder.ins().symbol_value(I64, data);
        builder.ins().iadd_imm_s(address, neuro_runtime::text::TEXT_HEADER as i64)
    }

    /// Ends the current block, and the program, with the text that was printed since the message began.
    pub(crate) fn panic_message(&mut self, builder: &mut FunctionBuilder<'_>, site: u32) {
        let unit = self.own_number(builder);
        let site = builder.ins().iconst(I32, i64::from(site));
        self.call(builder, rt::PANIC_MESSAGE, &[unit, site]);
        builder.ins().trap(NEVER);
    }
}

fn value_types(builder: &FunctionBuilder<'_>, values: &[Value]) -> Vec<Type> {
    values.iter().map(|value| builder.func.dfg.value_type(*value)).collect()
}

/// The name of the function that a unit defines.
pub(crate) fn own_name() -> UserFuncName {
    UserFuncName::user(FUNCTIONS, 0)
}

/// [`Imports`] for a graph whose locations stand for known sites.
pub(crate) struct GraphImports<'a, 'db> {
    /// The unit.
    pub(crate) unit: &'a mut Unit<'db>,
    /// The site of each location.
    pub(crate) sites: &'a [Site<'db>],
    /// The site of what has no location.
    pub(crate) default: Site<'db>,
}

impl<'db> GraphImports<'_, 'db> {
    fn site(&mut self, loc: Option<Loc>) -> u32 {
        let site = loc.and_then(|Loc(number)| self.sites.get(number as usize)).copied();
        self.unit.site(site.unwrap_or(self.default))
    }
}

impl Imports for GraphImports<'_, '_> {
    fn function(
        &mut self,
        function: &mut Function,
        symbol: &str,
        params: &[Type],
        results: &[Type],
    ) -> FuncRef {
        self.unit.runtime(function, symbol, params, results)
    }

    fn data(&mut self, function: &mut Function, bytes: &[u8]) -> GlobalValue {
        self.unit.bytes(function, bytes)
    }

    fn panic(&mut self, builder: &mut FunctionBuilder<'_>, kind: PanicKind, loc: Option<Loc>) {
        let site = self.site(loc);
        self.unit.panic_at(builder, kind, site);
    }

    fn panic_text(&mut self, builder: &mut FunctionBuilder<'_>, message: &str, loc: Option<Loc>) {
        let site = self.site(loc);
        self.unit.call(builder, rt::BEGIN_MESSAGE, &[]);
        self.unit.print_text(builder, message);
        self.unit.panic_message(builder, site);
    }
}

/// Arithmetic of a statement of a body: it panics at the statement's own site.
pub(crate) struct StatementPlace<'a, 'db> {
    /// The unit.
    pub(crate) unit: &'a mut Unit<'db>,
    /// Where the statement stands.
    pub(crate) site: Site<'db>,
}

impl scalar::Place for StatementPlace<'_, '_> {
    fn call(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        symbol: &str,
        arguments: &[Value],
        result: Type,
    ) -> Value {
        self.unit.call_value(builder, symbol, arguments, result)
    }

    fn require(&mut self, builder: &mut FunctionBuilder<'_>, holds: Value, kind: PanicKind) {
        let site = self.unit.site(self.site);
        self.unit.check(builder, holds, kind, site);
    }
}
