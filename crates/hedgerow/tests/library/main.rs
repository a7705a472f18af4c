//! Tests of the library through its public items: one program, so that the library is linked once.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../archive/mod.rs"]
mod archive;
mod adult;
mod bottom_up;
mod budget;
mod cancelled;
mod cases;
mod classification;
mod compare;
mod counts;
mod details;
mod everything;
mod figures;
mod formats;
mod full_domain;
mod goals;
mod golden;
mod hazard;
mod hidden;
mod import;
mod in_memory;
mod judged;
mod kinds;
mod knowledge;
mod misuse;
mod naive;
mod papers;
mod people;
mod population;
mod properties;
mod quick;
mod random;
mod ranking;
mod recipe;
mod recipe_secrecy;
mod refusals;
mod remeasure;
mod risk;
mod second;
mod sinks;
mod styles;
mod tables;
mod traversal;
mod words;
