//! Names of parameters as names of types.

use layout_hlo::Parameter;
use proc_macro2::Ident;

/// For each parameter a unique identifier and the name that it is made from, if there is one.
///
/// A parameter's name is the `op_name` of its metadata, or else the name of its instruction without the
/// number that XLA appends. Its words (letters and digits) are joined, each with a capital: `params['w_1']`
/// becomes `ParamsW1`. Two digits that would meet are separated by `_`. A name that is not an identifier,
/// looks like `P0`, or belongs to two parameters is dropped.
pub(crate) fn unique(parameters: &[Parameter<'_>]) -> Vec<Option<(Ident, String)>> {
    let names = parameters.iter().map(|parameter| {
        let written = match parameter.op_name() {
            Some(name) if !name.is_empty() => name,
            _ => without_number(parameter.name()),
        };
        (camel_case(written), written.to_owned())
    });
    let names = names.collect::<Vec<_>>();
    let count = |name: &str| names.iter().filter(|(other, _)| other == name).count();
    let unique = names.iter().map(|(name, written)| {
        let ident = syn::parse_str(name).ok()?;
        (!is_numbered(name) && count(name) == 1).then(|| (ident, written.clone()))
    });
    unique.collect()
}

/// `Arg_0` of `Arg_0.1`.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((front, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => front,
        _ => name,
    }
}

fn camel_case(name: &str) -> String {
    let mut out = String::new();
    for word in name.split(|c: char| !c.is_alphanumeric()) {
        let mut letters = word.chars();
        let Some(first) = letters.next() else { continue };
        if first.is_ascii_digit() && out.ends_with(|c: char| c.is_ascii_digit()) {
            out.push('_');
        }
        out.extend(first.to_uppercase());
        out.push_str(letters.as_str());
    }
    out
}

/// `P0`, `P1` ..
fn is_numbered(name: &str) -> bool {
    let digits = name.strip_prefix('P').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use layout_hlo::Module;

    use super::*;

    #[test]
    fn words() {
        for (name, type_name) in [
            ("x", "X"),
            ("params['layers'][0]['w_1']", "ParamsLayers0W1"),
            ("a[1][2]", "A1_2"),
            ("learningRate", "LearningRate"),
            ("état", "État"),
            ("['']", ""),
        ] {
            assert_eq!(camel_case(name), type_name);
        }
    }

    #[test]
    fn names() {
        let text = r#"HloModule m
ENTRY main {
  Arg_0.1 = f32[] parameter(0)
  same.1 = f32[] parameter(1)
  same.2 = f32[] parameter(2)
  p.7 = f32[] parameter(3), metadata={op_name="state[\'w\']"}
  p0.8 = f32[] parameter(4)
  p.9 = f32[] parameter(5), metadata={op_name="[1]"}
  p.10 = f32[] parameter(6), metadata={op_name=""}
  self = f32[] parameter(7)
}"#;
        let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let names = unique(module.parameters()).into_iter();
        let names = names.map(|name| name.map(|(ident, written)| (ident.to_string(), written)));
        let own = |name: &str, written: &str| Some((name.to_owned(), written.to_owned()));
        assert!(names.eq([
            own("Arg0", "Arg_0"),
            None,
            None,
            own("StateW", "state['w']"),
            None,
            None,
            own("P", "p"),
            None,
        ]));
    }
}
