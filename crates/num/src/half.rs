//! Half precision: `f16` (IEEE 754 binary16) and `bf16` (the upper half of binary32), kept as their 16 bits.
//! Arithmetic widens to `f32`, computes there and rounds once.

/// How many bits of a format are exponent and fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    exponent: u32,
    fraction: u32,
}

/// IEEE 754 binary16.
pub(crate) const F16: Half = Half { exponent: 5, fraction: 10 };
/// The upper half of binary32.
pub(crate) const BF16: Half = Half { exponent: 8, fraction: 7 };

impl Half {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The code of infinity without its sign.
    fn infinity(self) -> u16 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The nearest value, ties to even; beyond the greatest one, infinity.
    pub(crate) fn round(self, value: f64) -> u16 {
        let sign = u16::from(value.is_sign_negative()) << 15;
        if value.is_nan() {
            return sign | self.infinity() | 1 << (self.fraction - 1);
        }
        if value.is_infinite() {
            return sign | self.infinity();
        }
        let magnitude = value.abs();
        let least = 1 - self.bias();
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(least);
        // In units of the last place the value is below 2^(fraction + 1), and scaling by a power of two is exact.
        let units = magnitude * power_of_two(self.fraction as i32 - exponent);
        let rounded = units.round_ties_even() as u32;
        // A fraction that is rounded up to the next power of two carries into the exponent.
        let code = if rounded >> self.fraction == 0 {
            rounded
        } else {
            (((exponent + self.bias()) as u32) << self.fraction) + rounded - (1 << self.fraction)
        };
        sign | u16::try_from(code).unwrap_or(u16::MAX).min(self.infinity())
    }

    /// The value of a code; every one is a value of `f32`, too.
    pub(crate) fn value(self, code: u16) -> f64 {
        let fraction = u32::from(code) & ((1 << self.fraction) - 1);
        let exponent = (u32::from(code) >> self.fraction) & ((1 << self.exponent) - 1);
        let magnitude = if exponent == (1 << self.exponent) - 1 {
            if fraction == 0 { f64::INFINITY } else { f64::NAN }
        } else {
            let normal = exponent > 0;
            let whole = if normal { fraction + (1 << self.fraction) } else { fraction };
            let power = exponent.max(1) as i32 - self.bias() - self.fraction as i32;
            f64::from(whole) * power_of_two(power)
        };
        if code >> 15 == 1 { -magnitude } else { magnitude }
    }
}

/// A power of two that is a normal number.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::{BF16, F16, Half};

    /// Every code keeps its value, and what lies between two neighbours goes to the nearer one, a tie to the
    /// even one.
    fn check(half: Half) {
        for code in 0..half.infinity() {
            let (value, next) = (half.value(code), half.value(code + 1));
            assert_eq!(half.round(value), code, "{value}");
            assert_eq!(half.round(-value), code | 1 << 15, "-{value}");
            if next.is_infinite() {
                continue;
            }
            let middle = value + (next - value) / 2.0;
            let even = if code % 2 == 0 { code } else { code + 1 };
            assert_eq!(half.round(middle), even, "{middle}");
            assert_eq!(half.round(middle.next_up()), code + 1, "above {middle}");
            assert_eq!(half.round(middle.next_down()), code, "below {middle}");
        }
        assert!(half.value(half.round(f64::NAN)).is_nan());
        assert_eq!(half.round(f64::INFINITY), half.infinity());
        assert_eq!(half.round(f64::MAX), half.infinity());
        assert_eq!(half.round(f64::from_bits(1)), 0);
    }

    #[test]
    fn half_precision_rounds_to_nearest_even() {
        check(F16);
        check(BF16);
        assert_eq!(F16.round(1.0), 0x3c00);
        assert_eq!(F16.value(0x7bff), 65504.0);
        assert_eq!(F16.round(65519.0), 0x7bff);
        assert_eq!(F16.round(65520.0), 0x7c00);
        assert_eq!(BF16.round(1.0), 0x3f80);
        assert_eq!(BF16.round(-2.5), 0xc020);
    }
}
