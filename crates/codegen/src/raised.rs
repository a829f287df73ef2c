//! Functions that are graphs as a whole: the plain call and both sweeps are made of the same ops, so they
//! agree bit for bit.

use cranelift_codegen::ir::{InstBuilder, Value, types::I64};
use cranelift_frontend::FunctionBuilder;
use neuro_db::Db;
use neuro_grad::{Derivative, Raised, Site};
use neuro_ir as ir;
use neuro_runtime::HISTORY_HEADER;
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use crate::abi::Target;
use crate::block;
use crate::error::CompileError;
use crate::imports::{GraphImports, Unit};
use crate::piece::{Input, Piece, elements, input, trusted};

/// Where the residuals of a sweep lie in its block: after the header of the history, if loops keep anything.
pub(crate) struct ResidualLayout {
    /// The offset of each.
    offsets: Vec<i64>,
    /// Bytes of the block.
    bytes: u64,
    /// Whether the block begins with the header of a history.
    history: bool,
}

impl ResidualLayout {
    /// One after the other, each aligned as tensors are.
    pub(crate) fn new(derivative: &Derivative<'_>) -> Self {
        let sweeps = &derivative.sweeps;
        let align = neuro_loops::WORKSPACE_ALIGN;
        let history = !sweeps.frame_bytes.is_empty();
        let (mut offsets, mut bytes) = (Vec::new(), if history { HISTORY_HEADER } else { 0 });
        for ty in sweeps.residuals.iter().map(|residual| &residual.ty) {
            offsets.push(i64::try_from(bytes).unwrap_or(i64::MAX));
            let size = (ty.bytes() as u64).checked_next_multiple_of(align).unwrap_or(u64::MAX);
            bytes = bytes.saturating_add(size);
        }
        Self { offsets, bytes, history }
    }

    /// Bytes of the block.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The address of the history's header, if there is one.
    fn history(&self, block: Value) -> Option<Value> {
        self.history.then_some(block)
    }

    /// The address of each residual.
    fn addresses(&self, builder: &mut FunctionBuilder<'_>, block: Value) -> Vec<Value> {
        self.offsets.iter().map(|offset| builder.ins().iadd_imm_s(block, *offset)).collect()
    }
}

/// Whether a result of the graph may be a tensor that was passed by value, unchanged.
pub(crate) fn gives_back(graph: &ir::Function, params: &[Ty]) -> bool {
    let mut seen = vec![false; graph.value_count()];
    let mut pending = graph.results().to_vec();
    while let Some(value) = pending.pop() {
        if std::mem::replace(&mut seen[value.index()], true) {
            continue;
        }
        let param = graph.params().iter().position(|param| *param == value);
        if param.and_then(|index| params.get(index)).is_some_and(is_owned) {
            return true;
        }
        // Only these ops pass values on as they are.
        if let Some(op) = graph.def(value)
            && matches!(op.kind, ir::OpKind::If | ir::OpKind::While)
        {
            pending.extend(&op.operands);
            pending.extend(op.regions.iter().flat_map(|region| &graph.region(*region).results));
        }
    }
    false
}

fn is_owned(ty: &Ty) -> bool {
    matches!(ty, Ty::Tensor(_))
}

/// The emission of a function that is a graph. The builder stands in the entry block.
pub(crate) struct RaisedEmitter<'a, 'f, 'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) target: Target<'db>,
    pub(crate) builder: &'a mut FunctionBuilder<'f>,
    pub(crate) unit: &'a mut Unit<'db>,
    /// The parameters of the machine function.
    pub(crate) params: Vec<Value>,
}

impl<'db> RaisedEmitter<'_, '_, 'db> {
    /// The types of the parameters, the receiver first.
    fn types(&self) -> Vec<Ty> {
        self.target.instance.parameters(self.db)
    }

    fn inputs(&mut self) -> Vec<Input> {
        let types = self.types();
        let given = types.iter().zip(&self.params);
        given.map(|(ty, value)| input(self.builder, ty, *value)).collect()
    }

    fn emit(
        &mut self,
        piece: &Piece,
        sites: &[Site<'db>],
        inputs: &[Input],
        results: &[Option<Value>],
        history: Option<Value>,
    ) -> Result<Vec<Option<Value>>, CompileError> {
        let Some(default) = self.default_site(sites) else {
            let name = self.target.name(self.db);
            return Err(CompileError::input(&name, "its body is missing"));
        };
        let mut imports = GraphImports { unit: self.unit, sites, default };
        Ok(piece.emit_with_history(self.builder, &mut imports, inputs, results, history))
    }

    /// What stands for an op without a location: the body of the function.
    fn default_site(&self, sites: &[Site<'db>]) -> Option<Site<'db>> {
        let root = neuro_hir::body(self.db, self.target.function(self.db)).root;
        let function = self.target.function(self.db);
        root.map(|expr| Site { function, expr }).or_else(|| sites.first().copied())
    }

    /// `(arguments) -> result`. Drops what was passed by value. Gives the bytes of its workspace, as do the
    /// others.
    pub(crate) fn plain(&mut self, raised: &Raised<'db>) -> Result<u64, CompileError> {
        let piece = Piece::new(&ir::simplify(&raised.graph));
        let inputs = self.inputs();
        let given = self.target.instance.result(self.db);
        let result = match given.as_tensor() {
            Some(tensor) => {
                let handle =
                    block::allocate(self.builder, self.unit, None, block::bytes_of(tensor));
                let address = elements(self.builder, handle);
                self.emit(&piece, &raised.sites, &inputs, &[Some(address)], None)?;
                Some(handle)
            }
            None => {
                let results = self.emit(&piece, &raised.sites, &inputs, &[None], None)?;
                results.first().copied().flatten()
            }
        };
        let params = self.params.clone();
        for (ty, value) in self.types().iter().zip(params) {
            if is_owned(ty) {
                block::release(self.builder, self.unit, value);
            }
        }
        self.builder.ins().return_(result.as_slice());
        Ok(piece.workspace_bytes())
    }

    /// `(arguments, where the residuals' address is put) -> loss`.
    pub(crate) fn forward(&mut self, derivative: &Derivative<'db>) -> Result<u64, CompileError> {
        let piece = Piece::new(&ir::simplify(&derivative.sweeps.forward));
        let layout = ResidualLayout::new(derivative);
        let inputs = self.inputs();
        let loss_bytes = piece.results().first().map_or(0, ir::Type::bytes) as u64;
        let loss = block::allocate(self.builder, self.unit, None, loss_bytes);
        let block = match layout.bytes() {
            0 => self.builder.ins().iconst(I64, 0),
            bytes => {
                let bytes = self.builder.ins().iconst(I64, bytes as i64);
                let new = match layout.history {
                    true => rt::RESIDUALS_NEW_WITH_HISTORY,
                    false => rt::RESIDUALS_NEW,
                };
                self.unit.call_value(self.builder, new, &[bytes], I64)
            }
        };
        let mut results = vec![Some(elements(self.builder, loss))];
        results.extend(layout.addresses(self.builder, block).into_iter().map(Some));
        self.emit(&piece, &derivative.sites, &inputs, &results, layout.history(block))?;
        if let Some(out) = self.params.last().copied() {
            self.builder.ins().store(trusted(), block, out, 0);
        }
        self.builder.ins().return_(&[loss]);
        Ok(piece.workspace_bytes() + layout.bytes())
    }

    /// `(arguments, residuals)`.
    pub(crate) fn reverse(&mut self, derivative: &Derivative<'db>) -> Result<u64, CompileError> {
        let piece = Piece::new(&ir::simplify(&derivative.sweeps.reverse));
        let layout = ResidualLayout::new(derivative);
        let mut inputs = self.inputs();
        let mut history = None;
        if let Some(block) = self.params.last().copied() {
            history = layout.history(block);
            let residuals = layout.addresses(self.builder, block);
            inputs.extend(residuals.into_iter().map(Input::Elements));
        }
        let mut results = Vec::with_capacity(derivative.spec.params().len());
        for index in &derivative.spec.params() {
            // The parameter is a reference: its value is the address of the place of the handle.
            let Some(place) = self.params.get(*index).copied() else { continue };
            let handle = self.builder.ins().load(I64, trusted(), place, 0);
            let gradient = self.unit.call_value(self.builder, rt::GRADIENT_FILL, &[handle], I64);
            results.push(Some(elements(self.builder, gradient)));
        }
        self.emit(&piece, &derivative.sites, &inputs, &results, history)?;
        self.builder.ins().return_(&[]);
        Ok(piece.workspace_bytes())
    }
}
