//! Runs a program on bytes, as compiled code would, and compares with the graph's evaluator.

use neuro_ir::{EvalError, Function, Loc, Tensor, Trap, Type, eval_limited};
use neuro_num::{ArithError, BinOp, FOLD_LANES, Scalar, binary, cast, compare, fold_sum, unary};

use crate::*;

type Run<T = ()> = Result<T, (Trap, Option<Loc>)>;

/// Checks that the program computes what the graph says.
pub(crate) fn check(function: &Function, inputs: &[Tensor]) {
    let program = lower(function);
    let expected = match eval_limited(function, inputs, 1000) {
        Ok(tensors) => Ok(tensors.iter().flat_map(|tensor| tensor.data().to_vec()).collect()),
        Err(EvalError::Trap { trap, loc }) => Err((trap, loc)),
        Err(error) => panic!("{error}"),
    };
    let found = run(function, &program, inputs);
    assert_eq!(found, expected, "{}\n{program}", function);
}

/// The elements of all results, one after the other.
fn run(function: &Function, program: &Program, inputs: &[Tensor]) -> Run<Vec<Scalar>> {
    let mut machine = Machine {
        program,
        registers: vec![None; program.registers.len()],
        buffers: program.buffers.iter().map(|b| vec![0xAA; b.bytes() as usize]).collect(),
        workspace: vec![0xAA; program.workspace_bytes as usize],
        history: Vec::new(),
        top: 0,
    };
    for (port, input) in program.params.iter().zip(inputs) {
        match port {
            Port::Scalar(reg) => machine.registers[reg.0 as usize] = input.item(),
            Port::Tensor(buffer) => {
                let bytes = input.data().iter().flat_map(|scalar| scalar.to_le_bytes());
                machine.buffers[buffer.0 as usize] = bytes.collect();
            }
        }
    }
    machine.steps(&program.steps)?;
    let mut elements = Vec::new();
    for (port, result) in program.results.iter().zip(function.results()) {
        let ty: &Type = function.ty(*result);
        match port {
            Port::Scalar(reg) => elements.push(machine.get(*reg)),
            Port::Tensor(buffer) => elements
                .extend((0..ty.elements()).map(|position| machine.load(*buffer, position as i64))),
        }
    }
    Ok(elements)
}

struct Machine<'p> {
    program: &'p Program,
    registers: Vec<Option<Scalar>>,
    buffers: Vec<Vec<u8>>,
    workspace: Vec<u8>,
    history: Vec<u8>,
    top: usize,
}

impl Machine<'_> {
    fn get(&self, reg: Reg) -> Scalar {
        self.registers[reg.0 as usize].expect("assigned before it is read")
    }

    fn set(&mut self, reg: Reg, value: Scalar) {
        assert_eq!(value.dtype(), self.program.dtype(reg));
        self.registers[reg.0 as usize] = Some(value);
    }

    fn load(&self, buffer: BufferId, position: i64) -> Scalar {
        let info = self.program.buffer(buffer);
        assert!((position as u64) < info.elements(), "{position} in {info}");
        let at = position as usize * info.dtype.size();
        let memory = match &info.kind {
            BufferKind::Workspace(offset) => &self.workspace[*offset as usize..],
            BufferKind::Const(bytes) => bytes,
            BufferKind::Frame { base, offset } => {
                &self.history[self.frame(*base) + *offset as usize..]
            }
            BufferKind::Param(_) | BufferKind::Result(_) => &self.buffers[buffer.0 as usize],
        };
        Scalar::from_le_bytes(info.dtype, &memory[at..]).unwrap()
    }

    fn store(&mut self, buffer: BufferId, position: i64, value: Scalar) {
        let info = self.program.buffer(buffer);
        assert!((position as u64) < info.elements(), "{position} in {info}");
        assert_eq!(info.dtype, value.dtype());
        let at = position as usize * info.dtype.size();
        let frame = match &info.kind {
            BufferKind::Frame { base, offset } => self.frame(*base) + *offset as usize,
            _ => 0,
        };
        let memory = match &info.kind {
            BufferKind::Frame { .. } => &mut self.history[frame..],
            BufferKind::Workspace(offset) => &mut self.workspace[*offset as usize..],
            BufferKind::Result(_) => &mut self.buffers[buffer.0 as usize],
            BufferKind::Param(_) | BufferKind::Const(_) => panic!("{info} is only read"),
        };
        memory[at..at + info.dtype.size()].copy_from_slice(&value.to_le_bytes());
    }

    fn frame(&self, base: Reg) -> usize {
        self.get(base).as_int().unwrap() as usize
    }

    fn store_at(&mut self, store: &StoreAt) -> Run {
        let mut position = 0;
        for (extent, reg) in store.dims.iter().zip(&store.positions) {
            match self.get(*reg).as_int() {
                Some(at) if (0..i128::from(*extent)).contains(&at) => {
                    position = position * *extent as i64 + at as i64;
                }
                _ if store.add => return Ok(()),
                _ => return Err((Trap::OutOfBounds, store.loc)),
            }
        }
        let mut value = self.get(store.value);
        if store.add {
            let old = self.load(store.buffer, position);
            value = binary(BinOp::Add, old, value, neuro_num::Overflow::Wrap).unwrap();
        }
        self.store(store.buffer, position, value);
        Ok(())
    }

    fn steps(&mut self, steps: &[Step]) -> Run {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Run {
        match step {
            Step::Scalar(inst) => self.inst(inst, &[])?,
            Step::Nest(nest) => self.nest(nest)?,
            Step::MatMul(product) => self.product(product),
            Step::Store { value, buffer, position } => {
                self.store(*buffer, *position as i64, self.get(*value));
            }
            Step::StoreAt(store) => self.store_at(store)?,
            Step::Push { base, bytes, .. } => {
                self.set(*base, Scalar::wrap(neuro_num::DType::U64, self.top as i128));
                self.top += *bytes as usize;
                // Moved, as a history that grows is.
                let mut grown = vec![0xAA; self.top];
                let kept = self.history.len().min(grown.len());
                grown[..kept].copy_from_slice(&self.history[..kept]);
                self.history = grown;
            }
            Step::Pop { base, bytes } => {
                self.top -= *bytes as usize;
                self.set(*base, Scalar::wrap(neuro_num::DType::U64, self.top as i128));
            }
            Step::Assert { condition, message, loc } => {
                if self.get(*condition).as_bool() != Some(true) {
                    return Err((Trap::Assert(message.clone()), *loc));
                }
            }
            Step::If { condition, then, otherwise, results } => {
                let taken = self.get(*condition).as_bool() == Some(true);
                let values = self.block(if taken { then } else { otherwise })?;
                results.iter().zip(values).for_each(|(reg, value)| self.set(*reg, value));
            }
            Step::While { carried, condition, body } => {
                let mut values: Vec<Scalar> =
                    carried.iter().map(|carried| self.get(carried.first)).collect();
                loop {
                    for (carried, value) in carried.iter().zip(&values) {
                        self.set(carried.current, *value);
                    }
                    if self.block(condition)?[0].as_bool() != Some(true) {
                        break;
                    }
                    values = self.block(body)?;
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Run<Vec<Scalar>> {
        self.steps(&block.steps)?;
        Ok(block.values.iter().map(|reg| self.get(*reg)).collect())
    }

    fn product(&mut self, product: &MatMul) {
        let at = |transposed: bool, row: u64, column: u64, rows: u64, columns: u64| {
            if transposed { column * rows + row } else { row * columns + column }
        };
        for row in 0..product.rows {
            for column in 0..product.columns {
                let dtype = self.program.buffer(product.out).dtype;
                let mut sum = Scalar::zero(dtype);
                for inner in 0..product.inner {
                    let lhs = at(product.transpose_lhs, row, inner, product.rows, product.inner);
                    let rhs =
                        at(product.transpose_rhs, inner, column, product.inner, product.columns);
                    let lhs = self.load(product.lhs, lhs as i64);
                    let rhs = self.load(product.rhs, rhs as i64);
                    let term = binary(BinOp::Mul, lhs, rhs, neuro_num::Overflow::Wrap).unwrap();
                    sum = binary(BinOp::Add, sum, term, neuro_num::Overflow::Wrap).unwrap();
                }
                self.store(product.out, (row * product.columns + column) as i64, sum);
            }
        }
    }

    fn nest(&mut self, nest: &Nest) -> Run {
        let Sink::Sum { value, run, order, checks, to } = &nest.sink else {
            return self.iterate(&nest.extents, &mut Vec::new(), &mut |this, counters| {
                this.body(nest, counters)?;
                let Sink::Store { value, to } = &nest.sink else { unreachable!() };
                this.store(to.buffer, at(&to.index, counters), this.get(*value));
                Ok(())
            });
        };
        let (kept, inner) = nest.extents.split_at(nest.extents.len() - run);
        self.iterate(kept, &mut Vec::new(), &mut |this, outer| {
            let mut terms = Vec::new();
            this.iterate(inner, &mut outer.to_vec(), &mut |this, counters| {
                this.body(nest, counters)?;
                terms.push(this.get(*value));
                Ok(())
            })?;
            let dtype = this.program.dtype(*value);
            let add = |sum: Scalar, term: &Scalar| {
                let fault = |error: ArithError| (Trap::from(error), checks.loc);
                binary(BinOp::Add, sum, *term, checks.overflow).map_err(fault)
            };
            let zero = Scalar::zero(dtype);
            let sum = match order {
                SumOrder::Sequential => terms.iter().try_fold(zero, add),
                SumOrder::Lanes { lanes } => {
                    assert!(terms.len() > FOLD_LANES);
                    (0..FOLD_LANES).for_each(|lane| this.store(*lanes, lane as i64, zero));
                    Ok(in_lanes(&terms))
                }
            }?;
            match to {
                SumPlace::Scalar(reg) => this.set(*reg, sum),
                SumPlace::Element(access) => {
                    let mut counters = outer.to_vec();
                    counters.resize(nest.extents.len(), 0);
                    this.store(access.buffer, at(&access.index, &counters), sum);
                }
            }
            Ok(())
        })
    }

    fn iterate(
        &mut self,
        extents: &[u64],
        counters: &mut Vec<i64>,
        f: &mut dyn FnMut(&mut Self, &[i64]) -> Run,
    ) -> Run {
        let Some((first, rest)) = extents.split_first() else { return f(self, counters) };
        for counter in 0..*first {
            counters.push(counter as i64);
            self.iterate(rest, counters, f)?;
            counters.pop();
        }
        Ok(())
    }

    fn body(&mut self, nest: &Nest, counters: &[i64]) -> Run {
        nest.body.iter().try_for_each(|inst| self.inst(inst, counters))
    }

    fn inst(&mut self, inst: &Inst, counters: &[i64]) -> Run {
        let dtype = self.program.dtype(inst.dest);
        let fault = |loc: Option<Loc>| move |error: ArithError| (Trap::from(error), loc);
        let value = match &inst.op {
            Op::Const(value) => *value,
            Op::Math(function, operands) => {
                let operands: Vec<Scalar> = operands.iter().map(|reg| self.get(*reg)).collect();
                function.eval(&operands).unwrap()
            }
            Op::Unary { op, operand, checks } => {
                unary(*op, self.get(*operand), checks.overflow).map_err(fault(checks.loc))?
            }
            Op::Binary { op, lhs, rhs, checks } => {
                let (lhs, rhs) = (self.get(*lhs), self.get(*rhs));
                binary(*op, lhs, rhs, checks.overflow).map_err(fault(checks.loc))?
            }
            Op::Compare { op, lhs, rhs } => {
                Scalar::bool(compare(*op, self.get(*lhs), self.get(*rhs)).unwrap())
            }
            Op::Select { condition, then, otherwise } => {
                let condition = self.get(*condition).as_bool() == Some(true);
                self.get(if condition { *then } else { *otherwise })
            }
            Op::Convert(operand) => cast(self.get(*operand), dtype),
            Op::Load(access) => self.load(access.buffer, at(&access.index, counters)),
            Op::AtPosition(axes) => Scalar::bool(axes.iter().all(|(index, reg)| {
                self.get(*reg).as_int() == Some(i128::from(at(index, counters)))
            })),
            Op::Element { buffer, dims, positions, loc } => {
                let mut position = 0;
                for (extent, reg) in dims.iter().zip(positions) {
                    let along = self.get(*reg).as_int().unwrap();
                    if along < 0 || along >= i128::from(*extent) {
                        return Err((Trap::OutOfBounds, *loc));
                    }
                    position = position * *extent as i64 + along as i64;
                }
                self.load(*buffer, position)
            }
        };
        self.set(inst.dest, value);
        Ok(())
    }
}

fn at(index: &Index, counters: &[i64]) -> i64 {
    assert_eq!(index.strides.len(), counters.len());
    index.offset
        + index.strides.iter().zip(counters).map(|(stride, counter)| stride * counter).sum::<i64>()
}

fn in_lanes(terms: &[Scalar]) -> Scalar {
    let bits = |position: usize| terms[position].bits();
    match terms[0].dtype() {
        neuro_num::DType::F32 => {
            Scalar::f32(fold_sum(0.0, terms.len(), |at| f32::from_bits(bits(at) as u32)))
        }
        _ => Scalar::f64(fold_sum(0.0, terms.len(), |at| f64::from_bits(bits(at)))),
    }
}
