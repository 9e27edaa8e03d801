use layout::{ViewMut, layout};

fn main() {
    let mut data = [0.0; 15];
    let mut view = ViewMut::<layout!(F32[3,5]), f32>::new(&mut data).unwrap();
    let [mut left, _right] = view.split_at_mut(1, 2).unwrap();
    view[[0, 0]] = 1.0;
    left[[0, 0]] = 2.0;
}
