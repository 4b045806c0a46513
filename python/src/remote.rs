//! Tables at an address: the library asks for pieces of their files, and `_remote.py` fetches them
//! by Python's own HTTP client, with its proxies and certificates.

use std::io;
use std::path::Path;

use amazons::Table;
use amazons::machine::shown::Shown as _;
use amazons::tables::format::{ByteSource, TierBytes};
use amazons::tables::opening::Opening;
use amazons::tables::value_source::ValueSource;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// A file of which pieces are fetched.
struct RemoteFile {
    /// An object of the class `RemoteFile` of `_remote.py`.
    file: Py<PyAny>,
    length: u64,
}

impl ByteSource for RemoteFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let inside = at.checked_add(into.len() as u64).is_some_and(|end| end <= self.length);
        if !inside {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if into.is_empty() {
            return Ok(());
        }
        Python::attach(|py| {
            let found = self.file.bind(py).call_method1("read", (at, into.len()));
            let found = found.map_err(|error| failed(py, &error))?;
            let found =
                found.cast::<PyBytes>().map_err(|error| io::Error::other(error.to_string()))?;
            into.copy_from_slice(found.as_bytes());
            Ok(())
        })
    }
}

/// An exception as an error of the system, in which [`errors::table`] finds Ctrl-C again.
fn failed(py: Python<'_>, error: &PyErr) -> io::Error {
    match error.is_instance_of::<PyKeyboardInterrupt>(py) {
        true => io::Error::other(error.clone_ref(py)),
        false => io::Error::other(error.value(py).to_string()),
    }
}

fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("amazons_solver._remote")
}

/// Whether a path is the address of a server.
pub(crate) fn is_address(path: &str) -> bool {
    path.starts_with("https://") || path.starts_with("http://")
}

/// The address that a path is, if it is one.
pub(crate) fn address(path: &Bound<'_, PyAny>) -> Option<String> {
    path.extract::<String>().ok().filter(|path| is_address(path))
}

/// Refuses an address where files on this machine are meant.
pub(crate) fn expect_path(path: &Path) -> PyResult<()> {
    match path.to_str().is_some_and(is_address) {
        true => Err(errors::value(format!(
            "expected a path, found the address {}: only Table reads from one",
            path.shown()
        ))),
        false => Ok(()),
    }
}

/// All bytes at an address.
fn whole(py: Python<'_>, address: &str) -> PyResult<Vec<u8>> {
    fetched(py, "whole", address)?.extract()
}

/// The same, if there is anything.
fn whole_if_there(py: Python<'_>, address: &str) -> PyResult<Option<Vec<u8>>> {
    fetched(py, "whole_if_there", address)?.extract()
}

/// What a function of `_remote.py` fetches from an address.
fn fetched<'py>(py: Python<'py>, function: &str, address: &str) -> PyResult<Bound<'py, PyAny>> {
    let module = module(py)?;
    let remote_error = module.getattr("RemoteError")?;
    let found = module.call_method1(function, (address,));
    found.map_err(|error| match error.is_instance(py, &remote_error) {
        true => errors::file(error.value(py)),
        false => error,
    })
}

/// The manifests of the layers of margins in a directory: as many as its server has. Some servers
/// answer with a page for whatever they lack.
fn layers(py: Python<'_>, directory: &str) -> PyResult<Vec<Vec<u8>>> {
    let mut layers = Vec::new();
    for number in 1..=i8::MAX {
        let place = format!("{directory}margins-{number:02}.json");
        let layer = whole_if_there(py, &place)?;
        let Some(layer) = layer.filter(|layer| layer.starts_with(b"{")) else { break };
        layers.push(layer);
    }
    Ok(layers)
}

/// Opens the table of a directory at an address, with its margins if it has any, or the opening
/// table of a file (`*.amz`), which is fetched as a whole.
pub(crate) fn open(py: Python<'_>, address: &str, cache: u64) -> PyResult<ValueSource> {
    if address.ends_with(".amz") {
        let found = whole(py, address)?;
        let opening = Opening::read_within(found.as_slice(), u64::MAX);
        let opening = opening.map_err(|error| errors::opening(address.as_ref(), &error))?;
        return Ok(ValueSource::Opening(opening, address.into()));
    }
    let directory = format!("{}/", address.trim_end_matches('/'));
    let place = format!("{directory}manifest.json");
    let manifest = whole(py, &place)?;
    let layers = layers(py, &directory)?;
    let layers: Vec<&[u8]> = layers.iter().map(Vec::as_slice).collect();
    let table = Table::opened_by(&manifest, &layers, move |tier| {
        let place = format!("{directory}{}", tier.name);
        Python::attach(|py| {
            let file = module(py).and_then(|module| module.getattr("RemoteFile"));
            let file = file.and_then(|class| class.call1((place, tier.bytes)));
            let file = file.map_err(|error| failed(py, &error))?.unbind();
            Ok(TierBytes::of_source(RemoteFile { file, length: tier.bytes }))
        })
    });
    let table = table
        .map_err(|error| errors::table_with(&error, format!("{}: {error}", address.shown())))?;
    Ok(ValueSource::Table(table.with_cache(cache)))
}
