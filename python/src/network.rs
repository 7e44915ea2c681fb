//! Evaluation: `Network`, a file of the user's, and `evaluate`.

use std::ffi::CString;
use std::io;
use std::num::NonZeroU16;
use std::path::PathBuf;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tsumero_network::{Network as NetworkFile, NetworkError, StackRule};
use tsumero_search::{
    EvaluationChoice, EvaluationFileError, EvaluationFunction, EvaluationSource, NetworkEvaluation,
};

use crate::board::Board;
use crate::error::value_error;

/// An evaluation network from a file, for `Engine`, `evaluate`, `search` and `analyze`.
///
/// HalfKP, K-P, ZoneKA1, HalfKA and layer stacks (SFNN) are read. `fv_scale` (1 to 65535) is the divisor of the network's output;
/// otherwise the advice of its makers counts. A scale in `eval_options.txt` that is no such number is a `UserWarning`.
/// `stacks` names the rule by which a stack is chosen (`k3k3`, `progress8ek`, ...), if the file does not say it. A file that
/// cannot be opened is an `OSError`, and one that is no network a `ValueError`.
#[pyclass(module = "tsumero", frozen)]
pub(crate) struct Network {
    path: PathBuf,
    /// What the user has asked for.
    wanted: (Option<NonZeroU16>, Option<StackRule>),
    evaluation: NetworkEvaluation,
}

impl Network {
    /// The evaluation by a network, or by that of the package.
    pub(crate) fn evaluation(network: Option<&Bound<'_, Network>>) -> EvaluationFunction {
        network.map_or_else(EvaluationFunction::default, |network| {
            EvaluationFunction::Network(network.get().evaluation.clone())
        })
    }

    fn network(&self) -> &NetworkFile {
        &self.evaluation.network
    }
}

/// What is no file is an `OSError`, as in Python, and a file with other contents a `ValueError`.
fn reading_error(error: EvaluationFileError) -> PyErr {
    match error.reason {
        NetworkError::Unreadable(kind) | NetworkError::OptionsFile(kind) => {
            io::Error::new(kind, error.to_string()).into()
        }
        NetworkError::NoFile => PyOSError::new_err(error.to_string()),
        NetworkError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// The divisor of a network's output.
fn read_scale(scale: u16) -> PyResult<NonZeroU16> {
    let wrong = || value_error(format_args!("fv_scale={scale}: not between 1 and {}", u16::MAX));
    NonZeroU16::new(scale).ok_or_else(wrong)
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path, fv_scale=None, stacks=None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        fv_scale: Option<u16>,
        stacks: Option<&str>,
    ) -> PyResult<Network> {
        let fv_scale = fv_scale.map(read_scale).transpose()?;
        let stacks = stacks.map(str::parse::<StackRule>).transpose().map_err(value_error)?;
        // The folder in which the program works may change before a copy of the network is read in another process.
        let path = std::path::absolute(&path).unwrap_or(path);
        let source = EvaluationSource::File(path.clone());
        let choice = EvaluationChoice { source, fv_scale, stacks };
        match py.detach(|| choice.read()).map_err(reading_error)? {
            EvaluationFunction::Network(evaluation) => {
                if let (None, Some(other)) = (fv_scale, evaluation.network.unread_scale()) {
                    let (path, scale) = (path.display(), evaluation.fv_scale);
                    let text =
                        format!("{path}: FV_SCALE {scale} (not {other} as eval_options.txt says)");
                    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 1)?;
                }
                Ok(Network { path, wanted: (fv_scale, stacks), evaluation })
            }
            EvaluationFunction::AttackMaps => unreachable!("a file is a network"),
        }
    }

    fn __copy__(slf: Py<Network>) -> Py<Network> {
        slf
    }

    /// A network never changes, and is large.
    fn __deepcopy__(slf: Py<Network>, _memo: &Bound<'_, PyAny>) -> Py<Network> {
        slf
    }

    /// Another process reads the file again.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyAny>)> {
        let (fv_scale, stacks) = self.wanted;
        let stacks = stacks.map(|rule| rule.to_string());
        let arguments = (&self.path, fv_scale, stacks).into_bound_py_any(py)?;
        Ok((py.get_type::<Network>(), arguments))
    }

    /// Kind of inputs and widths of the layers: `HalfKP 256x2-32-32`.
    #[getter]
    fn shape(&self) -> String {
        self.network().shape().to_string()
    }

    /// The divisor of the network's output.
    #[getter]
    fn fv_scale(&self) -> NonZeroU16 {
        self.evaluation.fv_scale
    }

    /// The rule by which a stack is chosen, and why it is this one; `None` if the network has no stacks.
    #[getter]
    fn stacks(&self) -> Option<String> {
        self.network().stack_choice().map(|choice| choice.to_string())
    }

    fn __repr__(&self) -> String {
        format!("<Network: {}, {}>", self.shape(), self.path.display())
    }
}

/// The static value for the side to move, by a network or by that of the package, for which a pawn is worth about 90.
#[pyfunction]
#[pyo3(signature = (board, network=None))]
pub(crate) fn evaluate(
    board: &Bound<'_, Board>,
    network: Option<&Bound<'_, Network>>,
) -> PyResult<i32> {
    let position = board.try_borrow()?.game.position().clone();
    let evaluation = Network::evaluation(network);
    Ok(board.py().detach(|| evaluation.evaluate(&position).value()))
}
