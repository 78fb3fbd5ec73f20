//! Numbers: their grammar, exact integers in any spelling, and floats.

use super::malformed::{Kind, Malformed, Problem};

/// An integer type that a number can be read into.
pub trait Integer: Copy {
    /// The name in messages.
    const NAME: &'static str;
    /// The value with this sign and magnitude, if the type holds it.
    fn from_parts(negative: bool, magnitude: u64) -> Option<Self>;
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl Integer for $name {
            const NAME: &'static str = stringify!($name);
            #[inline]
            fn from_parts(negative: bool, magnitude: u64) -> Option<Self> {
                let magnitude = i128::from(magnitude);
                Self::try_from(if negative { -magnitude } else { magnitude }).ok()
            }
        }
    )*};
}

integers!(i64 i32 i16 i8 u64 u32 u16 u8);

/// Validates the number at `start` and returns the offset after it.
#[inline]
pub(super) fn number_end(bytes: &[u8], start: usize) -> Result<usize, Malformed> {
    let first = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut at = digits_end(bytes, first)?;
    if bytes.get(first) == Some(&b'0') && at > first + 1 {
        return Err(Malformed::syntax(
            start,
            "a number begins with a needless zero",
        ));
    }
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits_end(bytes, at)?;
    }
    Ok(at)
}

#[inline]
fn digits_end(bytes: &[u8], start: usize) -> Result<usize, Malformed> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start {
        return Err(Malformed::token(bytes, at, "a digit is expected here"));
    }
    Ok(at)
}

/// A number that is whole, whatever its spelling.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) negative: bool,
    pub(super) magnitude: u64,
    pub(super) end: usize,
}

/// Reads the number at `start` exactly. `expected` is the type's name for the message.
pub(super) fn whole(
    bytes: &[u8],
    start: usize,
    expected: &'static str,
) -> Result<Whole, Malformed> {
    // Nineteen digits always fit into 64 bits.
    const SAFE_DIGITS: usize = 19;
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let mut end = first;
    let mut magnitude = 0_u64;
    while let Some(digit @ b'0'..=b'9') = bytes.get(end)
        && end < first + SAFE_DIGITS
    {
        magnitude = magnitude * 10 + u64::from(digit - b'0');
        end += 1;
    }
    let needless_zero = bytes.get(first) == Some(&b'0') && end > first + 1;
    let more = matches!(bytes.get(end), Some(b'0'..=b'9' | b'.' | b'e' | b'E'));
    if end == first || needless_zero || more {
        return exact(bytes, start, expected);
    }
    Ok(Whole {
        negative,
        magnitude,
        end,
    })
}

/// The slow way, for fractions, exponents and many digits: decimal arithmetic, because a float
/// would change integers past 2^53.
#[cold]
fn exact(bytes: &[u8], start: usize, expected: &'static str) -> Result<Whole, Malformed> {
    let end = number_end(bytes, start)?;
    let number = bytes.get(start..end).unwrap_or_default();
    let negative = number.first() == Some(&b'-');
    let mut parts = number.splitn(2, |byte| matches!(byte, b'e' | b'E'));
    let mantissa = parts.next().unwrap_or_default();
    let exponent = parts.next().map_or(0, exponent);
    let fraction = mantissa
        .iter()
        .position(|byte| *byte == b'.')
        .map_or(0, |dot| mantissa.len() - dot - 1);

    let mut digits: Vec<u8> = mantissa
        .iter()
        .copied()
        .filter(u8::is_ascii_digit)
        .collect();
    let mut scale = exponent.saturating_sub(length(fraction));
    while digits.last() == Some(&b'0') {
        digits.pop();
        scale = scale.saturating_add(1);
    }
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let digits = digits.get(zeros..).unwrap_or_default();
    if digits.is_empty() {
        return Ok(Whole {
            negative,
            magnitude: 0,
            end,
        });
    }
    if scale < 0 {
        let problem = Problem::Expected {
            expected: "integer",
            found: Kind::Number,
        };
        return Err(Malformed {
            offset: start,
            problem,
        });
    }
    let out_of_range = || Malformed {
        offset: start,
        problem: Problem::OutOfRange { expected },
    };
    // 2^64 has twenty digits; this bound also keeps the loop below inside 128 bits.
    if length(digits.len()).saturating_add(scale) > 20 {
        return Err(out_of_range());
    }
    let significant = digits
        .iter()
        .fold(0_u128, |value, digit| value * 10 + u128::from(digit - b'0'));
    let value = (0..scale).fold(significant, |value, _| value * 10);
    let magnitude = u64::try_from(value).map_err(|_| out_of_range())?;
    Ok(Whole {
        negative,
        magnitude,
        end,
    })
}

fn exponent(text: &[u8]) -> i64 {
    let value = text
        .iter()
        .filter(|byte| byte.is_ascii_digit())
        .fold(0_i64, |value, digit| {
            value
                .saturating_mul(10)
                .saturating_add(i64::from(digit - b'0'))
        });
    if text.first() == Some(&b'-') {
        -value
    } else {
        value
    }
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Integer>(text: &str) -> Result<T, Problem> {
        let whole = whole(text.as_bytes(), 0, T::NAME).map_err(|error| error.problem)?;
        assert_eq!(whole.end, text.len(), "{text}");
        T::from_parts(whole.negative, whole.magnitude)
            .ok_or(Problem::OutOfRange { expected: T::NAME })
    }

    #[test]
    fn every_spelling_of_an_integer() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("-0.0e5", 0),
            ("0e99999999999999999999", 0),
            ("12.0", 12),
            ("1e3", 1000),
            ("1E+3", 1000),
            ("120e-1", 12),
            ("1.50e1", 15),
            ("-7.000", -7),
            ("0.12e2", 12),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("9223372036854775807.00", i64::MAX),
            ("922337203685477580.7e1", i64::MAX),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9007199254740993.0", 9_007_199_254_740_993),
        ] {
            assert_eq!(read::<i64>(text), Ok(value), "{text}");
        }
        assert_eq!(read::<u64>("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(read::<u8>("-0"), Ok(0));
    }

    #[test]
    fn what_is_no_integer_or_too_large() {
        let not_whole = Problem::Expected {
            expected: "integer",
            found: Kind::Number,
        };
        for text in ["1.5", "-0.1", "1e-1", "125e-2", "1e-99999999999999999999"] {
            assert_eq!(read::<i64>(text), Err(not_whole.clone()), "{text}");
        }
        for text in [
            "9223372036854775808",
            "-9223372036854775809",
            "1e19",
            "1e400",
            "1e99999999999999999999",
        ] {
            assert_eq!(
                read::<i64>(text),
                Err(Problem::OutOfRange { expected: "i64" }),
                "{text}"
            );
        }
        assert_eq!(
            read::<u64>("18446744073709551616"),
            Err(Problem::OutOfRange { expected: "u64" })
        );
        assert_eq!(
            read::<u32>("-1"),
            Err(Problem::OutOfRange { expected: "u32" })
        );
        assert_eq!(
            read::<u8>("256"),
            Err(Problem::OutOfRange { expected: "u8" })
        );
    }

    #[test]
    fn grammar_is_strict() {
        for bad in [
            "-", "01", "-01", "1.", "1.e3", ".5", "1e", "1e+", "00", "+1",
        ] {
            assert!(number_end(bad.as_bytes(), 0).is_err(), "{bad}");
            assert!(matches!(read::<i64>(bad), Err(Problem::Syntax(_))), "{bad}");
        }
        assert_eq!(number_end(b"-0.0E+00,", 0), Ok(8));
    }
}
