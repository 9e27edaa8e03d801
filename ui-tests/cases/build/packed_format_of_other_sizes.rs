use layout::PackedView;
use layout::packed_format::{Marlin, MarlinScales};

fn view() -> bool {
    PackedView::<Marlin<60, 4096>>::new(&[0; 15]).is_ok()
}

fn bytes() -> usize {
    Marlin::<64, 100>::BYTES
}

fn offset() -> usize {
    MarlinScales::<layout::element::F16, 4, 65>::offset([0, 0])
}

fn main() {
    println!("{} {} {}", view(), bytes(), offset());
}
