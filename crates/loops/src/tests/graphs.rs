//! Generated graphs: each gene picks an op and values that are there already.

use neuro_ir::{Dense, Dims, Function, FunctionBuilder, Loc, OpKind, Tensor, Type, ValueId};
use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};
use proptest::prelude::*;

pub(crate) type Gene = [u16; 4];

/// Genes of a graph.
pub(crate) fn genes() -> impl Strategy<Value = Vec<Gene>> {
    proptest::collection::vec(any::<Gene>(), 1..24)
}

/// Tensors above this many elements are not made.
const LIMIT: usize = 600;

/// The graph of these genes. The first one decides the element type and the overflow.
pub(crate) fn function(genes: &[Gene]) -> Function {
    let (first, rest) = genes.split_first().unwrap();
    let dtypes = [DType::F32, DType::F64, DType::F32, DType::I32, DType::U8, DType::I64];
    let dtype = dtypes[first[0] as usize % dtypes.len()];
    let mut graph = Graph {
        builder: FunctionBuilder::new("generated"),
        values: Vec::new(),
        overflow: if first[1].is_multiple_of(2) { Overflow::Trap } else { Overflow::Wrap },
        locs: 0,
    };
    for (name, dims) in [
        ("a", &[2, 3][..]),
        ("b", &[3]),
        ("c", &[3, 2]),
        ("d", &[1, 3]),
        ("e", &[]),
        ("m", &[4, 4]),
    ] {
        let ty = Type::new(dtype, dims.iter().copied());
        let value = graph.builder.param(name, ty);
        graph.values.push(value);
    }
    let position = graph.builder.param("i", Type::scalar(DType::I64));
    graph.values.push(position);
    rest.iter().for_each(|gene| _ = graph.op(*gene));
    let count = graph.values.len();
    let pick = |number: u16| graph.values[count - 1 - number as usize % count.min(9)];
    let results = [pick(first[2]), pick(first[3]), pick(first[0]), graph.values[count - 1]];
    graph.builder.finish(results)
}

/// Inputs that suit the graph: small numbers, now and then great ones.
pub(crate) fn inputs(function: &Function, genes: &[Gene]) -> Vec<Tensor> {
    let mut state = genes.iter().flatten().fold(17u64, |state, gene| {
        state.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(*gene))
    });
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64
    };
    let great = genes[0][2].is_multiple_of(4);
    function
        .params()
        .iter()
        .map(|param| {
            let ty = function.ty(*param).clone();
            let data = (0..ty.elements())
                .map(|_| {
                    let number = next();
                    match ty.dtype {
                        DType::F32 | DType::F64 => {
                            Scalar::float(ty.dtype, (number % 4001 - 2000) as f64 / 999.0).unwrap()
                        }
                        DType::I64 if ty.rank() == 0 => Scalar::wrap(ty.dtype, (number % 4).into()),
                        dtype if great && number % 5 == 0 => Scalar::wrap(dtype, number.into()),
                        dtype => Scalar::wrap(dtype, (number % 7 - 1).into()),
                    }
                })
                .collect();
            Tensor::new(ty, data).unwrap()
        })
        .collect()
}

struct Graph {
    builder: FunctionBuilder,
    values: Vec<ValueId>,
    overflow: Overflow,
    locs: u32,
}

impl Graph {
    fn loc(&mut self) -> Option<Loc> {
        self.locs += 1;
        Some(Loc(self.locs))
    }

    fn ty(&self, value: ValueId) -> Type {
        self.builder.ty(value).clone()
    }

    fn any(&self, gene: u16) -> ValueId {
        let count = self.values.len();
        // Late values are picked more often, so that chains grow.
        let number = if gene.is_multiple_of(3) {
            gene as usize / 3
        } else {
            count - 1 - gene as usize / 3 % count.min(4)
        };
        self.values[number % count]
    }

    /// A value with the type of `like`; `like` itself if there is no other.
    fn alike(&self, like: ValueId, gene: u16) -> ValueId {
        let ty = self.builder.ty(like);
        let same: Vec<ValueId> =
            self.values.iter().copied().filter(|value| self.builder.ty(*value) == ty).collect();
        same[gene as usize % same.len()]
    }

    fn scalar(&self, gene: u16) -> ValueId {
        let found: Vec<ValueId> = self
            .values
            .iter()
            .copied()
            .filter(|value| self.builder.ty(*value).rank() == 0)
            .collect();
        found[gene as usize % found.len()]
    }

    /// A scalar integer.
    fn position(&mut self, gene: u16) -> ValueId {
        match gene % 3 {
            0 => self.builder.constant(Scalar::wrap(DType::I32, i128::from(gene / 3 % 3))),
            1 => self.builder.constant(Scalar::wrap(DType::U8, i128::from(gene / 3 % 2))),
            _ => self.builder.params_position(),
        }
    }

    fn op(&mut self, gene: Gene) -> Option<()> {
        let [which, first, second, third] = gene;
        let a = self.any(first);
        let ty = self.ty(a);
        let loc = self.loc();
        let value = match which % 19 {
            0 => {
                let op =
                    if ty.dtype.is_float() { UnOp::Neg } else { UnOp::ALL[second as usize % 2] };
                let op = if ty.dtype == DType::Bool { UnOp::Not } else { op };
                self.builder.unary(op, self.overflow, a, loc).ok()?
            }
            1..=3 => {
                let b = self.alike(a, second);
                let op = BinOp::ALL[third as usize % BinOp::ALL.len()];
                let op = if ty.dtype.is_float() && op == BinOp::Rem { BinOp::Mul } else { op };
                self.builder.binary(op, self.overflow, a, b, loc).ok()?
            }
            4 => {
                let functions: Vec<MathFn> = MathFn::all().collect();
                let function = functions[second as usize % functions.len()];
                let b = self.alike(a, third);
                self.builder.math(function, &[a, b][..function.arity()], loc).ok()?
            }
            5 => {
                let b = self.alike(a, second);
                let mask = self.builder.compare(CmpOp::ALL[third as usize % 6], a, b, loc).ok()?;
                let whole =
                    self.builder.compare(CmpOp::Lt, self.scalar(third), self.scalar(third), loc);
                let mask = if third.is_multiple_of(5) { whole.ok()? } else { mask };
                self.builder.select(mask, a, b, loc).ok()?
            }
            6 => {
                let dtypes = [DType::F32, DType::F64, DType::I32, DType::U8];
                self.builder.convert(a, dtypes[second as usize % 4], loc).ok()?
            }
            7 | 8 => self.stretch(a, &ty, second, third)?,
            9 => {
                let mut perm: Vec<usize> = (0..ty.rank()).collect();
                perm.reverse();
                if ty.rank() > 2 && second.is_multiple_of(2) {
                    perm.swap(0, 1);
                }
                self.builder.transpose(a, &perm, loc).ok()?
            }
            10 => {
                let count = ty.elements();
                let dims: Vec<usize> = match second % 5 {
                    0 => vec![count],
                    1 if count.is_multiple_of(2) => vec![2, count / 2],
                    2 if count == 1 => vec![],
                    3 if count.is_multiple_of(3) => vec![count / 3, 1, 3],
                    _ => ty.dims.iter().copied().chain([1]).collect(),
                };
                self.builder.reshape(a, &dims, loc).ok()?
            }
            11 => {
                let axes: Vec<usize> =
                    (0..ty.rank()).filter(|axis| (second >> axis) & 1 == 1).collect();
                let kind = OpKind::Sum { axes: axes.into(), overflow: self.overflow };
                self.builder.op(kind, &[a], loc).ok()?
            }
            12 => self.product(a, &ty, second, third)?,
            13 => {
                let positions: Vec<ValueId> = (0..ty.rank())
                    .map(|axis| self.position(second.rotate_left(axis as u32)))
                    .collect();
                if second.is_multiple_of(3) {
                    let value = self.builder.element(a, &positions, loc).ok()?;
                    let from = self.alike(a, third);
                    let kind = OpKind::Update { add: second.is_multiple_of(2) };
                    let operands: Vec<ValueId> =
                        [from, value].into_iter().chain(positions).collect();
                    self.builder.op(kind, &operands, loc).ok()?
                } else {
                    self.builder.element(a, &positions, loc).ok()?
                }
            }
            14 => {
                let dims: &[usize] = [&[3][..], &[2, 3], &[3, 2]][second as usize % 3];
                let positions: Vec<ValueId> =
                    dims.iter().map(|extent| self.position(third / *extent as u16)).collect();
                let value = self.scalar(first);
                self.builder.scatter(value, &positions, dims, loc).ok()?
            }
            15 => {
                let one = self.scalar(first);
                let other = self.alike(one, second);
                self.builder.pack(&[one, other, one], &[3], loc).ok()?
            }
            16 => self.branch(a, second, third)?,
            17 => self.builder.op(OpKind::Detach, &[a], loc).ok()?,
            _ => self.repetition(a, second, third)?,
        };
        if self.builder.ty(value).elements() <= LIMIT {
            self.values.push(value);
        }
        Some(())
    }

    fn stretch(&mut self, a: ValueId, ty: &Type, second: u16, third: u16) -> Option<ValueId> {
        let mut dims: Dims =
            ty.dims.iter().map(|extent| if *extent == 1 { 3 } else { *extent }).collect();
        let axes: Vec<usize> = if second.is_multiple_of(2) {
            dims.insert(0, usize::from(third % 3) + 1);
            (1..dims.len()).collect()
        } else {
            dims.push(2);
            (0..dims.len() - 1).collect()
        };
        if third.is_multiple_of(7) {
            let data: Vec<Scalar> =
                (0..ty.elements()).map(|number| Scalar::wrap(ty.dtype, number as i128)).collect();
            return Some(self.builder.dense(Dense::new(ty.clone(), data)?));
        }
        self.builder.broadcast(a, &dims, &axes, None).ok()
    }

    fn product(&mut self, a: ValueId, ty: &Type, second: u16, third: u16) -> Option<ValueId> {
        if ty.rank() != 2 {
            return None;
        }
        let loc = self.loc();
        let other = self.any(third);
        let flag = |bit: u16| (second >> bit) & 1 == 1;
        let kind = |transpose_lhs, transpose_rhs| OpKind::MatMul {
            transpose_lhs,
            transpose_rhs,
            overflow: Overflow::Trap,
        };
        let direct = self.builder.op(kind(flag(0), flag(1)), &[a, other], loc);
        match direct {
            Ok(value) => Some(value),
            Err(_) => self.builder.op(kind(flag(0), !flag(0)), &[a, a], loc).ok(),
        }
    }

    fn branch(&mut self, a: ValueId, second: u16, third: u16) -> Option<ValueId> {
        let loc = self.loc();
        let b = self.alike(a, third);
        let (left, right) = (self.builder.params_position(), self.scalar_position(second));
        let condition = self.builder.compare(CmpOp::Lt, left, right, None).ok()?;
        self.builder.begin_region(&[]);
        let then = self.builder.binary(BinOp::Add, self.overflow, a, b, loc);
        let then = then.unwrap_or(b);
        let unused = self.builder.end_region([then, b]);
        self.builder.begin_region(&[]);
        let other = self.builder.convert(b, DType::F64, None).ok()?;
        let back = self.builder.convert(other, self.builder.ty(b).dtype, None).ok()?;
        let otherwise = self.builder.end_region([a, back]);
        let op = self.builder.control(OpKind::If, &[condition], &[unused, otherwise], None).ok()?;
        let results = self.builder.results(op).to_vec();
        self.values.push(results[1]);
        Some(results[0])
    }

    fn scalar_position(&mut self, gene: u16) -> ValueId {
        self.builder.constant(Scalar::wrap(DType::I64, i128::from(gene % 5)))
    }

    /// Two tensors that change places and grow, and a counter.
    fn repetition(&mut self, a: ValueId, second: u16, third: u16) -> Option<ValueId> {
        let loc = self.loc();
        let b = self.alike(a, second);
        let ty = self.ty(a);
        let count = self.scalar_position(third);
        let types = [Type::scalar(DType::I64), ty.clone(), ty];
        let carried = self.builder.begin_region(&types);
        let zero = self.builder.constant(Scalar::wrap(DType::I64, 0));
        let test = self.builder.compare(CmpOp::Gt, carried[0], zero, None).ok()?;
        let condition = self.builder.end_region([test]);
        let carried = self.builder.begin_region(&types);
        let one = self.builder.constant(Scalar::one(DType::I64));
        let next = self.builder.sub(carried[0], one, None).ok()?;
        let grown = self.builder.binary(BinOp::Add, self.overflow, carried[1], a, loc);
        let grown = grown.unwrap_or(carried[1]);
        let kept = if third.is_multiple_of(2) { grown } else { carried[1] };
        let (first, last) = match second % 7 {
            0 => (carried[2], kept),
            1 => (kept, carried[2]),
            2 => (self.changed(carried[1], next, kept)?, carried[2]),
            3 => (self.changed(grown, next, carried[2])?, self.changed(carried[2], next, a)?),
            4 => (self.sometimes_changed(carried[1], next)?, grown),
            _ => {
                let once = self.sometimes_changed(carried[1], next)?;
                let later = if third.is_multiple_of(3) { carried[2] } else { once };
                (self.sometimes_changed(once, next)?, later)
            }
        };
        let body = self.builder.end_region([next, first, last]);
        let op =
            self.builder.control(OpKind::While, &[count, a, b], &[condition, body], None).ok()?;
        let results = self.builder.results(op).to_vec();
        self.values.push(results[1]);
        Some(results[2])
    }

    /// A tensor with two elements changed, one of them to an element of another.
    fn changed(&mut self, a: ValueId, at: ValueId, other: ValueId) -> Option<ValueId> {
        let zero = self.builder.constant(Scalar::wrap(DType::I64, 0));
        let rank = self.ty(a).rank();
        let first: Vec<ValueId> = vec![zero; rank];
        let moved: Vec<ValueId> = (0..rank).map(|axis| if axis == 0 { at } else { zero }).collect();
        let loc = self.loc();
        let element = self.builder.element(other, &first, loc).ok()?;
        let once = self.builder.update(a, element, &moved, loc).ok()?;
        self.builder.accumulate(once, element, &moved, loc).ok()
    }

    /// A tensor with elements changed in one of two branches.
    fn sometimes_changed(&mut self, a: ValueId, at: ValueId) -> Option<ValueId> {
        let one = self.builder.constant(Scalar::one(DType::I64));
        let condition = self.builder.compare(CmpOp::Gt, at, one, None).ok()?;
        self.builder.begin_region(&[]);
        let changed = self.changed(a, at, a)?;
        let then = self.builder.end_region([changed]);
        self.builder.begin_region(&[]);
        let otherwise = self.builder.end_region([a]);
        let op = self.builder.control(OpKind::If, &[condition], &[then, otherwise], None).ok()?;
        self.builder.results(op).first().copied()
    }
}

/// The parameter that positions are taken from.
trait Positions {
    fn params_position(&self) -> ValueId;
}

impl Positions for FunctionBuilder {
    fn params_position(&self) -> ValueId {
        *self.so_far().params().last().unwrap()
    }
}
