//! What cannot be written is an error that says what to do: `data/tables/code.txt`.

use layout_gpu::code::{Code, Language};
use layout_tests::lists::array;
use layout_tests::table;

fn c_family() -> Vec<Language> {
    let is_other = |language: &Language| matches!(language, Language::Wgsl | Language::Mlir);
    Language::ALL.iter().copied().filter(|language| !is_other(language)).collect()
}

#[test]
fn refused() {
    table::check("code", &mut |_, columns| {
        let [text, languages, name, bits] = columns else { panic!("{columns:?}") };
        let name = match name.split_once('*') {
            Some((character, count)) => character.repeat(count.parse().unwrap()),
            None => name.replace("\\n", "\n").replace("\\u{202e}", "\u{202e}"),
        };
        let (shape, bits) = (array(text), bits.parse().unwrap());
        let languages = match *languages {
            "all" => Language::ALL,
            "C family" => &c_family(),
            one => &[Language::from_name(one).unwrap()],
        };
        let mut answers = languages.iter().map(|&language| {
            let code = Code::of(&shape, language).name(&name).index_bits(bits).text();
            let said = code.map_or_else(|error| error.to_string(), |_| "ok".to_owned());
            said.replace(&format!(" in {language}"), " in LANGUAGE")
        });
        let answers = answers.by_ref().collect::<std::collections::BTreeSet<_>>();
        answers.into_iter().collect::<Vec<_>>().join(" or ")
    });
}

/// With indices of 64 bits there are more slots, and bytes may be more than 32 bits count where slots are not.
#[test]
fn sizes_above_32_bits() {
    for language in c_family() {
        let shape = array("u8[4294967296,100]{1,0:T(8,128)}");
        let text = Code::of(&shape, language).index_bits(64).text().unwrap().to_string();
        assert!(text.contains("_PADDED_ELEMENTS 549755813888u"), "{text}");
    }
    let shape = array("f64[4294967295]");
    for (language, line) in [
        (Language::C99, "#define layout_BYTES 34359738360ull\n"),
        (Language::OpenCl, "#define layout_BYTES 34359738360ul\n"),
        (Language::Wgsl, "\n// layout_BYTES would be 34359738360, above what 32 bits count\n"),
    ] {
        assert!(Code::of(&shape, language).text().unwrap().to_string().contains(line));
    }
}
