//! The kinds of values in Parquet columns, and their conversion to text.

use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::Int96;
use parquet::schema::types::Type;

use super::super::{Unusable, spelling};

/// Maximum number of decimals; more do not occur in practice.
const MOST_DECIMALS: i32 = 1000;
const JULIAN_DAY_OF_1970: i64 = 2_440_588;
const NANOS_OF_A_DAY: i128 = 86_400_000_000_000;

/// The conversion of values of a column to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are: text, booleans and numbers.
    Plain,
    /// Unsigned integers.
    Unsigned,
    /// Integers with this number of digits after the decimal point.
    Decimal(usize),
    /// Days since 1970.
    Date,
    /// Units since midnight.
    Time(Unit),
    /// Units since 1970.
    Timestamp(Unit),
    /// 16-bit floating-point numbers.
    Half,
    Uuid,
}

/// Unit of times, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit(i64);

const MILLIS: Unit = Unit(1_000_000);
const MICROS: Unit = Unit(1_000);
const NANOS: Unit = Unit(1);

/// A value as Parquet stores it.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int32(i32),
    Int64(i64),
    Int96(Int96),
    Float(f32),
    Double(f64),
    Bytes(parquet::data_type::ByteArray),
}

impl Form {
    /// Returns the form of a column's values, or the reason why they have none.
    pub(super) fn of(field: &Type) -> Result<Self, Unusable> {
        let info = field.get_basic_info();
        // A repeated column is a list, with any number of values per row.
        let is_repeated = info.has_repetition() && info.repetition() == Repetition::REPEATED;
        if !field.is_primitive() || is_repeated {
            return Err(Unusable::Nested);
        }
        let logical = info.logical_type_ref();
        match field.get_physical_type() {
            Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE => Ok(Self::Plain),
            Physical::INT96 => Ok(Self::Timestamp(NANOS)),
            Physical::INT32 | Physical::INT64 => {
                Ok(of_whole_number(logical, info.converted_type(), field))
            }
            Physical::BYTE_ARRAY => of_bytes(logical, info.converted_type(), field),
            Physical::FIXED_LEN_BYTE_ARRAY => match logical {
                Some(LogicalType::Uuid) => Ok(Self::Uuid),
                Some(LogicalType::Float16) => Ok(Self::Half),
                _ => of_bytes(None, info.converted_type(), field),
            },
        }
    }

    /// Writes a value as text, or returns the reason why it has none.
    pub(super) fn write(self, value: &Value, out: &mut Vec<u8>) -> Result<(), String> {
        let number = match value {
            // A null becomes an empty field, as in CSV.
            Value::Null => return Ok(()),
            Value::Bool(truth) => return spelling::write(out, format_args!("{truth}")),
            // `{:?}` writes the shortest digits that give the same number again.
            Value::Float(number) => return spelling::write(out, format_args!("{number:?}")),
            Value::Double(number) => return spelling::write(out, format_args!("{number:?}")),
            Value::Bytes(bytes) => return self.write_bytes(bytes.data(), out),
            Value::Int96(stamp) => return spelling::moment(nanos_of(stamp), out),
            // The bits are those of an unsigned number; the cast keeps them.
            Value::Int32(number) if self == Self::Unsigned => i128::from(*number as u32),
            Value::Int64(number) if self == Self::Unsigned => i128::from(*number as u64),
            Value::Int32(number) => i128::from(*number),
            Value::Int64(number) => i128::from(*number),
        };
        match self {
            Self::Decimal(scale) => spelling::decimal(&number.to_string(), scale, out),
            Self::Date => spelling::date(number, out),
            // 64 bits of any unit fit into 128 bits of nanoseconds.
            Self::Time(unit) => spelling::time(number * i128::from(unit.0), out),
            Self::Timestamp(unit) => spelling::moment(number * i128::from(unit.0), out),
            Self::Plain | Self::Unsigned | Self::Half | Self::Uuid => {
                spelling::write(out, format_args!("{number}"))
            }
        }
    }

    /// Whether a value is neither NaN nor infinite.
    pub(super) fn is_finite(self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Float(number)) => number.is_finite(),
            (_, Value::Double(number)) => number.is_finite(),
            (Self::Half, Value::Bytes(bytes)) => half_of(bytes.data()).is_none_or(f32::is_finite),
            _ => true,
        }
    }

    fn write_bytes(self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        match self {
            Self::Decimal(scale) => spelling::decimal(&digits(bytes), scale, out),
            Self::Half => {
                let number = half_of(bytes).ok_or("this number does not have two bytes")?;
                spelling::write(out, format_args!("{number:?}"))
            }
            Self::Uuid => {
                for (place, byte) in bytes.iter().enumerate() {
                    let dash = if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" };
                    spelling::write(out, format_args!("{dash}{byte:02x}"))?;
                }
                Ok(())
            }
            _ => {
                std::str::from_utf8(bytes).map_err(|_| "this text is not UTF-8".to_owned())?;
                out.extend_from_slice(bytes);
                Ok(())
            }
        }
    }
}

fn of_whole_number(logical: Option<&LogicalType>, converted: ConvertedType, field: &Type) -> Form {
    match (logical, converted) {
        (Some(LogicalType::Timestamp(stamp)), _) => Form::Timestamp(unit(stamp.unit)),
        (Some(LogicalType::Time(time)), _) => Form::Time(unit(time.unit)),
        (Some(LogicalType::Integer(whole)), _) if !whole.is_signed => Form::Unsigned,
        (Some(LogicalType::Decimal(_)), _) | (_, ConvertedType::DECIMAL) => {
            decimal(field).unwrap_or(Form::Plain)
        }
        (Some(LogicalType::Date), _) | (_, ConvertedType::DATE) => Form::Date,
        (_, ConvertedType::TIME_MILLIS) => Form::Time(MILLIS),
        (_, ConvertedType::TIME_MICROS) => Form::Time(MICROS),
        (_, ConvertedType::TIMESTAMP_MILLIS) => Form::Timestamp(MILLIS),
        (_, ConvertedType::TIMESTAMP_MICROS) => Form::Timestamp(MICROS),
        (
            _,
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64,
        ) => Form::Unsigned,
        _ => Form::Plain,
    }
}

fn of_bytes(
    logical: Option<&LogicalType>,
    converted: ConvertedType,
    field: &Type,
) -> Result<Form, Unusable> {
    match (logical, converted) {
        (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _)
        | (_, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => Ok(Form::Plain),
        (_, ConvertedType::DECIMAL) => decimal(field).ok_or(Unusable::Binary),
        _ => Err(Unusable::Binary),
    }
}

fn decimal(field: &Type) -> Option<Form> {
    let scale = field.get_scale();
    (0..=MOST_DECIMALS).contains(&scale).then_some(Form::Decimal(scale as usize))
}

fn unit(unit: TimeUnit) -> Unit {
    match unit {
        TimeUnit::MILLIS => MILLIS,
        TimeUnit::MICROS => MICROS,
        TimeUnit::NANOS => NANOS,
    }
}

/// Converts an integer of big-endian bytes in two's complement to decimal digits.
fn digits(bytes: &[u8]) -> String {
    let is_negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    let mut size: Vec<u8> = bytes.to_vec();
    if is_negative {
        // The magnitude of a negative number is its complement plus one.
        size.iter_mut().for_each(|byte| *byte = !*byte);
        for byte in size.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
    // Long division by ten: each pass yields the lowest digit. Decimals can exceed 128 bits.
    let mut reversed = Vec::new();
    while size.iter().any(|&byte| byte != 0) {
        let mut rest = 0u32;
        for byte in &mut size {
            let dividend = rest << 8 | u32::from(*byte);
            (*byte, rest) = ((dividend / 10) as u8, dividend % 10);
        }
        reversed.push(char::from(b'0' + rest as u8));
    }
    let sign = if is_negative { "-" } else { "" };
    let number: String = reversed.iter().rev().collect();
    format!("{sign}{}", if number.is_empty() { "0" } else { &number })
}

fn half_of(bytes: &[u8]) -> Option<f32> {
    bytes.try_into().ok().map(|bytes| half(u16::from_le_bytes(bytes)))
}

/// Converts a 16-bit IEEE 754 number.
fn half(bits: u16) -> f32 {
    let (exponent, part) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    let size = match exponent {
        0 => part * 2f32.powi(-24), // subnormal, without an implicit leading 1
        0x1f if part > 0.0 => f32::NAN,
        0x1f => f32::INFINITY,
        // The exponent has a bias of 15, and the 10 bits of the fraction follow an implicit 1.
        _ => (1.0 + part / 1024.0) * 2f32.powi(exponent - 15),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

fn nanos_of(stamp: &Int96) -> i128 {
    // Two words for the nanoseconds of the day, and one for the Julian day.
    let &[low, high, day] = stamp.data() else { return 0 };
    let days = i128::from(i64::from(day) - JULIAN_DAY_OF_1970);
    days * NANOS_OF_A_DAY + i128::from(u64::from(high) << 32 | u64::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(form: Form, value: &Value) -> Result<String, String> {
        let mut out = Vec::new();
        form.write(value, &mut out).map(|()| String::from_utf8(out).unwrap())
    }

    #[test]
    fn numbers_read_as_people_write_them() {
        let double = |number| text(Form::Plain, &Value::Double(number)).unwrap();
        assert_eq!([-2.0, 0.0, 0.5, 1e300].map(double), ["-2.0", "0.0", "0.5", "1e300"]);
        assert_eq!(double(f64::NAN), "NaN");
        assert_eq!(text(Form::Plain, &Value::Float(0.1)).unwrap(), "0.1");
        assert_eq!(text(Form::Unsigned, &Value::Int32(-1)).unwrap(), "4294967295");
        let half = |bits: u16| {
            text(Form::Half, &Value::Bytes(bits.to_le_bytes().to_vec().into())).unwrap()
        };
        let halves = [0x3c00, 0xc000, 0x0001, 0x7bff, 0x7e00].map(half);
        assert_eq!(halves, ["1.0", "-2.0", "5.9604645e-8", "65504.0", "NaN"]);
    }

    #[test]
    fn decimals_have_their_point_at_any_size() {
        let decimal = |number, scale| text(Form::Decimal(scale), &Value::Int64(number)).unwrap();
        assert_eq!([decimal(-5, 2), decimal(12345, 2), decimal(7, 0)], ["-0.05", "123.45", "7"]);
        let bytes = |bytes: &[u8]| text(Form::Decimal(1), &Value::Bytes(bytes.to_vec().into()));
        assert_eq!(bytes(&[0xff, 0x38]).unwrap(), "-20.0");
        assert_eq!(bytes(&[]).unwrap(), "0.0");
        let wide = [&[1][..], &[0; 17]].concat(); // 2^136
        assert_eq!(bytes(&wide).unwrap(), "8711228593176024664662389950253266213273.6");
    }

    #[test]
    fn dates_and_times_are_those_of_iso_8601() {
        assert_eq!(text(Form::Date, &Value::Int32(-1)).unwrap(), "1969-12-31");
        let far = text(Form::Date, &Value::Int32(100_000_000)).unwrap_err();
        assert!(far.contains("100000000 days after 1970-01-01"), "{far}");
        let stamp = |unit, number| text(Form::Timestamp(unit), &Value::Int64(number));
        assert_eq!(stamp(MICROS, -1).unwrap(), "1969-12-31 23:59:59.999999");
        assert_eq!(stamp(NANOS, 1_500_000_000).unwrap(), "1970-01-01 00:00:01.500");
        assert!(stamp(MILLIS, i64::MAX).is_err());
        assert_eq!(text(Form::Time(MILLIS), &Value::Int32(1)).unwrap(), "00:00:00.001");
        assert!(text(Form::Time(MILLIS), &Value::Int32(-1)).is_err());
    }
}
