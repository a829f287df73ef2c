//! Sums of long runs: as many sums side by side as the language says, in memory, added up at the end.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types::I64};
use neuro_loops::Reg;
use neuro_num::{DType, FOLD_LANES, Scalar};
use smallvec::smallvec;

use super::nest::{Mode, NestEmitter, Values};
use super::vector::vector_type;
use super::walk;
use crate::scalar;

impl NestEmitter<'_, '_, '_> {
    /// The sum of a long run in the memory at `lanes`.
    pub(super) fn run_in_lanes(&mut self, lanes: Value, value: Reg) -> Value {
        let dtype = self.emitter.program.dtype(value);
        let size = dtype.size() as u64;
        self.clear_lanes(lanes, dtype);
        let loops = self.nest.extents.len();
        if self.outer + 1 == loops {
            self.chunks(lanes, value);
        } else {
            let first = self.emitter.builder.ins().iconst(I64, 0);
            self.turns(self.outer, smallvec![first], lanes, value);
        }
        // The lanes in order.
        let zero = smallvec![scalar::constant(self.emitter.builder, Scalar::zero(dtype))];
        let start = self.emitter.builder.ins().iconst(I64, 0);
        let end = FOLD_LANES as u64 * size;
        let sum = self.repeat(start, (end, size), zero, |this, offset, sum: Values| {
            let lane = this.load_lane(lanes, offset, dtype);
            smallvec![this.emitter.builder.ins().fadd(sum[0], lane)]
        });
        sum[0]
    }

    fn clear_lanes(&mut self, lanes: Value, dtype: DType) {
        let start = self.emitter.builder.ins().iconst(I64, 0);
        let end = (FOLD_LANES * dtype.size()) as u64;
        self.repeat(start, (end, 16), Values::new(), |this, offset, _| {
            let builder = &mut this.emitter.builder;
            let address = builder.ins().iadd(lanes, offset);
            let zero = scalar::constant(builder, Scalar::zero(dtype));
            let zero = builder.ins().splat(vector_type(dtype).0, zero);
            builder.ins().store(MemFlagsData::trusted(), zero, address, 0);
            Values::new()
        });
    }

    fn load_lane(&mut self, lanes: Value, offset: Value, dtype: DType) -> Value {
        let builder = &mut self.emitter.builder;
        let address = builder.ins().iadd(lanes, offset);
        let ty = scalar::register_type(dtype);
        builder.ins().load(ty, MemFlagsData::trusted(), address, 0)
    }

    /// A run of one loop: chunks as long as there are lanes, and the rest.
    fn chunks(&mut self, lanes: Value, value: Reg) {
        let number = self.outer;
        let extent = self.nest.extents[number];
        let width = FOLD_LANES as u64;
        let whole = extent - extent % width;
        let start = self.emitter.builder.ins().iconst(I64, 0);
        self.repeat(start, (whole, width), Values::new(), |this, base, _| {
            this.chunk(base, width, lanes, value);
            Values::new()
        });
        if extent > whole {
            let base = self.emitter.builder.ins().iconst(I64, whole as i64);
            self.chunk(base, extent - whole, lanes, value);
        }
    }

    /// Adds `length` terms from `base` on, one to each lane.
    fn chunk(&mut self, base: Value, length: u64, lanes: Value, value: Reg) {
        let number = self.outer;
        let dtype = self.emitter.program.dtype(value);
        let outside: Vec<Value> = self.walks.iter().map(|walk| walk.current).collect();
        self.in_parts(number, length, |this, start, end, step| {
            let start = this.emitter.builder.ins().iconst(I64, start as i64);
            this.repeat(start, (end, step), Values::new(), |this, lane, _| {
                let counter = this.emitter.builder.ins().iadd(base, lane);
                this.enter(number, counter);
                let offset = walk::scaled(this.emitter.builder, lane, dtype.size() as i64);
                this.add_to_lane(lanes, offset, value);
                for (walk, current) in this.walks.iter_mut().zip(&outside) {
                    walk.current = *current;
                }
                Values::new()
            });
        });
    }

    fn add_to_lane(&mut self, lanes: Value, offset: Value, value: Reg) {
        let dtype = self.emitter.program.dtype(value);
        let address = self.emitter.builder.ins().iadd(lanes, offset);
        let sums: Values = match self.mode {
            Mode::Single => smallvec![self.load_lane(lanes, offset, dtype)],
            Mode::Vectors(count) => {
                (0..count).map(|number| self.load_vector(dtype, address, number)).collect()
            }
        };
        let terms = self.result(value);
        let sums: Values = sums
            .into_iter()
            .zip(terms)
            .map(|(sum, term)| self.emitter.builder.ins().fadd(sum, term))
            .collect();
        self.store(&sums, address);
    }

    /// A run of several loops from `number` on: `lane`, the offset of the next lane, goes around.
    fn turns(&mut self, number: usize, lane: Values, lanes: Value, value: Reg) -> Values {
        if number == self.nest.extents.len() {
            self.add_to_lane(lanes, lane[0], value);
            let size = self.emitter.program.dtype(value).size() as i64;
            let builder = &mut self.emitter.builder;
            let next = builder.ins().iadd_imm_s(lane[0], size);
            // The bytes of all lanes are a power of two.
            let around = builder.ins().band_imm_s(next, FOLD_LANES as i64 * size - 1);
            return smallvec![around];
        }
        let extent = self.nest.extents[number];
        self.counted(number, (0, extent, 1), lane, |this, lane| {
            this.turns(number + 1, lane, lanes, value)
        })
    }
}
