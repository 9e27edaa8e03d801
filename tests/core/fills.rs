//! The values of explicit padding, for every element type, as numpy and ml_dtypes have them: `data/tables/fills.txt`.

use layout::ElementType;
use layout::shape::Fill;
use layout_tests::table;

/// Integers with a sign as decimal numbers, which are sign-extended to 128 bits; all others as bits.
fn bits(fill: Fill, element: ElementType) -> String {
    match fill.bits(element) {
        None => "none".to_owned(),
        Some(bits) if element.is_signed_integer() => (bits as i128).to_string(),
        Some(bits) => format!("{bits:#x}"),
    }
}

#[test]
fn every_element_type() {
    let mut left = ElementType::ALL.to_vec();
    table::check("fills", &mut |kind, columns| {
        let element = ElementType::from_name(columns[0]).unwrap();
        left.retain(|other| *other != element);
        assert_eq!(element.is_float(), kind == "floats", "{element}");
        assert_eq!(element.is_signed_integer(), kind == "integers with a sign", "{element}");
        assert_eq!(Fill::Unknown.bits(element), None, "{element}");
        let fills = [Fill::Zero, Fill::One, Fill::Lowest, Fill::Highest];
        fills.map(|fill| bits(fill, element)).join(" ")
    });
    assert_eq!(left, []);
}
