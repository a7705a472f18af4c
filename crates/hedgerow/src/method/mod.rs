//! Methods by name: their descriptions, the registries of roles, and `name:parameter=value` as
//! users write it.

mod spec;
mod parameter;
mod scope;
mod description;
#[cfg(test)]
pub(crate) mod probe;

pub use description::{Describe, Described, Description, Need, Validate};
pub use parameter::{Parameter, Type};
pub use scope::Scope;
pub use spec::{Spec, Text};

use std::ops::Deref;

use crate::{Error, Result};

/// An entry of a registry: the description of a method, and the method or a function that creates
/// it.
///
/// All roles use this type; `M` is what the role needs of a method. Help texts, JSON, validation,
/// forms and property tests iterate over registries, so a method is known everywhere as soon as it
/// has an entry in the `mod.rs` of its role.
#[derive(Debug, Clone, Copy)]
pub struct Method<M> {
    /// The description of the method. Its fields can be read directly, as in `method.name`.
    pub description: Description,
    /// The method itself, or a function that creates it from its parameters.
    pub item: M,
    /// The uniformity of the method's recoding, if it is an anonymizer.
    pub recoding: Option<Scope>,
}

/// Creates a method of a role from its parameters.
pub type Make<T> = fn(&Spec) -> Result<Box<T>>;

impl<M> Method<M> {
    /// Creates an entry of a registry.
    pub const fn new(description: Description, item: M) -> Self {
        Self { description, item, recoding: None }
    }

    /// Returns the entry with the statement of how its method recodes values.
    #[must_use]
    pub(crate) const fn recodes(mut self, recoding: Option<Scope>) -> Self
    where
        M: Copy,
    {
        self.recoding = recoding;
        self
    }

    /// Finds the method that `spec` names and checks the parameters against its description.
    pub fn find(
        registry: impl Iterator<Item = &'static Self> + Clone,
        what: &'static str,
        spec: &Spec,
    ) -> Result<&'static Self> {
        let method = registry
            .clone()
            .find(|method| method.name == spec.name)
            .ok_or_else(|| Error::unknown(what, &spec.name, registry.map(|method| method.name)))?;
        // Here and nowhere else: every role finds its methods this way, so no parameter escapes the
        // check.
        method.check(spec)?;
        Ok(method)
    }
}

impl<T: ?Sized + 'static> Method<Make<T>> {
    /// Creates the method that `spec` names in `registry`.
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
