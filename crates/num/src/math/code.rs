//! The code of each function, under the name by which generated code calls it.

#[unsafe(export_name = "neuro_exp_f32")]
pub(super) extern "C" fn exp_f32(x: f32) -> f32 {
    libm::expf(x)
}
#[unsafe(export_name = "neuro_exp_f64")]
pub(super) extern "C" fn exp_f64(x: f64) -> f64 {
    libm::exp(x)
}
#[unsafe(export_name = "neuro_exp2_f32")]
pub(super) extern "C" fn exp2_f32(x: f32) -> f32 {
    libm::exp2f(x)
}
#[unsafe(export_name = "neuro_exp2_f64")]
pub(super) extern "C" fn exp2_f64(x: f64) -> f64 {
    libm::exp2(x)
}
#[unsafe(export_name = "neuro_expm1_f32")]
pub(super) extern "C" fn expm1_f32(x: f32) -> f32 {
    libm::expm1f(x)
}
#[unsafe(export_name = "neuro_expm1_f64")]
pub(super) extern "C" fn expm1_f64(x: f64) -> f64 {
    libm::expm1(x)
}
#[unsafe(export_name = "neuro_log_f32")]
pub(super) extern "C" fn log_f32(x: f32) -> f32 {
    libm::logf(x)
}
#[unsafe(export_name = "neuro_log_f64")]
pub(super) extern "C" fn log_f64(x: f64) -> f64 {
    libm::log(x)
}
#[unsafe(export_name = "neuro_log2_f32")]
pub(super) extern "C" fn log2_f32(x: f32) -> f32 {
    libm::log2f(x)
}
#[unsafe(export_name = "neuro_log2_f64")]
pub(super) extern "C" fn log2_f64(x: f64) -> f64 {
    libm::log2(x)
}
#[unsafe(export_name = "neuro_log1p_f32")]
pub(super) extern "C" fn log1p_f32(x: f32) -> f32 {
    libm::log1pf(x)
}
#[unsafe(export_name = "neuro_log1p_f64")]
pub(super) extern "C" fn log1p_f64(x: f64) -> f64 {
    libm::log1p(x)
}
#[unsafe(export_name = "neuro_sqrt_f32")]
pub(super) extern "C" fn sqrt_f32(x: f32) -> f32 {
    x.sqrt()
}
#[unsafe(export_name = "neuro_sqrt_f64")]
pub(super) extern "C" fn sqrt_f64(x: f64) -> f64 {
    x.sqrt()
}
#[unsafe(export_name = "neuro_sin_f32")]
pub(super) extern "C" fn sin_f32(x: f32) -> f32 {
    libm::sinf(x)
}
#[unsafe(export_name = "neuro_sin_f64")]
pub(super) extern "C" fn sin_f64(x: f64) -> f64 {
    libm::sin(x)
}
#[unsafe(export_name = "neuro_cos_f32")]
pub(super) extern "C" fn cos_f32(x: f32) -> f32 {
    libm::cosf(x)
}
#[unsafe(export_name = "neuro_cos_f64")]
pub(super) extern "C" fn cos_f64(x: f64) -> f64 {
    libm::cos(x)
}
#[unsafe(export_name = "neuro_tan_f32")]
pub(super) extern "C" fn tan_f32(x: f32) -> f32 {
    libm::tanf(x)
}
#[unsafe(export_name = "neuro_tan_f64")]
pub(super) extern "C" fn tan_f64(x: f64) -> f64 {
    libm::tan(x)
}
#[unsafe(export_name = "neuro_asin_f32")]
pub(super) extern "C" fn asin_f32(x: f32) -> f32 {
    libm::asinf(x)
}
#[unsafe(export_name = "neuro_asin_f64")]
pub(super) extern "C" fn asin_f64(x: f64) -> f64 {
    libm::asin(x)
}
#[unsafe(export_name = "neuro_acos_f32")]
pub(super) extern "C" fn acos_f32(x: f32) -> f32 {
    libm::acosf(x)
}
#[unsafe(export_name = "neuro_acos_f64")]
pub(super) extern "C" fn acos_f64(x: f64) -> f64 {
    libm::acos(x)
}
#[unsafe(export_name = "neuro_atan_f32")]
pub(super) extern "C" fn atan_f32(x: f32) -> f32 {
    libm::atanf(x)
}
#[unsafe(export_name = "neuro_atan_f64")]
pub(super) extern "C" fn atan_f64(x: f64) -> f64 {
    libm::atan(x)
}
#[unsafe(export_name = "neuro_sinh_f32")]
pub(super) extern "C" fn sinh_f32(x: f32) -> f32 {
    // In `f64`, since the algorithm for `f32` is more than one unit off.
    libm::sinh(f64::from(x)) as f32
}
#[unsafe(export_name = "neuro_sinh_f64")]
pub(super) extern "C" fn sinh_f64(x: f64) -> f64 {
    libm::sinh(x)
}
#[unsafe(export_name = "neuro_cosh_f32")]
pub(super) extern "C" fn cosh_f32(x: f32) -> f32 {
    // In `f64`, since the algorithm for `f32` is more than one unit off.
    libm::cosh(f64::from(x)) as f32
}
#[unsafe(export_name = "neuro_cosh_f64")]
pub(super) extern "C" fn cosh_f64(x: f64) -> f64 {
    libm::cosh(x)
}
#[unsafe(export_name = "neuro_tanh_f32")]
pub(super) extern "C" fn tanh_f32(x: f32) -> f32 {
    libm::tanhf(x)
}
#[unsafe(export_name = "neuro_tanh_f64")]
pub(super) extern "C" fn tanh_f64(x: f64) -> f64 {
    libm::tanh(x)
}
#[unsafe(export_name = "neuro_erf_f32")]
pub(super) extern "C" fn erf_f32(x: f32) -> f32 {
    libm::erff(x)
}
#[unsafe(export_name = "neuro_erf_f64")]
pub(super) extern "C" fn erf_f64(x: f64) -> f64 {
    libm::erf(x)
}
#[unsafe(export_name = "neuro_abs_f32")]
pub(super) extern "C" fn abs_f32(x: f32) -> f32 {
    x.abs()
}
#[unsafe(export_name = "neuro_abs_f64")]
pub(super) extern "C" fn abs_f64(x: f64) -> f64 {
    x.abs()
}
#[unsafe(export_name = "neuro_floor_f32")]
pub(super) extern "C" fn floor_f32(x: f32) -> f32 {
    libm::floorf(x)
}
#[unsafe(export_name = "neuro_floor_f64")]
pub(super) extern "C" fn floor_f64(x: f64) -> f64 {
    libm::floor(x)
}
#[unsafe(export_name = "neuro_ceil_f32")]
pub(super) extern "C" fn ceil_f32(x: f32) -> f32 {
    libm::ceilf(x)
}
#[unsafe(export_name = "neuro_ceil_f64")]
pub(super) extern "C" fn ceil_f64(x: f64) -> f64 {
    libm::ceil(x)
}
#[unsafe(export_name = "neuro_round_f32")]
pub(super) extern "C" fn round_f32(x: f32) -> f32 {
    libm::roundf(x)
}
#[unsafe(export_name = "neuro_round_f64")]
pub(super) extern "C" fn round_f64(x: f64) -> f64 {
    libm::round(x)
}
#[unsafe(export_name = "neuro_trunc_f32")]
pub(super) extern "C" fn trunc_f32(x: f32) -> f32 {
    libm::truncf(x)
}
#[unsafe(export_name = "neuro_trunc_f64")]
pub(super) extern "C" fn trunc_f64(x: f64) -> f64 {
    libm::trunc(x)
}
#[unsafe(export_name = "neuro_atan2_f32")]
pub(super) extern "C" fn atan2_f32(y: f32, x: f32) -> f32 {
    // In `f64`, since the algorithm for `f32` is more than one unit off.
    libm::atan2(f64::from(y), f64::from(x)) as f32
}
#[unsafe(export_name = "neuro_atan2_f64")]
pub(super) extern "C" fn atan2_f64(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}
#[unsafe(export_name = "neuro_pow_f32")]
pub(super) extern "C" fn pow_f32(x: f32, p: f32) -> f32 {
    // The common small powers are one correctly rounded operation, so that folding them changes no bit.
    if p == 2.0 {
        x * x
    } else if p == 1.0 {
        x
    } else if p == -1.0 {
        1.0 / x
    } else {
        libm::powf(x, p)
    }
}
#[unsafe(export_name = "neuro_pow_f64")]
pub(super) extern "C" fn pow_f64(x: f64, p: f64) -> f64 {
    if p == 2.0 {
        x * x
    } else if p == 1.0 {
        x
    } else if p == -1.0 {
        1.0 / x
    } else {
        libm::pow(x, p)
    }
}
#[unsafe(export_name = "neuro_min_f32")]
pub(super) extern "C" fn min_f32(x: f32, p: f32) -> f32 {
    libm::fminf(x, p)
}
#[unsafe(export_name = "neuro_min_f64")]
pub(super) extern "C" fn min_f64(x: f64, p: f64) -> f64 {
    libm::fmin(x, p)
}
#[unsafe(export_name = "neuro_max_f32")]
pub(super) extern "C" fn max_f32(x: f32, p: f32) -> f32 {
    libm::fmaxf(x, p)
}
#[unsafe(export_name = "neuro_max_f64")]
pub(super) extern "C" fn max_f64(x: f64, p: f64) -> f64 {
    libm::fmax(x, p)
}
#[unsafe(export_name = "neuro_copysign_f32")]
pub(super) extern "C" fn copysign_f32(x: f32, p: f32) -> f32 {
    x.copysign(p)
}
#[unsafe(export_name = "neuro_copysign_f64")]
pub(super) extern "C" fn copysign_f64(x: f64, p: f64) -> f64 {
    x.copysign(p)
}
#[unsafe(export_name = "neuro_hypot_f32")]
pub(super) extern "C" fn hypot_f32(x: f32, p: f32) -> f32 {
    libm::hypotf(x, p)
}
#[unsafe(export_name = "neuro_hypot_f64")]
pub(super) extern "C" fn hypot_f64(x: f64, p: f64) -> f64 {
    libm::hypot(x, p)
}
