//! Messages that end in pieces of advice.

use super::Advice;

/// A message: a problem, then the pieces of advice as alternatives.
pub(super) fn with_advice(
    problem: &str,
    advice: &[Advice],
    spell: &dyn Fn(&Advice) -> String,
) -> String {
    let advice: Vec<String> = advice.iter().map(spell).collect();
    match advice.as_slice() {
        [] => problem.to_owned(),
        [one] => format!("{problem}; {one}"),
        // Alternatives, so `or`: any one of them helps.
        [first @ .., last] => format!("{problem}; {}, or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_advice_are_alternatives() {
        let advice = [
            Advice::OtherMissingPolicy,
            Advice::ListAsMissing { value: Some("-".to_owned()) },
            Advice::words("fill the gaps"),
        ];
        assert_eq!(
            with_advice("values are missing", &advice, &Advice::to_string),
            "values are missing; choose another policy for missing values, list '-' as a missing value \
             if it means that, or fill the gaps"
        );
    }
}
