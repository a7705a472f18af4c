//! Values of Arrow arrays as text, written as the command line writes them when it reads Parquet.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, DecimalType, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use hedgerow::io::{Texts, Unusable, spelling};

const MILLIS: i128 = 1_000;
const MICROS: i128 = 1_000_000;
const NANOS: i128 = 1_000_000_000;
const MILLIS_OF_A_DAY: i64 = 86_400_000;

/// A value that cannot be written as text.
pub(crate) struct Problem {
    /// Index of the value in its array.
    pub(crate) place: usize,
    pub(crate) what: String,
}

/// Returns the reason why values of this type cannot be written as text, or `None`.
pub(crate) fn unusable(of: &DataType) -> Option<Unusable> {
    match of {
        DataType::Dictionary(_, values) => unusable(values),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Some(Unusable::Binary),
        other if other.is_nested() || matches!(other, DataType::Interval(_)) => {
            Some(Unusable::Nested)
        }
        _ => None,
    }
}

/// Appends all values of an array as text. Nulls are empty.
pub(crate) fn spell(array: &ArrayRef, texts: &mut Texts) -> Result<(), Problem> {
    match array.data_type() {
        DataType::Null => (0..array.len()).for_each(|_| texts.end()),
        DataType::Boolean => {
            let truths = array.as_boolean().iter();
            truths.for_each(|truth| {
                texts.push(truth.map_or("", |t| if t { "true" } else { "false" }));
            });
        }
        DataType::Utf8 => array.as_string::<i32>().iter().for_each(|t| texts.push(t.unwrap_or(""))),
        DataType::LargeUtf8 => {
            array.as_string::<i64>().iter().for_each(|text| texts.push(text.unwrap_or("")));
        }
        DataType::Utf8View => {
            array.as_string_view().iter().for_each(|text| texts.push(text.unwrap_or("")));
        }
        DataType::Dictionary(..) => return spell_dictionary(array, texts),
        DataType::Int8 => whole::<Int8Type>(array, texts),
        DataType::Int16 => whole::<Int16Type>(array, texts),
        DataType::Int32 => whole::<Int32Type>(array, texts),
        DataType::Int64 => whole::<Int64Type>(array, texts),
        DataType::UInt8 => whole::<UInt8Type>(array, texts),
        DataType::UInt16 => whole::<UInt16Type>(array, texts),
        DataType::UInt32 => whole::<UInt32Type>(array, texts),
        DataType::UInt64 => whole::<UInt64Type>(array, texts),
        DataType::Float16 => fraction::<Float16Type>(array, texts, Into::into),
        DataType::Float32 => fraction::<Float32Type>(array, texts, |number| number),
        DataType::Float64 => double(array, texts),
        DataType::Decimal32(_, scale) => return decimal::<Decimal32Type>(array, *scale, texts),
        DataType::Decimal64(_, scale) => return decimal::<Decimal64Type>(array, *scale, texts),
        DataType::Decimal128(_, scale) => return decimal::<Decimal128Type>(array, *scale, texts),
        DataType::Decimal256(_, scale) => return decimal::<Decimal256Type>(array, *scale, texts),
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => whole::<DurationSecondType>(array, texts),
            TimeUnit::Millisecond => whole::<DurationMillisecondType>(array, texts),
            TimeUnit::Microsecond => whole::<DurationMicrosecondType>(array, texts),
            TimeUnit::Nanosecond => whole::<DurationNanosecondType>(array, texts),
        },
        _ => return spell_time(array, texts),
    }
    Ok(())
}

/// Appends dates, times of day and moments.
fn spell_time(array: &ArrayRef, texts: &mut Texts) -> Result<(), Problem> {
    use spelling::{date, moment, time};
    match array.data_type() {
        DataType::Date32 => each::<Date32Type>(array, texts, |days, out| date(days.into(), out)),
        DataType::Date64 => each::<Date64Type>(array, texts, |millis, out| {
            date(millis.div_euclid(MILLIS_OF_A_DAY).into(), out)
        }),
        DataType::Time32(TimeUnit::Second) => clock::<Time32SecondType>(array, texts, 1, time),
        DataType::Time32(_) => clock::<Time32MillisecondType>(array, texts, MILLIS, time),
        DataType::Time64(TimeUnit::Microsecond) => {
            clock::<Time64MicrosecondType>(array, texts, MICROS, time)
        }
        DataType::Time64(_) => clock::<Time64NanosecondType>(array, texts, NANOS, time),
        DataType::Timestamp(TimeUnit::Second, _) => {
            clock::<TimestampSecondType>(array, texts, 1, moment)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            clock::<TimestampMillisecondType>(array, texts, MILLIS, moment)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            clock::<TimestampMicrosecondType>(array, texts, MICROS, moment)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            clock::<TimestampNanosecondType>(array, texts, NANOS, moment)
        }
        other => Err(Problem { place: 0, what: format!("values of type {other} are not text") }),
    }
}

fn spell_dictionary(array: &ArrayRef, texts: &mut Texts) -> Result<(), Problem> {
    let coded = array.as_any_dictionary();
    let (keys, values) = (coded.keys(), coded.values());
    // Without values every key is null, and there is nothing to normalize keys to.
    let places = if values.is_empty() { vec![0; array.len()] } else { coded.normalized_keys() };
    let is_known = |(row, &place): (usize, &usize)| {
        (keys.is_valid(row) && values.is_valid(place)).then_some(place)
    };
    let known = places.iter().enumerate().map(is_known);
    if let Some(words) = values.as_string_opt::<i32>() {
        known.for_each(|place| texts.push(place.map_or("", |place| words.value(place))));
    } else if let Some(words) = values.as_string_opt::<i64>() {
        known.for_each(|place| texts.push(place.map_or("", |place| words.value(place))));
    } else if let Some(words) = values.as_string_view_opt() {
        known.for_each(|place| texts.push(place.map_or("", |place| words.value(place))));
    } else {
        for (row, place) in known.enumerate() {
            match place {
                Some(place) => spell(&values.slice(place, 1), texts)
                    .map_err(|problem| Problem { place: row, ..problem })?,
                None => texts.end(),
            }
        }
    }
    Ok(())
}

fn whole<T: ArrowPrimitiveType>(array: &ArrayRef, texts: &mut Texts)
where
    T::Native: std::fmt::Display + TryInto<i64>,
{
    for number in array.as_primitive::<T>() {
        match number.map(|number| (number, number.try_into())) {
            Some((_, Ok(small))) => spelling::whole(small, texts.buffer()),
            // Writing to memory does not fail.
            Some((large, Err(_))) => {
                let _ = spelling::write(texts.buffer(), format_args!("{large}"));
            }
            None => {}
        }
        texts.end();
    }
}

fn fraction<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    texts: &mut Texts,
    number: impl Fn(T::Native) -> f32,
) {
    for value in array.as_primitive::<T>() {
        let value = value.map(&number);
        if let Some(number) = value {
            let _ = spelling::write(texts.buffer(), format_args!("{number:?}"));
        }
        end_number(value.is_none_or(f32::is_finite), texts);
    }
}

fn double(array: &ArrayRef, texts: &mut Texts) {
    for value in array.as_primitive::<Float64Type>() {
        if let Some(number) = value {
            let _ = spelling::write(texts.buffer(), format_args!("{number:?}"));
        }
        end_number(value.is_none_or(f64::is_finite), texts);
    }
}

fn end_number(is_finite: bool, texts: &mut Texts) {
    if is_finite { texts.end() } else { texts.end_not_finite() }
}

fn decimal<T: DecimalType>(array: &ArrayRef, scale: i8, texts: &mut Texts) -> Result<(), Problem>
where
    T::Native: std::fmt::Display,
{
    each::<T>(array, texts, |number, out| {
        if let Ok(scale) = usize::try_from(scale) {
            return spelling::decimal(&number.to_string(), scale, out);
        }
        // A negative scale means zeros after the digits.
        let zeros = "0".repeat(usize::from(scale.unsigned_abs()));
        spelling::write(out, format_args!("{number}{zeros}"))
    })
}

/// Appends times or moments in `units` per second, with a function that writes nanoseconds.
fn clock<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    texts: &mut Texts,
    units: i128,
    write: impl Fn(i128, &mut Vec<u8>) -> Result<(), String>,
) -> Result<(), Problem>
where
    T::Native: Into<i128>,
{
    each::<T>(array, texts, |number, out| write(number.into() * (NANOS / units), out))
}

/// Appends every value of an array with `write`, nulls excepted.
fn each<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    texts: &mut Texts,
    write: impl Fn(T::Native, &mut Vec<u8>) -> Result<(), String>,
) -> Result<(), Problem> {
    for (place, value) in array.as_primitive::<T>().iter().enumerate() {
        if let Some(value) = value {
            write(value, texts.buffer()).map_err(|what| Problem { place, what })?;
        }
        texts.end();
    }
    Ok(())
}
