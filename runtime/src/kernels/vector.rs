//! Vector registers, and the products that use the widest of them.

use neuro_num::MatMulShape;

use super::Float;

/// A register of several elements. No operation fuses or reorders.
///
/// # Safety
/// Every method needs a machine that has the instructions.
pub(super) trait Vector<T>: Copy {
    /// Its elements.
    const LANES: usize;
    /// The same element in every lane.
    unsafe fn splat(value: T) -> Self;
    /// Elements from memory, at any address.
    unsafe fn load(from: *const T) -> Self;
    /// Elements to memory, at any address.
    unsafe fn store(self, to: *mut T);
    /// Sums, each rounded.
    unsafe fn add(self, other: Self) -> Self;
    /// Products, each rounded.
    unsafe fn mul(self, other: Self) -> Self;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64 as arch;

    use neuro_num::MatMulShape;

    use super::super::packed::packed;
    use super::Vector;

    /// The instructions of one kind of register.
    macro_rules! vector {
        ($register:ident, $float:ty, $lanes:literal, $splat:ident, $load:ident, $store:ident, $add:ident, $mul:ident) => {
            impl Vector<$float> for arch::$register {
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn splat(value: $float) -> Self {
                    // SAFETY: the caller promises the instructions.
                    unsafe { arch::$splat(value) }
                }
                #[inline(always)]
                unsafe fn load(from: *const $float) -> Self {
                    // SAFETY: the caller promises the instructions and the memory.
                    unsafe { arch::$load(from) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $float) {
                    // SAFETY: the caller promises the instructions and the memory.
                    unsafe { arch::$store(to, self) }
                }
                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    // SAFETY: the caller promises the instructions.
                    unsafe { arch::$add(self, other) }
                }
                #[inline(always)]
                unsafe fn mul(self, other: Self) -> Self {
                    // SAFETY: the caller promises the instructions.
                    unsafe { arch::$mul(self, other) }
                }
            }
        };
    }
    vector!(
        __m512,
        f32,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_add_ps,
        _mm512_mul_ps
    );
    vector!(
        __m512d,
        f64,
        8,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_add_pd,
        _mm512_mul_pd
    );
    vector!(
        __m256,
        f32,
        8,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_mul_ps
    );
    vector!(
        __m256d,
        f64,
        4,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_add_pd,
        _mm256_mul_pd
    );

    #[target_feature(enable = "avx512f")]
    pub(super) fn avx512_f32(c: &mut [f32], a: &[f32], b: &[f32], shape: MatMulShape) {
        // SAFETY: this function has the instructions, and slices of the shape.
        unsafe { packed::<f32, arch::__m512, 8>(c, a, b, shape) }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn avx512_f64(c: &mut [f64], a: &[f64], b: &[f64], shape: MatMulShape) {
        // SAFETY: as above.
        unsafe { packed::<f64, arch::__m512d, 8>(c, a, b, shape) }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2_f32(c: &mut [f32], a: &[f32], b: &[f32], shape: MatMulShape) {
        // SAFETY: as above.
        unsafe { packed::<f32, arch::__m256, 6>(c, a, b, shape) }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2_f64(c: &mut [f64], a: &[f64], b: &[f64], shape: MatMulShape) {
        // SAFETY: as above.
        unsafe { packed::<f64, arch::__m256d, 6>(c, a, b, shape) }
    }
}

impl Float for f32 {
    #[cfg(target_arch = "x86_64")]
    fn with_vectors(c: &mut [f32], a: &[f32], b: &[f32], shape: MatMulShape) -> bool {
        if shape.columns > 16 && is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has the instructions.
            unsafe { x86::avx512_f32(c, a, b, shape) }
        } else if shape.columns > 4 && is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions.
            unsafe { x86::avx2_f32(c, a, b, shape) }
        } else {
            return false;
        }
        true
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn with_vectors(_: &mut [f32], _: &[f32], _: &[f32], _: MatMulShape) -> bool {
        false
    }
}

impl Float for f64 {
    #[cfg(target_arch = "x86_64")]
    fn with_vectors(c: &mut [f64], a: &[f64], b: &[f64], shape: MatMulShape) -> bool {
        if shape.columns > 8 && is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has the instructions.
            unsafe { x86::avx512_f64(c, a, b, shape) }
        } else if shape.columns > 2 && is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions.
            unsafe { x86::avx2_f64(c, a, b, shape) }
        } else {
            return false;
        }
        true
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn with_vectors(_: &mut [f64], _: &[f64], _: &[f64], _: MatMulShape) -> bool {
        false
    }
}
