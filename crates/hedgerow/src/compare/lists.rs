//! Lists of methods, as users write them in one text.

/// Divides a list at its commas, except for those between parameters of a method.
///
/// ```
/// use hedgerow::compare::divided;
/// let list = divided("hedge, han:threshold=4,fan-out=5,files=trees");
/// assert_eq!(list, ["hedge", "han:threshold=4,fan-out=5", "files=trees"]);
/// ```
pub fn divided(list: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        // A part such as `fan-out=5` continues the method before it. `files=trees` has the form of
        // a parameter but is a setting.
        let is_parameter = part.contains('=') && !part.contains(':') && !part.starts_with("files=");
        // Only a method that has a colon already can have further parameters.
        match items.last_mut().filter(|last| is_parameter && last.contains(':')) {
            Some(last) => {
                last.push(',');
                last.push_str(part);
            }
            None => items.push(part.to_owned()),
        }
    }
    items
}

/// Divides `a+b:x=1+2+c` where the name of a method follows a plus sign. Other plus signs belong to
/// values of parameters.
pub(super) fn joined(text: &str, is_name: impl Fn(&str) -> bool) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for part in text.split('+') {
        // The text after a plus sign decides: 1+2 is a value, `l-diversity` a name.
        let name = part.split(':').next().unwrap_or_default().trim();
        match items.last_mut().filter(|_| !is_name(name)) {
            Some(last) => {
                last.push('+');
                last.push_str(part);
            }
            None => items.push(part.trim().to_owned()),
        }
    }
    items
}

/// The items, each once, in the order in which they come first.
pub(super) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for item in items {
        // Quadratic, but lists have tens of items, and neither hashing nor an order is required of
        // them.
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plus_signs_of_parameters_do_not_divide() {
        let is_name = |name: &str| ["bands", "frequency"].contains(&name);
        assert_eq!(
            joined("bands:cuts=5+18+65+frequency", is_name),
            ["bands:cuts=5+18+65", "frequency"]
        );
        assert_eq!(joined("frequency", is_name), ["frequency"]);
    }
}
