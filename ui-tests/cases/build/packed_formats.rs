use layout::PackedView;
use layout_formats::packed_format::{Marlin, MarlinScales};

fn main() {
    println!("{}", PackedView::<Marlin<60, 4096>>::new(&[0; 15]).is_ok());
    println!("{}", MarlinScales::<layout::element::F16, 4, 65>::offset([0, 0]));
}
