//! The values of explicit padding, for every element type, against what its name defines.

use half::{bf16, f16};
use layout::ElementType;
use layout::shape::Fill;

/// What the bits of an element stand for. Complex numbers are not ordered, and their real part decides.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Integer(i128),
    Float(f64),
}

/// The value of the bits, by the name of the type alone. `None` if they are not a number.
fn value(element: ElementType, bits: u128) -> Option<Value> {
    let name = element.name();
    let width = element.bits() as u32;
    if let Some(float) = small_float(name) {
        return float.value(bits as u32).map(Value::Float);
    }
    let float = match name {
        "f16" => f16::from_bits(bits as u16).to_f64(),
        "bf16" => bf16::from_bits(bits as u16).to_f64(),
        "f32" | "c64" => f32::from_bits(bits as u32).into(),
        "f64" | "c128" => f64::from_bits(bits as u64),
        "pred" => return Some(Value::Integer(bits as i128)),
        _ if name.starts_with('u') => return Some(Value::Integer(bits as i128)),
        _ if name.starts_with('s') => {
            // Two's complement.
            let sign = bits >> (width - 1) & 1;
            return Some(Value::Integer(bits as i128 - ((sign as i128) << width)));
        }
        _ => panic!("{name} has a value, which this test has to know"),
    };
    (!float.is_nan()).then_some(Value::Float(float))
}

/// A float of at most eight bits: `f8e4m3b11fnuz` has 4 bits of exponent, 3 of mantissa and a bias of 11.
struct SmallFloat {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    /// `fn`: no infinities. With `uz` what would be −0 is the only value that is not a number; without it those are all ones,
    /// if the type has any.
    finite: bool,
    unsigned_zero: bool,
    has_nan: bool,
    has_sign: bool,
}

fn small_float(name: &str) -> Option<SmallFloat> {
    let (width, rest) = name.strip_prefix('f')?.split_once('e')?;
    let (exponent, rest) = rest.split_once('m')?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let (mantissa, rest) = rest.split_at(digits);
    let number = |text: &str| text.parse::<u32>().unwrap();
    let (exponent, mantissa) = (number(exponent), number(mantissa));
    let (bias, letters) = match rest.strip_prefix('b') {
        Some(rest) => {
            let digits = rest.find('f').unwrap();
            (number(&rest[..digits]) as i32, &rest[digits..])
        }
        // A type whose zero has no sign gains a power of two.
        None => ((1 << (exponent - 1)) - 1 + i32::from(rest == "fnuz"), rest),
    };
    assert!(["", "fn", "fnuz", "fnu"].contains(&letters), "{name}");
    Some(SmallFloat {
        exponent,
        mantissa,
        bias,
        finite: letters.starts_with("fn"),
        unsigned_zero: letters == "fnuz",
        // The formats of OCP's microscaling have none below eight bits.
        has_nan: number(width) == 8,
        has_sign: letters != "fnu",
    })
}

impl SmallFloat {
    fn value(&self, bits: u32) -> Option<f64> {
        let ones = |count: u32| (1 << count) - 1;
        let mantissa = bits & ones(self.mantissa);
        let exponent = bits >> self.mantissa & ones(self.exponent);
        let is_negative = self.has_sign && bits >> (self.mantissa + self.exponent) & 1 == 1;
        let sign = if is_negative { -1.0 } else { 1.0 };
        let is_top = exponent == ones(self.exponent);
        if !self.finite && is_top {
            return (mantissa == 0).then_some(sign * f64::INFINITY);
        }
        let is_nan = match self.unsigned_zero {
            true => is_negative && exponent == 0 && mantissa == 0,
            false => self.has_nan && is_top && mantissa == ones(self.mantissa),
        };
        if is_nan {
            return None;
        }
        let fraction = f64::from(mantissa) / f64::from(1 << self.mantissa);
        // Without a mantissa and a sign there are no numbers below the normal ones, and no zero.
        let (whole, exponent) = match exponent {
            0 if self.has_sign => (0.0, 1),
            _ => (1.0, exponent as i32),
        };
        Some(sign * (whole + fraction) * 2_f64.powi(exponent - self.bias))
    }
}

fn order(value: Value) -> (f64, i128) {
    match value {
        Value::Float(float) => (float, 0),
        Value::Integer(integer) => (0.0, integer),
    }
}

#[test]
fn every_element_type() {
    for &element in ElementType::ALL {
        let name = element.name();
        let is_complex = name.starts_with('c');
        let bits = |fill: Fill| fill.bits(element);
        let low = |bits: u128| bits & u128::MAX >> (128 - element.bits());
        let of = |fill: Fill| value(element, low(bits(fill).unwrap())).unwrap();

        assert_eq!(bits(Fill::Zero), Some(0), "{name}");
        assert_eq!(bits(Fill::Unknown), None, "{name}");
        let one = match of(Fill::Zero) {
            // One bit with a sign is 0 or −1.
            Value::Integer(zero) => {
                assert_eq!(zero, 0, "{name}");
                Value::Integer(if name == "s1" { -1 } else { 1 })
            }
            Value::Float(zero) => {
                let least = if element.has_zero() { 0.0 } else { 2_f64.powi(-127) };
                assert_eq!(zero, least, "{name}");
                Value::Float(1.0)
            }
        };
        assert_eq!(of(Fill::One), one, "{name}");
        if is_complex {
            assert_eq!((bits(Fill::Lowest), bits(Fill::Highest)), (None, None), "{name}");
            continue;
        }
        let ends = [of(Fill::Lowest), of(Fill::Highest)].map(order);
        // All values of narrow types; of wide ones those with a single bit, and those that are ones from a bit on, with the
        // highest bit and without it.
        let width = element.bits() as u32;
        let wide = (0..width).flat_map(|bit| {
            let ones = low(u128::MAX << bit);
            [0, 1 << bit, ones, ones >> 1, low(u128::MAX) >> bit]
        });
        let narrow = 0..if width <= 16 { 1_u128 << width } else { 0 };
        let used = match small_float(name) {
            Some(float) => 1 << (float.mantissa + float.exponent + u32::from(float.has_sign)),
            None => u128::MAX,
        };
        let (mut lowest, mut highest) = (ends[1], ends[0]);
        for bits in narrow.chain(wide).filter(|bits| *bits < used) {
            let Some(value) = value(element, bits).map(order) else { continue };
            assert!(
                ends[0] <= value && value <= ends[1],
                "{name} {bits:#x}: {value:?} in {ends:?}"
            );
            lowest = if value < lowest { value } else { lowest };
            highest = if value > highest { value } else { highest };
        }
        assert_eq!([lowest, highest], ends, "{name}");
        // Signed integers are sign-extended to 128 bits.
        if name.starts_with('s') {
            assert_eq!(bits(Fill::Lowest), Some(u128::MAX << (width - 1)), "{name}");
        } else {
            assert!(bits(Fill::Lowest) <= Some(low(u128::MAX)), "{name}");
        }
        assert_eq!(element.is_float(), matches!(one, Value::Float(_)), "{name}");
        let is_negative = |(float, integer): (f64, i128)| float < 0.0 || integer < 0;
        assert_eq!(
            element.is_signed_integer(),
            !element.is_float() && is_negative(ends[0]),
            "{name}"
        );
    }
}
