//! The values that `__reduce__` returns.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;

/// The function that restores a pickled object, and its arguments as a tuple.
pub(crate) type Reduced<'py, A> = (Bound<'py, PyAny>, A);

/// Returns the values that `__reduce__` returns for an object of the class `T`. `restore` is the
/// name of the static method of this class that restores the object from `arguments`, a tuple.
pub(crate) fn reduce<'py, T: PyTypeInfo, A>(
    py: Python<'py>,
    restore: &str,
    arguments: A,
) -> PyResult<Reduced<'py, A>> {
    Ok((py.get_type::<T>().getattr(restore)?, arguments))
}
