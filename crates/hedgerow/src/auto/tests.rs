//! Tests of `auto`.
