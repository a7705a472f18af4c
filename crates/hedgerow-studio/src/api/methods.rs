//! `GET /api/methods`: the registries of methods with their parameters, for forms.

use hedgerow::registry;

use super::{Answer, Call, answer};
use crate::fault::Done;
use crate::studio::Studio;

pub(super) fn get(_: &Studio, _: &Call) -> Done<Answer> {
    answer(&registry::json())
}
