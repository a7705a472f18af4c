//! Methods by name: what each says about itself, the registries that roles keep, and
//! `name:parameter=value` as people write it.

mod spec;
mod parameter;
mod description;
#[cfg(test)]
pub(crate) mod probe;

pub use description::{Describe, Described, Description, Need, Validate};
pub use parameter::{Parameter, Type};
pub use spec::{Spec, Text};

use std::ops::Deref;

use crate::{Error, Result};

/// One line of a registry: what a method says about itself, and the method or how it is made.
///
/// All roles use this shape; `M` is what the role needs of a method. Help texts, JSON, validation,
/// forms and property tests iterate registries, so a method is known everywhere as soon as it has a
/// line in the `mod.rs` of its role.
#[derive(Debug, Clone, Copy)]
pub struct Method<M> {
    /// What the method says about itself. The fields of the description can be read directly, as in
    /// `method.name`.
    pub description: Description,
    /// The method itself, or the function that makes it from its parameters.
    pub item: M,
}

/// Makes a method of a role from its parameters.
pub type Make<T> = fn(&Spec) -> Result<Box<T>>;

impl<M> Method<M> {
    /// The line of a method.
    pub const fn new(description: Description, item: M) -> Self {
        Self { description, item }
    }

    /// Finds the method that `spec` names, and checks the parameters against its description.
    pub fn find(
        registry: impl Iterator<Item = &'static Self> + Clone,
        what: &'static str,
        spec: &Spec,
    ) -> Result<&'static Self> {
        let method = registry
            .clone()
            .find(|method| method.name == spec.name)
            .ok_or_else(|| Error::unknown(what, &spec.name, registry.map(|method| method.name)))?;
        method.check(spec)?;
        Ok(method)
    }
}

impl<T: ?Sized + 'static> Method<Make<T>> {
    /// Makes the method that `spec` names in `registry`.
    pub fn from_spec(
        registry: impl Iterator<Item = &'static Self> + Clone,
        what: &'static str,
        spec: &Spec,
    ) -> Result<Box<T>> {
        (Self::find(registry, what, spec)?.item)(spec)
    }
}

impl<M> Deref for Method<M> {
    type Target = Description;

    fn deref(&self) -> &Description {
        &self.description
    }
}
