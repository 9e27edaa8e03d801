//! Element types by numpy's names.

use layout::ElementType;
use pyo3::prelude::*;

use crate::error::{refused, shown};

/// The name of numpy or `ml_dtypes`: `bfloat16`, `float8_e4m3fn`, `int4`.
pub(crate) fn numpy_name(element: ElementType) -> String {
    let name = element.name();
    let (kind, rest) = name.split_at(1);
    match kind {
        _ if name == "pred" => "bool".to_owned(),
        _ if name == "bf16" => "bfloat16".to_owned(),
        "s" => format!("int{rest}"),
        "u" => format!("uint{rest}"),
        "c" => format!("complex{rest}"),
        // Floats of few bits list those of the exponent and the mantissa.
        _ => format!("float{}", rest.replacen('e', "_e", 1)),
    }
}

/// The element type that a name of XLA, a name of numpy, a `dtype` or a scalar type says.
pub(crate) fn element(dtype: &Bound<'_, PyAny>) -> PyResult<ElementType> {
    let by_name = |name: &str| {
        let numpy = || ElementType::ALL.iter().copied().find(|own| numpy_name(*own) == name);
        ElementType::from_name(name).or_else(numpy)
    };
    let refuse = |what: &str| {
        refused(
            format!("{} is not an element type", shown(what)),
            "write one of XLA's names, as `bf16`, or a dtype of numpy or ml_dtypes",
        )
    };
    if let Ok(name) = dtype.extract::<String>() {
        return by_name(&name).ok_or_else(|| refuse(&name));
    }
    let known = dtype.py().import("numpy")?.call_method1("dtype", (dtype,));
    let name = known.and_then(|known| known.getattr("name")?.extract::<String>());
    let refuse = || refuse(&dtype.get_type().to_string());
    name.ok().and_then(|name| by_name(&name)).ok_or_else(refuse)
}
