//! Values of local positions.

use amazons::error::{PartTooLarge, TooLarge};
use amazons::theory::values::{Dyadic, Value, Wall};
use amazons::{Evaluator, LocalPosition, Placed, StopFlag};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::errors;
use crate::number::whole;
use crate::work::{SILENT, all_or_nothing};

/// The value of a local position; numbers are Python's fractions.
#[pyclass(frozen, get_all, module = "amazons_solver")]
pub(crate) struct LocalValue {
    region: String,
    value: String,
    temperature: Py<PyAny>,
    mean: Py<PyAny>,
    left_stop: Py<PyAny>,
    right_stop: Py<PyAny>,
    outcome: &'static str,
    left_wall: Vec<(Py<PyAny>, Py<PyAny>)>,
    right_wall: Vec<(Py<PyAny>, Py<PyAny>)>,
}

#[pymethods]
impl LocalValue {
    fn __str__(&self) -> String {
        self.value.clone()
    }

    fn __repr__(&self) -> String {
        let Self { region, value, temperature, .. } = self;
        format!("LocalValue('{region}': {value}, temperature {temperature})")
    }
}

fn fraction(py: Python<'_>, number: Dyadic) -> PyResult<Py<PyAny>> {
    static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let fraction = FRACTION.import(py, "fractions", "Fraction")?;
    Ok(fraction.call1((number.numerator(), 1i64 << number.exponent()))?.unbind())
}

fn corners(py: Python<'_>, wall: &Wall) -> PyResult<Vec<(Py<PyAny>, Py<PyAny>)>> {
    let corner = |&(tax, value)| Ok((fraction(py, tax)?, fraction(py, value)?));
    wall.corners().iter().map(corner).collect()
}

/// Why there is no value.
enum NoValue {
    Part(PartTooLarge),
    Value(TooLarge),
    Text,
}

fn total(evaluator: &Evaluator, regions: &[LocalPosition]) -> Result<Value, NoValue> {
    let mut values = Vec::new();
    for region in regions {
        for part in Placed::components(region).map_err(NoValue::Part)? {
            values.push(evaluator.value_in_parallel(part.game()).map_err(NoValue::Value)?);
        }
    }
    let total = evaluator.total(values).map_err(NoValue::Value)?;
    evaluator.values().is_writable(total).then_some(total).ok_or(NoValue::Text)
}

/// The combinatorial value of local positions, taken as a sum.
#[pyfunction]
#[pyo3(signature = (*rows, memory=268_435_456))]
pub(crate) fn region_value(
    py: Python<'_>,
    rows: Vec<String>,
    #[pyo3(from_py_with = whole)] memory: u64,
) -> PyResult<LocalValue> {
    let read = |text: &String| {
        let region: LocalPosition = text.parse().map_err(errors::value)?;
        match region.board.all().is_subset(region.burned) {
            true => {
                Err(errors::value(format!("the region {region} has no square that is not burned")))
            }
            false => Ok(region),
        }
    };
    let regions: Vec<LocalPosition> = rows.iter().map(read).collect::<PyResult<_>>()?;
    if regions.is_empty() {
        return Err(errors::value("expected a region such as \"x..o\", found nothing"));
    }
    let stop = StopFlag::new();
    let evaluator = Evaluator::with_memory(memory).with_stop(stop.clone());
    let value = all_or_nothing(py, &stop, &SILENT, || total(&evaluator, &regions))?;
    let value = value.map_err(|error| match error {
        NoValue::Part(part) => errors::value(part),
        NoValue::Value(limit) => errors::memory(limit),
        NoValue::Text => errors::value("the value of these regions is too long to be written"),
    })?;
    let values = evaluator.values();
    let graph = values.thermograph(value);
    let texts: Vec<String> = regions.iter().map(LocalPosition::to_string).collect();
    Ok(LocalValue {
        region: texts.join(" + "),
        value: values.text(value),
        temperature: fraction(py, graph.temperature)?,
        mean: fraction(py, graph.mean)?,
        left_stop: fraction(py, values.left_stop(value))?,
        right_stop: fraction(py, values.right_stop(value))?,
        outcome: values.outcome(value).letter(),
        left_wall: corners(py, &graph.left)?,
        right_wall: corners(py, &graph.right)?,
    })
}
