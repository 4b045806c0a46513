//! The library `amazons` for Python. What each name does is said in `amazons_solver/_native.pyi`.
//!
//! Whatever takes long is done without Python's lock, and Ctrl-C stops it ([`work`]). Nothing that
//! Python hands over ends the interpreter: tables are read and not mapped, and a panic of the
//! library is an exception.

use pyo3::prelude::*;

mod batch;
mod build;
mod engine;
mod errors;
mod knowledge;
mod number;
mod position;
mod record;
mod region;
mod remote;
mod solver;
mod table;
mod variant;
mod who_solves;
mod work;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("TableError", module.py().get_type::<errors::TableError>())?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<variant::PyVariantPosition>()?;
    module.add_class::<record::PyRecord>()?;
    module.add_class::<table::PyTable>()?;
    module.add_class::<solver::PySolver>()?;
    module.add_class::<engine::PyEngine>()?;
    module.add_class::<engine::Evaluation>()?;
    module.add_class::<build::Verification>()?;
    module.add_class::<region::LocalValue>()?;
    module.add_class::<knowledge::PyKnowledge>()?;
    module.add_class::<knowledge::Known>()?;
    module.add_function(wrap_pyfunction!(batch::pack, module)?)?;
    module.add_function(wrap_pyfunction!(batch::unpack, module)?)?;
    module.add_function(wrap_pyfunction!(build::build, module)?)?;
    module.add_function(wrap_pyfunction!(build::verify, module)?)?;
    module.add_function(wrap_pyfunction!(record::read_records, module)?)?;
    module.add_function(wrap_pyfunction!(region::region_value, module)?)?;
    module.add_function(wrap_pyfunction!(knowledge::score, module)?)?;
    module.add_function(wrap_pyfunction!(engine::evaluate, module)?)
}
