//! Arrays of a result that lie in the memory of an array that goes in.

use alloc::vec::Vec;

use crate::reading::attributes::list;

/// `{1}: (0, {}, may-alias)`: of a module, with a parameter's number, or of an operation, with an operand's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alias {
    /// Where the array is in the result, if that is a tuple.
    pub result: Vec<usize>,
    pub parameter: usize,
    pub parameter_part: Vec<usize>,
}

/// The pairs of `input_output_alias` and `output_to_operand_aliasing`, in their braces. `None`: they are something else.
pub(crate) fn aliases(text: &str) -> Option<Vec<Alias>> {
    let place = |text: &str| {
        let numbers = list(text.trim().strip_prefix('{')?.strip_suffix('}')?);
        numbers.map(|part| part.parse().ok()).collect::<Option<Vec<usize>>>()
    };
    let pair = |item: &str| {
        let (result, parameter) = item.split_once(':')?;
        let mut parts = list(parameter.trim().strip_prefix('(')?.strip_suffix(')')?);
        let parameter = parts.next()?.parse().ok()?;
        Some(Alias { result: place(result)?, parameter, parameter_part: place(parts.next()?)? })
    };
    list(text.strip_prefix('{')?.strip_suffix('}')?).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs() {
        let found =
            aliases("{ {1}: (0, {}, may-alias), {0, 2}: (12, {3}, must-alias), {}: (4, {}) }")
                .unwrap();
        let found = found.iter().map(|it| (&it.result[..], it.parameter, &it.parameter_part[..]));
        assert!(found.eq([(&[1][..], 0, &[][..]), (&[0, 2], 12, &[3]), (&[], 4, &[])]));
        for wrong in ["{", "{ {1}: 0 }", "{ {18446744073709551616}: (0, {}) }"] {
            assert_eq!(aliases(wrong), None, "{wrong}");
        }
    }
}
