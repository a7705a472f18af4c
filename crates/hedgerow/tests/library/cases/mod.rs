//! The number of random cases that a property is tested on.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Configures the same `n` cases in every run, or `PROPTEST_CASES` new ones if that is set.
pub(crate) fn cases(n: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if is_fixed() {
        config.cases = n;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// Whether the cases are the same in every run.
pub(crate) fn is_fixed() -> bool {
    std::env::var_os("PROPTEST_CASES").is_none()
}
