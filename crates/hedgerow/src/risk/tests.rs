//! Figures of other programs, which the models must reproduce.

use super::*;
use crate::io::{ReadOptions, Source};
use crate::population::Population;
use crate::progress::Silent;
use crate::table::{Columns, Encoding, Table};

/// The quasi-identifiers of a third table.
pub(super) const THIRD: [&str; 4] = ["education", "occupation", "hours-per-week", "sex"];

/// The records that ARX was given.
const N_ARX: usize = 30_162;

/// Adult on some columns.
fn adult_table(quasi: &[&str]) -> Table {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/adult.csv");
    let source = Source::open(path.as_ref(), None).unwrap();
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    source.read(&Columns::quasi(quasi), &options, &Silent).unwrap()
}

/// The first records of Adult on some columns.
pub(super) fn adult(quasi: &[&str], n_records: usize) -> Sample {
    let table = adult_table(quasi);
    let mut counts = vec![0; table.cohorts().len()];
    for cohort in table.rows().unwrap().iter().take(n_records).flatten() {
        counts[cohort.index()] += 1;
    }
    Sample::of_sizes(&counts).judged_by(&[0.2])
}

fn share(model: &dyn RiskModel, sample: &Sample) -> f64 {
    model.of(sample).unwrap().share
}

#[track_caller]
fn assert_near(found: f64, wanted: f64, relative: f64) {
    assert!((found - wanted).abs() <= relative * wanted, "{found} is not {wanted}");
}

/// Figures of ARX 3.9.2 by METHODS 10.
struct Arx {
    at_risk: f64,
    success: f64,
    unique: f64,
    /// At sampling fractions 0.01, 0.1 and 0.5.
    pitman: [f64; 3],
    zayatz: [f64; 3],
}

impl Arx {
    #[track_caller]
    fn assert_equal(&self, sample: &Sample) {
        let found = Prosecutor.of(sample).unwrap();
        let spread = found.spread.unwrap();
        assert_near(spread.above[0].share, self.at_risk, 1e-12);
        assert_near(spread.highest.risk, 1.0, 1e-12);
        assert_near(found.share, self.success, 1e-12);
        assert_near(share(&SampleUniqueness, sample), self.unique, 1e-12);
        for (place, fraction) in [0.01, 0.1, 0.5].into_iter().enumerate() {
            let drawn = sample.clone().drawn(fraction);
            assert_near(share(&Zayatz, &drawn), self.zayatz[place], 1e-9);
            assert_near(share(&Pitman, &drawn), self.pitman[place], 1e-6);
            let chosen = ["pitman", "pitman", "zayatz"][place];
            assert_eq!(Dankar.of(&drawn).unwrap().how.unwrap(), chosen);
        }
        // ARX shows 0 for SNB where it does not converge; the rule then takes Zayatz.
        let half = sample.clone().drawn(0.5);
        assert_eq!(Snb.of(&half), None);
        assert_near(share(&Dankar, &half), self.zayatz[2], 1e-9);
    }
}

#[test]
fn figures_of_arx_on_few_classes() {
    let arx = Arx {
        at_risk: 0.014_090_577_547_907_964,
        success: 0.017_505_470_459_518_6,
        unique: 0.002_055_566_606_988_926_6,
        pitman: [3.103_073_808e-5, 3.072_051_339e-4, 1.525_275_950e-3],
        zayatz: [2.123_173_709e-5, 1.273_768_252e-4, 7.123_623_423e-4],
    };
    arx.assert_equal(&adult(&["sex", "age", "race"], N_ARX));
}

#[test]
fn figures_of_arx_on_many_classes() {
    let arx = Arx {
        at_risk: 0.101_816_855_646_177_3,
        success: 0.096_180_624_627_014_13,
        unique: 0.059_180_425_701_213_45,
        pitman: [0.008_180_205_495, 0.021_579_180_962, 0.042_509_947_663],
        zayatz: [0.008_116_980_354, 0.024_587_724_975, 0.046_702_861_832],
    };
    arx.assert_equal(&adult(&["age", "education", "native-country"], N_ARX));
}

/// Figures of ARX's own tests (`TestRiskMetrics`) on the same records and nine columns.
#[test]
fn figures_of_arx_on_mostly_unique_records() {
    let columns = [
        "sex",
        "age",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
        "occupation",
        "income",
    ];
    let sample = adult(&columns, N_ARX);
    let prosecutor = Prosecutor.of(&sample).unwrap();
    assert_near(prosecutor.spread.unwrap().average, 0.646_575_160_798_355_5, 1e-12);
    assert_near(share(&SampleUniqueness, &sample), 0.514_289_503_348_584_4, 1e-12);
    // By the rule of Dankar et al.: two estimates by Pitman, then two by Zayatz.
    let rule = [
        (0.01, 0.144_608_353_116_738_4),
        (0.1, 0.276_849_938_836_535_97),
        (0.2, 0.357_709_923_482_912_5),
        (1.0, 0.514_289_503_348_584_4),
    ];
    for (fraction, wanted) in rule {
        let tolerance = if fraction > 0.1 { 1e-9 } else { 1e-4 };
        assert_near(share(&Dankar, &sample.clone().drawn(fraction)), wanted, tolerance);
    }
    assert_near(share(&Zayatz, &sample.drawn(0.1)), 0.320_740_239_346_618_9, 1e-9);
}

#[test]
fn sets_of_up_to_three_columns_and_of_all_are_compared() {
    let n_sets = |n_columns: usize| {
        let names: Vec<String> = (0..n_columns).map(|n| format!("c{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rows: Vec<Vec<String>> = (0..6)
            .map(|row| (0..n_columns).map(|n| (row / (n + 1)).to_string()).collect())
            .collect();
        let table = Table::from_rows(&names, &rows).unwrap();
        let found = assess(&Request::new(&table).depth(Depth::Columns)).unwrap();
        found.contribution.unwrap().sets.len()
    };
    // Four columns: 4, 6 pairs, 4 triples, and all.
    assert_eq!([1, 2, 3, 4].map(n_sets), [1, 3, 7, 15]);
}

/// A record that shows `1` and `*` can be that of anybody with 1.
#[test]
fn a_value_is_known_if_all_that_match_have_it() {
    let columns = Columns::quasi(&["a", "b"]).and_beside(&["ill"]);
    let known = |shown: &[[&str; 3]]| {
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        let release = Table::encode(&columns, shown, &encoding).unwrap();
        let original = Table::encode(
            &columns,
            &[["1", "x", "flu"], ["1", "y", "gout"], ["2", "x", "cold"], ["2", "x", "cold"]],
            &Encoding::default(),
        )
        .unwrap();
        let request =
            Request::new(&original).release(Some(&release)).sensitive(&["ill".to_owned()]);
        let answers = assess(&request).unwrap().questions;
        answers.into_iter().find_map(|answer| answer.figures.get("known:ill").copied()).unwrap()
    };
    let rest = [["2", "x", "cold"], ["2", "x", "cold"]];
    let starred = [&[["1", "x", "flu"], ["1", "*", "gout"]][..], &rest].concat();
    assert_near(known(&starred), 0.5, 1e-12);
    let exact = [&[["1", "x", "flu"], ["1", "y", "gout"]][..], &rest].concat();
    assert_near(known(&exact), 1.0, 1e-12);
}

#[test]
fn distinction_and_separation_of_arx() {
    let rows = [
        ["20", "Female", "CA"],
        ["30", "Female", "CA"],
        ["40", "Female", "TX"],
        ["20", "Male", "NY"],
        ["40", "Male", "CA"],
    ];
    let table = Table::from_rows(&["age", "sex", "state"], &rows).unwrap();
    let found = assess(&Request::new(&table).depth(Depth::Columns)).unwrap();
    let sets = found.contribution.unwrap().sets;
    let wanted: [(&[&str], f64, f64); 7] = [
        (&["sex"], 0.4, 0.6),
        (&["state"], 0.6, 0.7),
        (&["age"], 0.6, 0.8),
        (&["sex", "state"], 0.8, 0.9),
        (&["age", "state"], 1.0, 1.0),
        (&["age", "sex"], 1.0, 1.0),
        (&["age", "sex", "state"], 1.0, 1.0),
    ];
    for (columns, distinction, separation) in wanted {
        let set = sets.iter().find(|set| set.columns == columns).unwrap();
        assert_near(set.distinction, distinction, 1e-12);
        assert_near(set.separation, separation, 1e-12);
    }
}

/// Figures of a program in Python that follows METHODS 10 (mpmath for Zayatz, Nelder and Mead's
/// simplex search of scipy for Pitman), on all of Adult.
#[test]
fn figures_of_a_third_table() {
    let table = adult_table(&THIRD);
    let asked = [0.2, 0.09, 0.05];
    let found = assess(&Request::new(&table).thresholds(&asked).depth(Depth::Columns)).unwrap();
    let prosecutor = found.original.all.of("prosecutor").unwrap();
    let spread = prosecutor.spread.as_ref().unwrap();
    let above = [0.143_823_802_573_968_43, 0.243_465_569_855_380_12, 0.309_318_473_309_451_17];
    for (found, wanted) in spread.above.iter().zip(above) {
        assert_near(found.share, wanted, 1e-12);
    }
    assert_near(prosecutor.share, 0.115_054_619_433_019_33, 1e-12);
    assert_near(spread.lowest.risk, 0.000_600_240_096_038_415_3, 1e-12);
    assert_near(spread.lowest.share, 0.036_840_475_874_574_32, 1e-12);
    assert_near(
        found.original.all.of("sample-uniqueness").unwrap().share,
        0.054_619_433_019_326_875,
        1e-12,
    );
    let sets = found.contribution.unwrap().sets;
    let all = sets.iter().find(|set| set.columns.len() == THIRD.len()).unwrap();
    assert_near(all.distinction, 0.115_054_619_433_019_33, 1e-12);
    assert_near(all.separation, 0.995_266_114_695_029_8, 1e-12);
    let sample = adult(&THIRD, usize::MAX);
    for (fraction, zayatz, pitman) in [
        (0.01, 0.005_977_066_233_65, 0.004_830_620_263_49),
        (0.1, 0.014_756_642_634_7, 0.016_732_930_005_69),
        (0.5, 0.035_111_839_309, 0.039_876_277_304_40),
    ] {
        let drawn = sample.clone().drawn(fraction);
        assert_near(share(&Zayatz, &drawn), zayatz, 1e-9);
        assert_near(share(&Pitman, &drawn), pitman, 1e-5);
    }
}

/// All of Adult has few uniques for its classes, so the greatest likelihood is at a negative alpha,
/// -0.01597. The figures are those of a simplex search on the same likelihood (scipy 1.11).
#[test]
fn pitman_has_a_maximum_for_finitely_many_classes() {
    let sample = adult(&["sex", "age", "race"], usize::MAX);
    for (fraction, wanted) in
        [(0.01, 1.778_155_318e-5), (0.1, 1.844_771_575e-4), (0.5, 9.464_053_447e-4)]
    {
        assert_near(share(&Pitman, &sample.clone().drawn(fraction)), wanted, 1e-5);
    }
}

#[test]
fn vectors_of_benedetti_and_franconi() {
    for (size, weight, risk) in [
        (2, 360.0, 0.005_424_52),
        (1, 215.0, 0.025_096_44),
        (2, 152.0, 0.012_563_42),
        (1, 186.0, 0.028_247_28),
    ] {
        assert!((individual_risk(size, weight) - risk).abs() < 1e-8, "{size}, {weight}");
    }
}

#[test]
fn a_journalist_counts_the_population() {
    // Two classes of one and two records, of which the population has 4 and 2.
    let group = |n, size, population| Group { n, size, population, weight: None };
    let sample = Sample {
        groups: vec![group(1, 1, 4.0), group(2, 2, 2.0)],
        n_classes: 2,
        is_counted: true,
        thresholds: vec![0.3],
        ..Sample::default()
    };
    let found = Journalist.of(&sample).unwrap();
    let spread = found.spread.unwrap();
    assert_near(spread.highest.risk, 0.5, 1e-12);
    assert_eq!((spread.above[0].n, spread.lowest.n), (2, 1));
    // The mean of 1/F over records is (1/4 + 2/2) / 3, and classes over members 2/6.
    assert_near(found.share, 1.25 / 3.0, 1e-12);
    assert_near(share(&Marketer, &sample), 1.25 / 3.0, 1e-12);
    assert_near(share(&Prosecutor, &sample), 2.0 / 3.0, 1e-12);
}

/// Part of Adult as a sample of all of it, counted here by the texts of the file.
#[test]
fn a_journalist_and_a_marketer_on_a_part_of_adult() {
    let names = ["age", "race", "sex"];
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/adult.csv"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [0, 8, 9].map(|place: usize| cells[place].to_owned())
    };
    let all: Vec<[String; 3]> = text.unwrap().lines().skip(1).map(row).collect();
    let part = &all[..5_000];
    let count = |rows: &[[String; 3]]| {
        let mut counts = std::collections::BTreeMap::new();
        rows.iter().for_each(|row| *counts.entry(row.clone()).or_insert(0.0) += 1.0);
        counts
    };
    let (in_part, in_all) = (count(part), count(&all));
    let risks: Vec<f64> = part.iter().map(|row| 1.0 / in_all[row]).collect();
    let mean = risks.iter().sum::<f64>() / 5_000.0;
    let members: f64 = in_part.keys().map(|row| in_all[row]).sum();
    let n_above = risks.iter().filter(|risk| **risk > 0.05).count();

    let sample = Table::from_rows(&names, part).unwrap();
    let population = Population::new(Table::from_rows(&names, &all).unwrap());
    let request = Request::new(&sample).extent(Extent::Table(&population)).thresholds(&[0.05]);
    let found = assess(&request).unwrap().original.all;
    let (journalist, marketer) = (found.of("journalist").unwrap(), found.of("marketer").unwrap());
    let spread = journalist.spread.as_ref().unwrap();
    assert!(n_above > 0 && n_above < 5_000);
    assert_eq!(spread.above[0].n, n_above as u64);
    assert_near(spread.highest.risk, risks.iter().copied().fold(0.0, f64::max), 1e-12);
    assert_near(spread.lowest.risk, risks.iter().copied().fold(1.0, f64::min), 1e-12);
    assert_near(marketer.share, mean, 1e-12);
    assert_near(journalist.share, mean.max(in_part.len() as f64 / members), 1e-12);
    // The sample is the ninth part, so a journalist is far from the prosecutor.
    assert!(found.of("prosecutor").unwrap().share > 2.0 * journalist.share);
}

#[test]
fn the_population_itself_has_the_uniques_of_the_sample() {
    let sample = Sample::of_sizes(&[1, 1, 1, 2, 2, 5]).drawn(1.0);
    for model in [&Zayatz as &dyn RiskModel, &Pitman, &Snb, &Dankar] {
        assert_near(share(model, &sample), 3.0 / 12.0, 1e-12);
    }
}

#[test]
fn models_that_cannot_be_fitted_give_no_estimate() {
    let all_unique = Sample::of_sizes(&[1; 50]).drawn(0.05);
    assert_eq!((Pitman.of(&all_unique), Snb.of(&all_unique)), (None, None));
    let found = Dankar.of(&all_unique).unwrap();
    assert_eq!((found.share, found.how.as_deref()), (1.0, Some("zayatz")));
    let no_unique = Sample::of_sizes(&[3; 50]).drawn(0.05);
    assert_near(1.0 + share(&Dankar, &no_unique), 1.0, 1e-12);
    assert_eq!(Zayatz.of(&Sample::of_sizes(&[1, 2])), None);
}

/// Class sizes of a sample of half of a population whose class sizes less one are negative binomial
/// with `alpha` 2 and `beta` 0.4, as expected numbers of 100,000 classes.
#[test]
fn a_slide_negative_binomial_population_is_recognized() {
    let (classes, beta): (f64, f64) = (100_000.0, 0.4);
    // With alpha 2, P(F = i) = i beta^2 (1-beta)^(i-1).
    let of_size = |i: i32| f64::from(i) * beta.powi(2) * (1.0 - beta).powi(i - 1);
    let half: f64 = 0.5;
    let chosen =
        |n: i32, k: i32| (1..=k).map(|j| f64::from(n - k + j) / f64::from(j)).product::<f64>();
    let drawn = |k: i32| -> f64 { (k..60).map(|i| of_size(i) * chosen(i, k) * half.powi(i)).sum() };
    let sizes: Vec<u64> =
        (1..40u64).flat_map(|k| vec![k; (classes * drawn(k as i32)).round() as usize]).collect();
    let sample = Sample::of_sizes(&sizes).drawn(half);
    let population = sample.n_population.unwrap();
    let found = share(&Snb, &sample);
    assert_near(found, classes * beta.powi(2) / population, 0.1);
}

#[test]
fn global_risk_is_the_sum_of_individual_risks() {
    let group = |n, size, weight| Group { n, size, population: 0.0, weight: Some(weight) };
    let sample =
        Sample { groups: vec![group(1, 1, 215.0), group(2, 2, 360.0)], ..Sample::default() };
    let found = Individual.of(&sample).unwrap();
    assert_near(found.expected, 0.025_096_44 + 2.0 * 0.005_424_52, 1e-6);
    assert_near(individual_risk(3, 3.0), 1.0 / 3.0, 1e-12);
    assert_near(individual_risk(2, 2.0 + 1e-5), 0.5, 1e-3);
}
