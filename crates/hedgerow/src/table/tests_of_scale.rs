//! Tests of numbers on a scale.

use super::decimal::Decimal;
use super::scale::{Scale, looks_like_code, read_number, read_number_as};

fn scale(texts: &[&str]) -> (Scale, Vec<u32>) {
    let readings: Vec<_> = texts.iter().map(|text| read_number(text).unwrap()).collect();
    Scale::new(&readings, texts, Decimal::Point)
}

#[test]
fn numbers_between_padded_ones_are_padded_too() {
    let (padded, _) = scale(&["007", "120", "099"]);
    assert_eq!((padded.spell(12.0).as_str(), padded.spell_tick(1000).as_str()), ("012", "1000"));
    assert_eq!(padded.interval(7.0, 90.0), "[007, 090]");
    assert_eq!(padded.spelling(0), "007");
    for mixed in [&["007", "12"][..], &["0.5", "1.5"], &["-01", "007"], &["0", "9"]] {
        assert_eq!(scale(mixed).0.spell_tick(3).trim_start_matches("0."), "3", "{mixed:?}");
    }
}

#[test]
fn decimals_keep_their_spelling_and_exact_gaps() {
    let (scale, places) = scale(&["0.3", "0.10", "0.2", "-1.5"]);
    assert_eq!(places, [3, 1, 2, 0]);
    assert_eq!(scale.spelling(1), "0.10");
    assert_eq!(scale.positions(), [0.0, 160.0, 170.0, 180.0]);
}

#[test]
fn numbers_of_seventeen_digits_are_what_a_reader_of_floating_point_numbers_sees() {
    let texts = ["102.87024693321501", "126.08505728999901", "148.413159102577", "0.1"];
    let (scale, places) = scale(&texts);
    for (text, &place) in texts.iter().zip(&places) {
        let number: f64 = text.parse().unwrap();
        assert!(scale.value(place as usize).total_cmp(&number).is_eq(), "{text}");
        assert_eq!(scale.spelling(place as usize), *text);
        assert_eq!(scale.place_at(number), Some(place as usize));
        assert_eq!(scale.spell(number).parse(), Ok(number));
    }
}

#[test]
fn a_fine_unit_does_not_change_the_digits_of_large_numbers() {
    let (scale, _) = scale(&["0.12345678901234", "900.1", "-812.3"]);
    assert_eq!(scale.spell(900.1), "900.10000000000000");
    assert_eq!(scale.spell(-812.3), "-812.30000000000000");
}

/// A file of measurements can mix numbers of 14 and 16 decimals.
#[test]
fn a_number_has_its_value_whatever_the_decimals_of_the_others() {
    let (scale, _) = scale(&["0.0350000001490116", "4.20440101623535"]);
    let wanted: f64 = "4.20440101623535".parse().unwrap();
    assert_eq!(scale.value(1).to_bits(), wanted.to_bits());
    assert_eq!(scale.place_at(wanted), Some(1));
}

#[test]
fn spellings_of_one_number_share_a_place() {
    let (scale, places) = scale(&["12", "12.0", " 12", "7"]);
    assert_eq!(places, [1, 1, 1, 0]);
    assert_eq!(scale.spelling(1), "12");
}

#[test]
fn neighbouring_whole_numbers_beyond_double_precision_stay_apart() {
    let (scale, places) = scale(&["9007199254740993", "9007199254740992"]);
    assert_eq!(places, [1, 0]);
    assert_eq!(scale.positions(), [0.0, 1.0]);
}

#[test]
fn exponents_fall_back_to_floating_point() {
    let (scale, _) = scale(&["1e3", "2.5"]);
    assert_eq!(scale.positions(), [0.0, 997.5]);
    assert_eq!(scale.spelling(1), "1e3");
}

#[test]
fn numbers_with_commas_are_spelt_with_commas() {
    let texts = ["27,50", "1.234,5"];
    let readings: Vec<_> =
        texts.iter().map(|text| read_number_as(text, Decimal::Comma).unwrap()).collect();
    let (scale, places) = Scale::new(&readings, &texts, Decimal::Comma);
    assert_eq!(places, [0, 1]);
    assert_eq!((&*scale.spelling(0), &*scale.spelling(1)), ("27,50", "1.234,5"));
    assert_eq!(scale.interval(22.1, 27.5), "[22,10; 27,50]");
    assert_eq!(scale.middle(27.5, 28.0), "27,75");
}

#[test]
fn words_and_infinities_are_no_numbers() {
    for text in ["", "nan", "inf", "-", "1,5", "0x10", "twelve", "1.7e308"] {
        assert_eq!(read_number(text), None, "{text}");
    }
}

#[test]
fn zips_are_codes_and_zero_is_not() {
    assert!(looks_like_code("02139") && looks_like_code("99999999999999999999"));
    assert!(!looks_like_code("0") && !looks_like_code("0.5") && !looks_like_code("90210"));
}

#[test]
fn codes_with_a_zero_behind_the_point_may_be_categories() {
    let may_be = |texts: &[&str]| {
        let rows: Vec<[&str; 1]> = (0..200).map(|row| [texts[row % texts.len()]]).collect();
        let table = crate::table::Table::from_rows(&["x"], &rows).unwrap();
        crate::table::may_be_categories(&table.columns()[0].domain)
    };
    assert!(may_be(&["1.0", "2.0", "3.0"]) && may_be(&["1", "2", "3"]));
    assert!(!may_be(&["1.0", "2.5", "3.0"]) && !may_be(&["1.0", "2.0", "300.0"]));
}
