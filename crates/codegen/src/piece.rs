//! A graph in the middle of other code: its operands are values of the language, its results are put into
//! blocks.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types::I64};
use cranelift_frontend::FunctionBuilder;
use neuro_ir as ir;
use neuro_loops::{Port, Program};
use neuro_runtime::DATA_OFFSET;
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use crate::graph;
use crate::imports::GraphImports;
use crate::scalar::register_type;

/// Every access of generated code is to memory that it owns.
pub(crate) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The address of a block's elements.
pub(crate) fn elements(builder: &mut FunctionBuilder<'_>, handle: Value) -> Value {
    builder.ins().iadd_imm_s(handle, DATA_OFFSET as i64)
}

/// What a graph's parameter is given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// A scalar.
    Scalar(Value),
    /// The address of elements; one element where the parameter has rank 0.
    Elements(Value),
}

/// The value of a parameter or operand of type `ty`, with its references followed.
pub(crate) fn input(builder: &mut FunctionBuilder<'_>, ty: &Ty, value: Value) -> Input {
    match ty {
        Ty::Ref { inner, .. } => match crate::abi::value_type(inner) {
            Some(register) => {
                let inner_value = builder.ins().load(register, trusted(), value, 0);
                input(builder, inner, inner_value)
            }
            None => Input::Scalar(value),
        },
        Ty::Tensor(_) => Input::Elements(elements(builder, value)),
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Collection { .. }
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => Input::Scalar(value),
    }
}

/// A graph that is ready to be emitted.
pub(crate) struct Piece {
    program: Program,
    params: Vec<ir::Type>,
    results: Vec<ir::Type>,
}

impl Piece {
    /// Makes loops of a graph.
    pub(crate) fn new(graph: &ir::Function) -> Self {
        let types = |values: &[ir::ValueId]| values.iter().map(|v| graph.ty(*v).clone()).collect();
        Self {
            program: neuro_loops::lower(graph),
            params: types(graph.params()),
            results: types(graph.results()),
        }
    }

    /// Bytes that the code takes for intermediate values while it runs.
    pub(crate) fn workspace_bytes(&self) -> u64 {
        self.program.workspace_bytes
    }

    /// The types of the results.
    pub(crate) fn results(&self) -> &[ir::Type] {
        &self.results
    }

    /// Whether the first result may be written over a parameter.
    pub(crate) fn may_write_in_place(&self, param: usize) -> bool {
        neuro_loops::may_write_in_place(&self.program, param)
    }

    /// Emits the graph's code. Each result with an address in `results` is put there; gives the values of
    /// the scalar results. `inputs` and `results` are one for each of the graph's.
    pub(crate) fn emit(
        &self,
        builder: &mut FunctionBuilder<'_>,
        imports: &mut GraphImports<'_, '_>,
        inputs: &[Input],
        results: &[Option<Value>],
    ) -> Vec<Option<Value>> {
        self.emit_with_history(builder, imports, inputs, results, None)
    }

    /// The same for a graph that pushes or pops frames of the history with this header.
    pub(crate) fn emit_with_history(
        &self,
        builder: &mut FunctionBuilder<'_>,
        imports: &mut GraphImports<'_, '_>,
        inputs: &[Input],
        results: &[Option<Value>],
        history: Option<Value>,
    ) -> Vec<Option<Value>> {
        let inputs: Vec<Value> = inputs
            .iter()
            .zip(&self.program.params)
            .zip(&self.params)
            .map(|((input, port), ty)| match (input, port) {
                (Input::Elements(address), Port::Scalar(_)) => {
                    builder.ins().load(register_type(ty.dtype), trusted(), *address, 0)
                }
                (Input::Elements(value), Port::Tensor(_)) | (Input::Scalar(value), _) => *value,
            })
            .collect();
        let workspace = (self.program.workspace_bytes > 0).then(|| {
            let bytes = builder.ins().iconst(I64, self.program.workspace_bytes as i64);
            imports.unit.call_value(builder, rt::RESIDUALS_NEW, &[bytes], I64)
        });
        let memory = (workspace, history);
        let scalars = graph::emit(builder, imports, &self.program, &inputs, results, memory);
        for (value, address) in scalars.iter().zip(results) {
            if let (Some(value), Some(address)) = (value, address) {
                builder.ins().store(trusted(), *value, *address, 0);
            }
        }
        if let Some(workspace) = workspace {
            imports.unit.call(builder, rt::RESIDUALS_DROP, &[workspace]);
        }
        scalars
    }
}
