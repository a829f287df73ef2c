//! Functions as C calls them: which can be, under which names, and the code that stands between C and a function.
//!
//! A function takes scalars as they are and a tensor as the address of its elements; the code here makes tensors of
//! them. A `@grad` function is called so that a panic ends the call; `neuro_runtime::guard` does that.

use cranelift_codegen::ir::{
    self as cl, AbiParam, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value,
    types::I32, types::I64,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use neuro_db::{Db, SourceFile};
use neuro_grad::Checked;
use neuro_hir::{Container, Function, TypeRef, file_items, impl_data};
use neuro_runtime::symbols as rt;
use neuro_types::{Ty, diff_spec, fn_sig};
use rustc_hash::FxHashSet;

use crate::abi::{Role, Target};
use crate::block;
use crate::callee;
use crate::error::CompileError;
use crate::imports::{Linking, Unit, own_name};
use crate::piece::{elements, trusted};
use crate::scalar::register_type;

/// What names of the run-time library begin with.
const RESERVED: &str = "neuro_";

/// A function that C can call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Export<'db> {
    pub(crate) function: Function<'db>,
    /// Its name in C.
    pub(crate) name: String,
    params: Vec<Passed>,
    given: Given,
}

/// How C passes an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passed {
    /// A number.
    Scalar(Type),
    /// The address of a number.
    Pointer(Type),
    /// The address of a tensor's elements.
    Tensor { bytes: u64, access: Access },
}

/// What a function may do with a tensor that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// It is the function's own.
    Owned,
    /// It is looked at.
    Shared,
    /// It is changed where it is.
    Mutable,
}

/// What C is given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Given {
    Nothing,
    Scalar(Type),
    /// Elements, at an address behind all arguments.
    Tensor {
        bytes: u64,
    },
}

/// A function that C cannot call, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotExported {
    /// Its name in the language.
    pub function: String,
    /// Why, as the end of a sentence.
    pub reason: String,
}

/// The functions of a file that C can call, and those that it cannot.
pub(crate) fn exports<'db>(
    db: &'db dyn Db,
    file: SourceFile,
) -> (Vec<Export<'db>>, Vec<NotExported>) {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    let mut names = FxHashSet::default();
    for function in file_items(db, file).functions() {
        let Some(name) = c_name(db, function) else { continue };
        let export = export(db, function, &name).and_then(|export| {
            match export.symbols(db).into_iter().find(|symbol| !names.insert(symbol.clone())) {
                Some(symbol) => Err(format!("another function is called `{symbol}` in C")),
                None => Ok(export),
            }
        });
        match export {
            Ok(export) => found.push(export),
            Err(reason) => refused.push(NotExported { function: name.replace("__", "::"), reason }),
        }
    }
    (found, refused)
}

/// The name in C: of a function in a module, and of a method, behind the name of what it stands in. `main` is the start
/// of a program, and what a trait declares has no code of its own.
fn c_name(db: &dyn Db, function: Function<'_>) -> Option<String> {
    let mut parts: Vec<String> =
        function.module(db).inline(db).iter().map(ToString::to_string).collect();
    match function.container(db) {
        Container::Module(_) => {}
        Container::Impl(block) => match &impl_data(db, block).self_ty {
            TypeRef::Path(path) => parts.push(path.last_name().to_string()),
            _ => return None,
        },
        Container::Trait(_) => return None,
    }
    let name = function.name(db);
    if parts.is_empty() && name == "main" {
        return None;
    }
    parts.push(name.to_string());
    Some(parts.join("__"))
}

fn export<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    name: &str,
) -> Result<Export<'db>, String> {
    if name.starts_with(RESERVED) {
        return Err(format!(
            "names that begin with `{RESERVED}` are those of the run-time library"
        ));
    }
    if neuro_hir::signature(db, function).generics != Default::default() {
        return Err("it is generic".to_owned());
    }
    let sig = fn_sig(db, function);
    if sig.receiver.is_some() {
        return Err("it takes a receiver".to_owned());
    }
    let mut params = Vec::with_capacity(sig.params.len());
    for param in &sig.params {
        let passed = passed(&param.ty);
        params.push(passed.ok_or_else(|| format!("`{}` is of type `{}`", param.name, param.ty))?);
    }
    let given = given(&sig.ret).ok_or_else(|| format!("it gives `{}`", sig.ret))?;
    if let Some(reason) = neuro_mir::does_not_run(db, function) {
        return Err(reason.message);
    }
    Ok(Export { function, name: name.to_owned(), params, given })
}

/// Numbers that C has.
fn number(ty: &Ty) -> Option<Type> {
    if *ty == Ty::Char {
        return Some(I32);
    }
    let dtype = ty.as_scalar().filter(|dtype| !dtype.is_half())?;
    Some(register_type(dtype))
}

/// Bytes of a tensor whose shape is known and whose elements C has.
fn tensor_bytes(ty: &Ty) -> Option<u64> {
    let Ty::Tensor(tensor) = ty else { return None };
    number(&Ty::Scalar(tensor.elem))?;
    tensor.shape.known()?;
    Some(block::bytes_of(tensor))
}

fn passed(ty: &Ty) -> Option<Passed> {
    if let Ty::Ref { mutable, inner } = ty {
        let access = if *mutable { Access::Mutable } else { Access::Shared };
        return match number(inner) {
            Some(register) => Some(Passed::Pointer(register)),
            None => Some(Passed::Tensor { bytes: tensor_bytes(inner)?, access }),
        };
    }
    match number(ty) {
        Some(register) => Some(Passed::Scalar(register)),
        None => Some(Passed::Tensor { bytes: tensor_bytes(ty)?, access: Access::Owned }),
    }
}

fn given(ty: &Ty) -> Option<Given> {
    if *ty == Ty::Void {
        return Some(Given::Nothing);
    }
    match number(ty) {
        Some(register) => Some(Given::Scalar(register)),
        None => Some(Given::Tensor { bytes: tensor_bytes(ty)? }),
    }
}

/// A function for C that is ready to be compiled.
pub(crate) struct Wrapper<'db> {
    pub(crate) name: String,
    pub(crate) function: cl::Function,
    pub(crate) unit: Unit<'db>,
    /// The code that it calls.
    pub(crate) callees: Vec<Target<'db>>,
}

impl<'db> Export<'db> {
    /// The names that it takes in C.
    fn symbols(&self, db: &dyn Db) -> Vec<String> {
        let name = &self.name;
        let mut symbols = vec![name.clone()];
        if diff_spec(db, self.function).spec.is_some() {
            symbols.extend([format!("{name}_value_and_grad"), format!("{name}_workspace_bytes")]);
        }
        symbols
    }

    /// The functions that C calls.
    pub(crate) fn wrappers(
        &self,
        db: &'db dyn Db,
        checked: Checked,
        isa: &dyn TargetIsa,
    ) -> Result<Vec<Wrapper<'db>>, CompileError> {
        let name = &self.name;
        let begin = |name: String, params: &[Type], ret: Option<Type>| Wrapping {
            db,
            export: self,
            checked,
            isa,
            name,
            params: params.to_vec(),
            ret,
        };
        let inputs: Vec<Type> = self.params.iter().map(|passed| passed.register()).collect();
        let Some(spec) = &diff_spec(db, self.function).spec else {
            let (out, ret) = match self.given {
                Given::Nothing => (None, None),
                Given::Scalar(register) => (None, Some(register)),
                Given::Tensor { .. } => (Some(I64), None),
            };
            let params: Vec<Type> = inputs.into_iter().chain(out).collect();
            let wrapping = begin(name.clone(), &params, ret);
            return Ok(vec![wrapping.build(|emission| emission.plain())?]);
        };
        // Behind the inputs the value, then a gradient for each differentiated parameter, then the workspace.
        let value: Vec<Type> = inputs.iter().copied().chain([I64]).collect();
        let wrt = spec.params();
        let gradients = value.iter().copied().chain(wrt.iter().map(|_| I64)).chain([I64]);
        let gradients: Vec<Type> = gradients.collect();
        let size = format!("{name}_workspace_bytes");
        let value = begin(name.clone(), &value, Some(I32));
        let both = begin(format!("{name}_value_and_grad"), &gradients, Some(I32));
        Ok(vec![
            value.build(|emission| emission.guarded(Role::PlainEntry, &[]))?,
            both.build(|emission| emission.guarded(Role::GradientEntry, &wrt))?,
            begin(size, &[], Some(I64)).build(|emission| emission.no_bytes())?,
        ])
    }
}

impl Passed {
    fn register(self) -> Type {
        match self {
            Passed::Scalar(register) => register,
            Passed::Pointer(_) | Passed::Tensor { .. } => I64,
        }
    }
}

/// A wrapper before it has code.
struct Wrapping<'a, 'db> {
    db: &'db dyn Db,
    export: &'a Export<'db>,
    checked: Checked,
    isa: &'a dyn TargetIsa,
    name: String,
    params: Vec<Type>,
    ret: Option<Type>,
}

impl<'db> Wrapping<'_, 'db> {
    fn build(
        self,
        emit: impl FnOnce(&mut Emission<'_, '_, 'db>) -> Result<(), CompileError>,
    ) -> Result<Wrapper<'db>, CompileError> {
        let mut unit = Unit::new(0, self.isa.default_call_conv(), Linking::Object);
        let mut signature = unit.signature(&self.params, self.ret.as_slice());
        // Callers of C may read the whole register.
        signature.returns.iter_mut().filter(|given| given.value_type.bits() < 32).for_each(
            |given| *given = AbiParam { extension: cl::ArgumentExtension::Uext, ..*given },
        );
        let mut function = cl::Function::with_name_signature(own_name(), signature);
        let mut context = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut function, &mut context);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).to_vec();
        let mut callees = Vec::new();
        emit(&mut Emission {
            db: self.db,
            export: self.export,
            checked: self.checked,
            builder: &mut builder,
            unit: &mut unit,
            callees: &mut callees,
            params,
        })?;
        builder.seal_all_blocks();
        builder.finalize(self.isa.frontend_config());
        Ok(Wrapper { name: self.name, function, unit, callees })
    }
}

/// The emission of a wrapper. The builder stands in the entry block.
struct Emission<'a, 'f, 'db> {
    db: &'db dyn Db,
    export: &'a Export<'db>,
    checked: Checked,
    builder: &'a mut FunctionBuilder<'f>,
    unit: &'a mut Unit<'db>,
    callees: &'a mut Vec<Target<'db>>,
    /// The parameters of the machine function.
    params: Vec<Value>,
}

impl<'db> Emission<'_, '_, 'db> {
    fn slot(&mut self, bytes: u32) -> StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes.max(8), 3);
        self.builder.create_sized_stack_slot(data)
    }

    fn target(&mut self, role: Role) -> Target<'db> {
        let target = Target::plain(self.db, self.export.function, role, self.checked);
        self.callees.push(target);
        target
    }

    /// Copies elements.
    fn copy(&mut self, to: Value, from: Value, bytes: u64) {
        let bytes = self.builder.ins().iconst(I64, bytes as i64);
        self.unit.call(self.builder, rt::COPY, &[to, from, bytes]);
    }

    /// A tensor of the elements at an address.
    fn tensor(&mut self, from: Value, bytes: u64) -> Value {
        let handle = block::allocate(self.builder, self.unit, None, bytes);
        let to = elements(self.builder, handle);
        self.copy(to, from, bytes);
        handle
    }

    /// Puts the elements of a tensor where C wants them.
    fn give(&mut self, handle: Value, to: Value, bytes: u64) {
        let from = elements(self.builder, handle);
        self.copy(to, from, bytes);
    }

    fn return_(&mut self, values: &[Value]) {
        self.unit.call(self.builder, rt::FLUSH, &[]);
        self.builder.ins().return_(values);
    }

    /// `(arguments, where a tensor is put) -> result`.
    fn plain(&mut self) -> Result<(), CompileError> {
        let mut arguments = Vec::with_capacity(self.params.len());
        let mut kept = Vec::new();
        for (passed, value) in self.export.params.iter().zip(self.params.clone()) {
            arguments.push(match *passed {
                Passed::Scalar(_) | Passed::Pointer(_) => value,
                Passed::Tensor { bytes, access } => {
                    let handle = self.tensor(value, bytes);
                    if access == Access::Owned {
                        handle
                    } else {
                        let slot = self.slot(8);
                        self.builder.ins().stack_store(I64, handle, slot, 0);
                        kept.push((slot, value, bytes, access));
                        self.builder.ins().stack_addr(I64, slot, 0)
                    }
                }
            });
        }
        let target = self.target(Role::Plain);
        let result = callee::call(self.db, self.builder, self.unit, target, &arguments);
        for (slot, value, bytes, access) in kept {
            let handle = self.builder.ins().stack_load(I64, I64, slot, 0);
            if access == Access::Mutable {
                self.give(handle, value, bytes);
            }
            block::release(self.builder, self.unit, handle);
        }
        match (self.export.given, result, self.params.last().copied()) {
            (Given::Tensor { bytes }, Some(handle), Some(to)) => {
                self.give(handle, to, bytes);
                block::release(self.builder, self.unit, handle);
                self.return_(&[]);
            }
            (Given::Scalar(_), Some(value), _) => self.return_(&[value]),
            (Given::Nothing | Given::Scalar(_) | Given::Tensor { .. }, _, _) => self.return_(&[]),
        }
        Ok(())
    }

    /// `(arguments, where the value is put, where the gradients of `wrt` are put, workspace) -> trap`.
    fn guarded(&mut self, role: Role, wrt: &[usize]) -> Result<(), CompileError> {
        let inputs = &self.export.params;
        let slots = self.slot(8 * inputs.len() as u32);
        for (index, passed) in inputs.iter().enumerate() {
            let Some(value) = self.params.get(index).copied() else { continue };
            let value = match *passed {
                Passed::Scalar(_) => value,
                Passed::Pointer(register) => self.builder.ins().load(register, trusted(), value, 0),
                Passed::Tensor { bytes, .. } => self.tensor(value, bytes),
            };
            self.builder.ins().stack_store(I64, value, slots, 8 * index as i32);
        }
        let given = self.slot(8);
        let target = self.target(role);
        let signature = target.signature(self.db, self.unit);
        let code = self.unit.compiled(self.builder.func, &target.name(self.db), signature);
        let code = self.builder.ins().func_addr(I64, code);
        let arguments = [
            code,
            self.builder.ins().stack_addr(I64, slots, 0),
            self.builder.ins().stack_addr(I64, given, 0),
        ];
        let trap = self.unit.call_value(self.builder, rt::GUARD, &arguments, I32);
        let (failed, well) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failed);
        self.builder.ins().brif(trap, failed, &[], well, &[]);
        self.builder.switch_to_block(failed);
        self.release(slots, false);
        self.return_(&[trap]);
        self.builder.switch_to_block(well);
        let mut places =
            self.params.iter().skip(inputs.len()).copied().collect::<Vec<_>>().into_iter();
        if let (Given::Tensor { bytes }, Some(to)) = (self.export.given, places.next()) {
            let handle = self.builder.ins().stack_load(I64, I64, given, 0);
            self.give(handle, to, bytes);
            block::release(self.builder, self.unit, handle);
        }
        for (index, to) in wrt.iter().zip(places) {
            let Some(Passed::Tensor { bytes, .. }) = inputs.get(*index).copied() else { continue };
            let handle = self.builder.ins().stack_load(I64, I64, slots, 8 * *index as i32);
            let gradient = self.unit.call_value(self.builder, rt::GRADIENT_FILL, &[handle], I64);
            self.give(gradient, to, bytes);
        }
        // The sweeps only read; a plain call takes what it is given.
        self.release(slots, role == Role::GradientEntry);
        let well = self.builder.ins().iconst(I32, 0);
        self.return_(&[well]);
        Ok(())
    }

    /// Releases the tensors in the slots; those that were passed by value only if they are still there.
    fn release(&mut self, slots: StackSlot, owned_too: bool) {
        for (index, passed) in self.export.params.iter().enumerate() {
            if let Passed::Tensor { access, .. } = *passed
                && (owned_too || access != Access::Owned)
            {
                let handle = self.builder.ins().stack_load(I64, I64, slots, 8 * index as i32);
                block::release(self.builder, self.unit, handle);
            }
        }
    }

    /// `() -> bytes`: calls take no memory of their caller's.
    fn no_bytes(&mut self) -> Result<(), CompileError> {
        let bytes = self.builder.ins().iconst(I64, 0);
        self.builder.ins().return_(&[bytes]);
        Ok(())
    }
}
