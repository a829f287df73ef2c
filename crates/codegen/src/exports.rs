//! Functions as C calls them: which can be, and under which names.
//!
//! C passes a value part by part, as [`Passed`] says; the code that stands between C and a function (`emission`) puts
//! the parts together. A `@grad` function is called so that a panic ends the call; `neuro_runtime::guard` does that.

mod emission;
mod passed;

use cranelift_codegen::ir::{self as cl, Type, types::I32, types::I64};
use cranelift_codegen::isa::TargetIsa;
use neuro_db::{Db, SourceFile};
use neuro_grad::Checked;
use neuro_hir::{Container, Function, Item, TypeRef, file_items, impl_data};
use neuro_types::{diff_spec, fn_sig, generics};
use rustc_hash::FxHashSet;

use crate::abi::{Role, Target};
use crate::error::CompileError;
use crate::imports::Unit;
use emission::Wrapping;
use passed::{Given, Passed, given, passed};

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
    if !generics(db, Item::Function(function)).params.is_empty() {
        return Err("it is generic".to_owned());
    }
    let sig = fn_sig(db, function);
    // A derivative is called with its arguments in slots, which have room for numbers and tensors.
    let in_slots = diff_spec(db, function).spec.is_some();
    let suits = |passed: &Passed| !in_slots || passed.fits_slot();
    let mut params = Vec::with_capacity(sig.params.len());
    let receiver = sig.receiver.iter().map(|ty| ("self", ty));
    let written = sig.params.iter().map(|param| (param.name.as_str(), &param.ty));
    for (name, ty) in receiver.chain(written) {
        let passed = passed(db, ty).filter(suits);
        params.push(passed.ok_or_else(|| format!("`{name}` is of type `{ty}`"))?);
    }
    let given = given(db, &sig.ret).ok_or_else(|| format!("it gives `{}`", sig.ret))?;
    if let Some(reason) = neuro_mir::does_not_run(db, function) {
        return Err(reason.message);
    }
    Ok(Export { function, name: name.to_owned(), params, given })
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
        let inputs: Vec<Type> = self.params.iter().flat_map(Passed::registers).collect();
        let Some(spec) = &diff_spec(db, self.function).spec else {
            let ret = match &self.given {
                Given::Scalar(register) => Some(*register),
                Given::Nothing | Given::Tensor { .. } | Given::Place { .. } => None,
            };
            let places = std::iter::repeat_n(I64, self.given.addresses());
            let params: Vec<Type> = inputs.into_iter().chain(places).collect();
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
