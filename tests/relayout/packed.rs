//! Packed elements, in either order of bits within bytes, between layouts, parts and strides, and from and to one element a byte.

use layout::types::{Element, LayoutTypes};
use layout::{PackedView, PackedViewMut, Padding, View, ViewMut, layout};
use layout_tests::copies::doors::{Format, Run, Side, bits, parts, some_dims, values};
use layout_tests::copies::region::Held;
use layout_tests::doors;

type Packed<L> = <<L as LayoutTypes>::Element as Element>::Packed;

fn bools() -> Format<Held<bool>> {
    values(|number| number % 2 == 1, Some(false))
}

fn unsigned() -> Format<Held<u8>> {
    values(|number| number as u8, Some(0))
}

/// What lies above the low bits is not the element's.
fn signed() -> Format<Held<i8>> {
    values(|number| number as i8, Some(0))
}

fn same<T>(value: T) -> T {
    value
}

/// Other bits of an element are not those of a `bool`.
fn is_one(bit: u8) -> bool {
    bit % 2 == 1
}

/// Four bits as strides read them, and the number that they are.
fn extended(bits: u8) -> i8 {
    (bits << 4).cast_signed() >> 4
}

fn low_bits(number: i8) -> u8 {
    number.cast_unsigned()
}

/// Between packed elements, in both orders of bits on either side.
macro_rules! repacked {
    ($run:ident $a:ident $b:ident $bits:literal $($kinds:tt)*) => {
        repacked! { @ $run $a $b $bits low low $($kinds)* }
        repacked! { @ $run $a $b $bits low high $($kinds)* }
        repacked! { @ $run $a $b $bits high low $($kinds)* }
        repacked! { @ $run $a $b $bits high high $($kinds)* }
    };
    (@ $run:ident $a:ident $b:ident $bits:literal $o:ident $p:ident $froms:tt $A:ty => $tos:tt $B:ty) => {{
        let orders = [stringify!($o), stringify!($p)].map(|order| order == "high");
        let [from, to] = orders.map(|is_high| bits::<Packed<$A>>($bits, is_high));
        doors! { $run, $a ($o $bits) from => $b ($p $bits) to, |x| x, [copy_to]:
            $froms $A => $tos $B;
        }
    }};
}

/// From packed elements in an order of bits to one a byte through some doors, and back.
macro_rules! unpacked {
    ($run:ident $a:ident $b:ident $order:ident $bits:literal
        $values:ident $doors:tt: $froms:tt $A:ty => $tos:tt $B:ty) => {
        let packed = || bits::<Packed<$A>>($bits, stringify!($order) == "high");
        let (to_value, to_bits) = unpacked!(@ $values);
        doors! { $run, $a ($order $bits) packed() => $b plain $values(), to_value, $doors:
            $froms $A => $tos $B;
        }
        doors! { $run, $b plain $values() => $a ($order $bits) packed(), to_bits, [copy_to]:
            $tos $B => $froms $A;
        }
    };
    (@ bools) => { (is_one, u8::from) };
    (@ $values:ident) => { (same, same) };
}

#[test]
fn parts_to_parts() {
    type Rows = layout!(U1[?,?]{1,0:E(1)});
    type Pages = layout!(U1[?,?]{1,0:T(8,128)(8,1)E(1)});
    type Columns = layout!(U4[?,?]{0,1:E(4)});
    type Words = layout!(U4[?,?]{1,0:T(8,128)(8,1)E(4)});
    let mut run = Run::new(7);
    macro_rules! pairs {
        ($($bits:literal $from:ty, $dims:expr => $tos:tt $to:ty, $larger:expr;)*) => {$(
            for [a, b] in parts(&mut run.random, [$dims, $larger], 40) {
                repacked! { run a b $bits [part] $from => $tos $to }
                repacked! { run a b $bits [view] $from => [part] $to }
            }
        )*};
    }
    pairs! {
        1 Rows, [40, 150] => [view part] Rows, [45, 171];
        1 Rows, [40, 150] => [view part] Pages, [48, 150];
        1 Pages, [48, 256] => [view part] Rows, [48, 256];
        4 Columns, [33, 60] => [view part] Words, [33, 60];
        4 Words, [40, 130] => [view part] Columns, [41, 131];
        2 layout!(U2[5,37]{0,1:E(2)}), [5, 37] => [part] layout!(U2[<=6,40]{1,0:T(2,4)E(2)}), [5, 40];
        4 layout!(U4[12,30]{1,0:T(7)E(4)}), [12, 30] =>
            [view part] layout!(U4[12,30]{1,0:T(8)E(4)}), [12, 30];
    }
    run.finish();
}

/// Whole arrays whose plans are constants, in blocks that vectors exchange, with edges and without: of each number of bits.
#[test]
fn constant_layouts() {
    let mut run = Run::new(8);
    macro_rules! pairs {
        ($($bits:literal $element:ident [$($dim:literal),*] {$($from:tt)*} {$($to:tt)*};)*) => {$(
            let [a, b] = Side::pair(&mut run.random, [$($dim),*]);
            repacked! { run a b $bits
                [view] layout!($element[$($dim),*]{$($from)*}) =>
                [view] layout!($element[$($dim),*]{$($to)*})
            }
        )*};
    }
    pairs! {
        1 U1[10,16] {0,1:T(8,4)E(1)} {1,0:E(1)};
        1 U1[61,130] {1,0:E(1)} {1,0:T(8,128)(8,1)E(1)};
        2 U2[5,3,7] {2,1,0:E(2)} {0,2,1:E(2)};
        4 U4[64,64] {1,0:E(4)} {0,1:E(4)};
    }
    run.finish();
}

/// Halves of the bytes, too, which other threads may write at the same time.
#[test]
fn parts_from_and_to_bytes() {
    type Bits = layout!(PRED[?,?]{1,0:E(1)});
    type Pages = layout!(PRED[?,?]{1,0:T(8,128)(8,1)E(1)});
    type Bools = layout!(PRED[?,?]);
    type Nibbles = layout!(S4[?,?]{0,1:E(4)});
    type Bytes = layout!(S4[?,?]{1,0:T(2,4)});
    let mut run = Run::new(9);
    macro_rules! pairs {
        ($($order:ident $values:ident $bits:literal $from:ty, $dims:expr => $to:ty, $larger:expr;)*) => {$(
            for [a, b] in parts(&mut run.random, [$dims, $larger], 40) {
                unpacked! { run a b $order $bits $values [copy_to halves]:
                    [view part] $from => [view part] $to
                }
            }
        )*};
    }
    pairs! {
        low unsigned 1 Bits, [40, 150] => Bools, [45, 171];
        high bools 1 Bits, [5, 7] => Bools, [5, 7];
        low bools 1 Pages, [40, 150] => Bools, [40, 150];
        high bools 1 layout!(PRED[16,64]{1,0:E(1)}), [16, 64] => layout!(PRED[16,64]{0,1}), [16, 64];
        low bools 1 layout!(PRED[16,10]{1,0:T(8)E(1)}), [16, 10] => layout!(PRED[16,10]{0,1}), [16, 10];
        high bools 1 layout!(PRED[8,8]{1,0:E(1)}), [8, 8] => layout!(PRED[8,8]{0,1}), [8, 8];
        low signed 4 Nibbles, [9, 11] => Bytes, [9, 11];
        high signed 4 Nibbles, [33, 60] => Bytes, [33, 60];
        low signed 4 layout!(S4[32,64]{1,0:E(4)}), [32, 64] => layout!(S4[32,64]{0,1}), [32, 64];
        high unsigned 2 layout!(U2[20,30]{1,0:E(2)}), [20, 30] => layout!(U2[20,30]{0,1}), [20, 30];
    }
    run.finish();
}

/// Rows that end within a byte, of all short lengths, by the types of elements; `crates/copy/tests/packed.rs` has more layouts.
#[test]
fn rows_from_and_to_bytes() {
    let mut run = Run::new(3);
    let dims = (1..=40).flat_map(|columns| [1, 3, 18].map(|rows| [rows, columns]));
    let all = dims.chain([[5, 122], [4, 129], [3, 200], [70, 66], [129, 5]]);
    macro_rules! pairs {
        ($a:ident $b:ident: $($order:ident $values:ident $bits:literal $element:ident
            {$($from:tt)*} {$($to:tt)*};)*) => {$(
            unpacked! { run $a $b $order $bits $values [copy_to map_to]:
                [view] layout!($element[?,?]{$($from)*}) => [view] layout!($element[?,?]{$($to)*})
            }
        )*};
    }
    // Miri takes two small ones.
    for dims in all.filter(|dims| !cfg!(miri) || matches!(dims, [3, 1 | 21])) {
        let [a, b] = Side::pair(&mut run.random, dims);
        pairs! { a b:
            low bools 1 PRED {1,0:T(8)E(1)} {1,0};
            high bools 4 PRED {1,0:T(2)E(4)} {1,0};
            low unsigned 2 U2 {1,0:T(4)E(2)} {0,1};
            high signed 4 S4 {1,0:T(2)E(4)} {1,0};
            low signed 2 S2 {1,0:T(4)E(2)} {1,0};
        }
    }
    run.finish();
}

/// Padding of packed elements that the layout declares.
#[test]
fn declared_padding() {
    let mut run = Run::new(5);
    let [a, b] = Side::pair(&mut run.random, [9, 37]);
    let bits = || bits::<u8>(1, false);
    doors! { run, a (low 1) bits() => b (low 1) bits().declaring(Some(1)), |x| x, [copy_to]:
        [view] layout!(PRED[9,37]{0,1:E(1)}) =>
            [view] layout!(PRED[9,37]{1,0:PAD(9,40)FILL(one)E(1)});
    }
    run.finish();
}

/// From and to strides, packed ones and those of bytes, and from and to a byte each.
#[test]
fn strides() {
    let mut run = Run::new(23);
    macro_rules! strides {
        ($($values:ident $bits:literal $o:ident $p:ident $L:ty, $B:ty;)*) => {$(
            let [a, b] = { let dims = some_dims(&mut run.random); Side::pair(&mut run.random, dims) };
            let strides = || bits::<u8>($bits, stringify!($o) == "high");
            let layout = || bits::<Packed<$L>>($bits, stringify!($p) == "high");
            let (to_value, to_bits) = unpacked!(@ $values);
            let (of_strides, to_strides, value_of_strides, value_to_strides) = strides!(@ $values);
            doors! { run, a ($o $bits) strides() => b ($p $bits) layout(), of_strides, [copy_to get]:
                [strided] $L => [view] $L;
            }
            doors! { run, a ($p $bits) layout() => b ($o $bits) strides(), to_strides, [copy_to]:
                [view] $L => [strided] $L;
            }
            doors! { run, a ($p $bits) layout() => b plain $values(), to_value, [copy_to]:
                [view] $L => [strided] $L;
            }
            doors! { run, a plain $values() => b ($p $bits) layout(), to_bits, [copy_to]:
                [strided] $L => [view] $L;
            }
            doors! { run, a ($o $bits) strides() => b plain $values(), value_of_strides, [copy_to]:
                [strided] $L => [view] $B;
            }
            doors! { run, a plain $values() => b ($o $bits) strides(), value_to_strides, [copy_to]:
                [view] $B => [strided] $L;
            }
            // Back to strides of a source, such as rows of whole bytes.
            if a.is_apart() {
                let back = value_to_strides;
                doors! { run, b plain $values() => a ($o $bits) strides(), back, [copy_to]:
                    [view] $B => [strided] $L;
                }
            }
        )*};
        (@ bools) => { (same, same, is_one, u8::from) };
        (@ unsigned) => { (same, same, same, same) };
        (@ signed) => { (extended, low_bits, extended, low_bits) };
    }
    for _ in 0..if cfg!(miri) { 3 } else { 120 } {
        strides! {
            bools 1 high low layout!(PRED[?,?]{1,0:E(1)}), layout!(PRED[?,?]);
            bools 1 high low layout!(PRED[?,?]{1,0:T(8,1)E(1)}), layout!(PRED[?,?]{0,1});
            unsigned 2 low high layout!(U2[?,?]{0,1:T(4)E(2)}), layout!(U2[?,?]);
            unsigned 4 low low layout!(U4[?,?]{1,0:T(8,8)E(4)}), layout!(U4[?,?]);
            signed 4 high high layout!(S4[?,?]{0,1:E(4)}), layout!(S4[?,?]{1,0:T(3,5)});
            // Tiles of other tiles, whose digits are no digits of coordinates.
            unsigned 4 low high layout!(U4[?,?]{1,0:T(4,6)(2,4)E(4)}), layout!(U4[?,?]{1,0:T(*,8)});
        }
    }
    run.finish();
}

/// A `bool` is 0 or 1, whatever the bits of its element.
#[test]
fn bools_are_0_or_1() {
    type Packed = layout!(PRED[2,3]{1,0:E(4)});
    type Bytes = layout!(PRED[2,3]{0,1});
    let mut bools = [false; 6];
    PackedView::<Packed>::new(&[0x3e, 0xf0, 0x21])
        .unwrap()
        .copy_to(&mut ViewMut::<Bytes, bool>::new(&mut bools).unwrap(), Padding::Zero)
        .unwrap();
    // Rows e, 3, 0 and f, 1, 2.
    assert_eq!(bools, [false, true, true, true, false, false]);
    let mut packed = [0x55; 4];
    View::<Bytes, bool>::new(&bools)
        .unwrap()
        .copy_to(&mut PackedViewMut::<Packed>::new(&mut packed).unwrap(), Padding::Zero)
        .unwrap();
    assert_eq!(packed, [0x10, 0x10, 0x01, 0x55]);
}
