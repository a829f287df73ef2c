//! From a target to the text of its machine function.

use cranelift_codegen::ir::{self as cl, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use neuro_db::Db;
use neuro_grad::{Derivative, Raised, derivative, raise};
use neuro_ir as ir;
use neuro_mir::{BlockKind, Body, Instance, instance_body};
use neuro_types::fn_sig;

use crate::abi::{Role, Target};
use crate::body::BodyEmitter;
use crate::entry::EntryEmitter;
use crate::error::CompileError;
use crate::imports::{Linking, Unit, own_name};
use crate::raised::{RaisedEmitter, gives_back};

/// A function that is ready to be compiled.
pub(crate) struct Built<'db> {
    /// Its text.
    pub(crate) function: cl::Function,
    /// What it refers to.
    pub(crate) unit: Unit<'db>,
    /// The code that it calls.
    pub(crate) callees: Vec<Target<'db>>,
    /// Bytes that it takes for residuals and intermediate values.
    pub(crate) workspace_bytes: u64,
}

/// Builds the code of a target.
pub(crate) fn build<'db>(
    db: &'db dyn Db,
    target: Target<'db>,
    isa: &dyn TargetIsa,
    linking: Linking,
) -> Result<Built<'db>, CompileError> {
    let mut unit = Unit::new(target.number(db), isa.default_call_conv(), linking);
    let signature = target.signature(db, &unit);
    let mut function = cl::Function::with_name_signature(own_name(), signature);
    let mut context = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut function, &mut context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let params = builder.block_params(entry).to_vec();
    let mut callees = Vec::new();
    let mut emission = Emission { db, target, unit: &mut unit, callees: &mut callees };
    let workspace_bytes = emission.emit(&mut builder, params)?;
    builder.seal_all_blocks();
    builder.finalize(isa.frontend_config());
    Ok(Built { function, unit, callees, workspace_bytes })
}

/// Whether a body has loops and no tensors.
fn loops_over_scalars(body: &Body<'_>) -> bool {
    let is_loop = |kind| matches!(kind, BlockKind::LoopHeader { .. });
    body.blocks.iter().any(|(_, block)| is_loop(block.kind))
        && body.locals.iter().all(|(_, local)| local.ty.peeled().as_tensor().is_none())
}

/// The graph that the plain call of a function is compiled from, if it is compiled from one.
///
/// A function that is a graph, and not generic, is compiled from it for every use; any other from its body. So is one that
/// may give back a tensor that it was given: the tensor keeps its place and its gradient, which a graph,
/// whose results are new tensors, knows nothing of. And so is one that loops over scalars alone: there a graph has
/// nothing to fuse, and where a loop is left by `break` the blocks of the body take half the time. The operations
/// are the same ones, and so are the bits.
fn whole_graph<'db>(db: &'db dyn Db, target: Target<'db>) -> Option<&'db Raised<'db>> {
    let instance = target.instance;
    if !instance.args(db).is_empty() || loops_over_scalars(instance_body(db, instance)) {
        return None;
    }
    let raised = raise(db, instance, target.checked).as_ref().ok()?;
    (!gives_back(&raised.graph, fn_sig(db, target.function(db)))).then_some(raised)
}

/// What a target is compiled from, as text: a graph, or a body.
pub(crate) fn source_text<'db>(db: &'db dyn Db, target: Target<'db>) -> String {
    let derived = || derivative(db, target.instance, target.checked).as_ref().ok();
    let graph = match target.role {
        Role::Plain => whole_graph(db, target).map(|raised| ir::simplify(&raised.graph)),
        Role::Forward => derived().map(|derived| ir::simplify(&derived.sweeps.forward)),
        Role::Reverse => derived().map(|derived| ir::simplify(&derived.sweeps.reverse)),
        Role::PlainEntry | Role::GradientEntry => None,
    };
    match graph {
        Some(graph) => graph.to_string(),
        None => neuro_mir::print(db, instance_body(db, target.instance)),
    }
}

/// What every kind of emission needs.
struct Emission<'a, 'db> {
    db: &'db dyn Db,
    target: Target<'db>,
    unit: &'a mut Unit<'db>,
    callees: &'a mut Vec<Target<'db>>,
}

impl<'db> Emission<'_, 'db> {
    /// Emits the code; gives the bytes of its workspace.
    fn emit(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        params: Vec<Value>,
    ) -> Result<u64, CompileError> {
        match self.target.role {
            Role::Plain => self.plain(builder, params),
            Role::Forward => {
                let derivative = self.derivative()?;
                self.raised(builder, params).forward(derivative)
            }
            Role::Reverse => {
                let derivative = self.derivative()?;
                self.raised(builder, params).reverse(derivative)
            }
            Role::PlainEntry | Role::GradientEntry => self.entry(builder, params).map(|()| 0),
        }
    }

    fn instance(&self) -> Instance<'db> {
        self.target.instance
    }

    fn plain(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        params: Vec<Value>,
    ) -> Result<u64, CompileError> {
        if let Some(raised) = whole_graph(self.db, self.target) {
            return self.raised(builder, params).plain(raised);
        }
        let body = instance_body(self.db, self.instance());
        let parts = (builder, &mut *self.unit, &mut *self.callees);
        BodyEmitter::emit(self.db, self.target, body, parts, &params).map(|()| 0)
    }

    fn raised<'e, 'f>(
        &'e mut self,
        builder: &'e mut FunctionBuilder<'f>,
        params: Vec<Value>,
    ) -> RaisedEmitter<'e, 'f, 'db> {
        RaisedEmitter { db: self.db, target: self.target, builder, unit: self.unit, params }
    }

    fn derivative(&self) -> Result<&'db Derivative<'db>, CompileError> {
        let found = derivative(self.db, self.instance(), self.target.checked);
        let name = self.target.function(self.db).name(self.db);
        found.as_ref().map_err(|_| CompileError::input(&name, "it has no derivative"))
    }

    fn entry(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        params: Vec<Value>,
    ) -> Result<(), CompileError> {
        let (db, target) = (self.db, self.target);
        let Some(slots) = params.first().copied() else {
            return Err(CompileError::input(&target.function(db).name(db), "it takes no slots"));
        };
        let (unit, callees) = (&mut *self.unit, &mut *self.callees);
        let mut entry = EntryEmitter { db, target, builder, unit, callees, slots };
        match target.role {
            Role::GradientEntry => entry.gradient(),
            _ => {
                entry.plain();
                Ok(())
            }
        }
    }
}
