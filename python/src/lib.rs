//! The native module of the Python package: arguments to the library's stages, results back.

mod advice;
mod errors;
mod running;
mod arguments;
mod spelling;
mod frame;
mod table;
mod lists;
mod opened;
mod inspect;
mod hierarchy;
mod published;
mod anonymize;
mod apply;
mod recode;
mod verify;
mod measure;
mod risk;
mod attack;
mod compare;
mod plan;
mod parts;

use pyo3::prelude::*;

/// The native module `hedgerow._hedgerow`. The package `hedgerow` is written on top of it.
#[pymodule]
fn _hedgerow(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<table::ArrowTable>()?;
    module.add_class::<published::NativeRecords>()?;
    module.add_class::<anonymize::NativeRelease>()?;
    module.add_class::<anonymize::NativeFileRelease>()?;
    module.add_class::<apply::NativeApplied>()?;
    module.add_class::<hierarchy::NativeHierarchy>()?;
    module.add_class::<plan::NativePlan>()?;
    module.add_class::<parts::NativeDivision>()?;
    module.add_function(wrap_pyfunction!(lists::of_lists, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::check_arguments, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(anonymize::anonymize, module)?)?;
    module.add_function(wrap_pyfunction!(anonymize::anonymize_file, module)?)?;
    module.add_function(wrap_pyfunction!(apply::apply, module)?)?;
    module.add_function(wrap_pyfunction!(apply::apply_file, module)?)?;
    module.add_function(wrap_pyfunction!(recode::recode, module)?)?;
    module.add_function(wrap_pyfunction!(verify::verify, module)?)?;
    module.add_function(wrap_pyfunction!(verify::looks_at_population, module)?)?;
    module.add_function(wrap_pyfunction!(measure::measure, module)?)?;
    module.add_function(wrap_pyfunction!(risk::risk, module)?)?;
    module.add_function(wrap_pyfunction!(attack::attack, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(hierarchy::build_hierarchy, module)?)?;
    module.add_function(wrap_pyfunction!(hierarchy::read_hierarchy, module)?)?;
    module.add_function(wrap_pyfunction!(hierarchy::hierarchy_candidates, module)?)?;
    module.add_function(wrap_pyfunction!(hierarchy::rank_hierarchies, module)?)?;
    module.add_function(wrap_pyfunction!(plan::counting, module)?)?;
    module.add_function(wrap_pyfunction!(plan::plan, module)?)?;
    module.add_function(wrap_pyfunction!(plan::examine, module)?)?;
    module.add_function(wrap_pyfunction!(parts::divide, module)?)?;
    module.add_function(wrap_pyfunction!(plan::spelled, module)?)?;
    Ok(())
}
