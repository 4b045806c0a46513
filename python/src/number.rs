//! Whole numbers that are handed over: one below zero, or one that is too large, is a wrong value
//! as any other, and no overflow.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::errors;

/// A number of the kind that is wanted.
pub(crate) fn whole<'py, T>(given: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    given.extract::<T>().map_err(|error| {
        match error.is_instance_of::<PyOverflowError>(given.py()) {
            true => {
                let bits = 8 * size_of::<T>();
                errors::value(format!(
                    "expected a whole number of 0 to 2^{bits} - 1, found {given}"
                ))
            }
            false => error,
        }
    })
}

/// As [`whole`], or None.
pub(crate) fn perhaps_whole<'py, T>(given: &Bound<'py, PyAny>) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    if given.is_none() { Ok(None) } else { whole(given).map(Some) }
}
