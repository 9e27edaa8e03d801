//! What is known of an operation by its name.

/// Whether an operation only passes on what it gets, so that it is not a use.
pub(crate) fn is_passed_on(opcode: &str) -> bool {
    matches!(opcode, "tuple" | "bitcast" | "get-tuple-element" | "optimization-barrier")
}

/// Whether elements of the result depend on the elements in the same place alone.
pub(crate) fn is_elementwise(opcode: &str) -> bool {
    /// In the order of letters.
    #[rustfmt::skip]
    const ALL: [&str; 49] = [
        "abs", "add", "and", "atan2", "bitcast-convert", "cbrt", "ceil", "clamp", "compare",
        "complex", "convert", "cosine", "count-leading-zeros", "divide", "erf", "exponential",
        "exponential-minus-one", "floor", "imag", "is-finite", "log", "log-plus-one", "logistic",
        "map", "maximum", "minimum", "multiply", "negate", "not", "or", "popcnt", "power", "real",
        "reduce-precision", "remainder", "round-nearest-afz", "round-nearest-even", "rsqrt",
        "select", "shift-left", "shift-right-arithmetic", "shift-right-logical", "sign", "sine",
        "sqrt", "subtract", "tan", "tanh", "xor",
    ];
    ALL.binary_search(&opcode).is_ok()
}
