//! Hierarchies of words: what they mean decides what stands together.

mod base;
mod vgh;
