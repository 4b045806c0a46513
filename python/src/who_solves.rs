//! Who solves a table: the processor or a graphics card.

use amazons::BuildOptions;
use amazons::tables::index::TableSubject;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// The keyword `gpu` of `build`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhoSolves {
    /// `False`.
    Processor,
    /// `True`: an error if no card can.
    Card,
    /// `'auto'`: the card if it can, else the processor.
    CardIfItCan,
}

impl<'py> FromPyObject<'_, 'py> for WhoSolves {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(wanted) = object.cast::<PyBool>() {
            return Ok(if wanted.is_true() { Self::Card } else { Self::Processor });
        }
        match object.extract::<String>().as_deref() {
            Ok("auto") => Ok(Self::CardIfItCan),
            _ => {
                let found = object.repr()?;
                let message = format!("gpu: expected True, False or 'auto', found {found}");
                Err(PyValueError::new_err(message))
            }
        }
    }
}

impl WhoSolves {
    /// Puts the card into the options of a build of such a table with so many layers of margins.
    ///
    /// # Errors
    /// `ValueError` if the module was built without the feature gpu, or there is no card, or it
    /// cannot solve the table.
    pub(crate) fn choose(
        self,
        subject: TableSubject,
        layers: i8,
        options: &mut BuildOptions,
    ) -> PyResult<()> {
        match self {
            Self::Processor => Ok(()),
            Self::Card => use_card(subject, layers, options).map_err(PyValueError::new_err),
            Self::CardIfItCan => {
                let _ = use_card(subject, layers, options);
                Ok(())
            }
        }
    }
}

#[cfg(feature = "gpu")]
fn use_card(subject: TableSubject, layers: i8, options: &mut BuildOptions) -> Result<(), String> {
    use amazons::tables::retrograde::gpu::{Gpu, GpuSettings};

    let gpu = Gpu::open_for(&GpuSettings::default(), subject, options.least_arrows, layers);
    options.gpu = Some(gpu.map_err(|error| error.to_string())?);
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn use_card(_: TableSubject, _: i8, _: &mut BuildOptions) -> Result<(), String> {
    Err("gpu: this module was built without the feature gpu".to_string())
}
