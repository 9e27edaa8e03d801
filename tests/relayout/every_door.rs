//! Copies between memory of any two kinds, through every door, with elements of any type, against the naive model.

use layout::layout;
use layout_tests::amount::times;
use layout_tests::copies::doors::{Format, Run, Side, bits, parts, some_dims, values};
use layout_tests::copies::region::Held;
use layout_tests::doors;
use layout_tests::random::Random;

fn words() -> Format<Held<u16>> {
    values(|number| number as u16, Some(0))
}

/// Pairs of parts of two arrays of any sizes.
fn any_parts(random: &mut Random) -> Vec<[Side<2>; 2]> {
    let wholes = [[(); 2]; 2].map(|dims| dims.map(|()| 1 + random.below(40)));
    parts(random, wholes, 40)
}

/// Views, parts, strides, parts of strides, and layouts as values.
#[test]
fn between_all_kinds_of_memory() {
    type Words = layout!(U16[?,?]{1,0:T(8,16)(2,1)});
    type Panels = layout!(U16[?,?]{0,1:T(4,1)});
    let mut run = Run::new(31);
    for [a, b] in (0..times(10)).flat_map(|_| any_parts(&mut run.random)).collect::<Vec<_>>() {
        doors! { run, a plain words() => b plain words(), |x| x,
            [copy_to map_to row_major halves new to]:
            [view part strided part_of_strided value part_of_value] Words =>
                [view part strided part_of_strided value part_of_value] Panels;
        }
        let scaled = values(|number| number as f32, Some(0.0));
        doors! { run, a plain words() => b plain scaled, |x| f32::from(x) * 0.5, [new_mapped]:
            [view part] Words => [view] layout!(F32[?,?]{0,1:T(2,4)});
        }
        doors! { run, a plain words() => b plain words(), |x| x, [into_halves]:
            [part] Words => [part] Panels;
        }
        doors! { run, a plain words() => b plain words(), |x| x, [get]:
            [strided part_of_strided] Words => [view] Panels;
        }
    }
    run.finish();
}

#[test]
fn between_all_kinds_of_packed_memory() {
    type Nibbles = layout!(U4[?,?]{1,0:T(4,8)E(4)});
    type Columns = layout!(U4[?,?]{0,1:E(4)});
    type Unpacked = layout!(U4[?,?]{0,1:T(4,1)});
    let mut run = Run::new(32);
    let nibbles = || bits::<u8>(4, false);
    for [a, b] in (0..times(10)).flat_map(|_| any_parts(&mut run.random)).collect::<Vec<_>>() {
        doors! { run, a (low 4) nibbles() => b (low 4) nibbles(), |x| x, [copy_to row_major]:
            [view part strided part_of_strided] Nibbles =>
                [view part strided part_of_strided] Columns;
        }
        doors! { run, a (low 4) nibbles() => b plain values(|n| n as u8 % 16, Some(0)), |x| !x,
            [map_to new_mapped]:
            [view part strided part_of_strided] Nibbles => [view] Unpacked;
        }
        doors! { run, a (low 4) nibbles() => b plain values(|n| n as u8 % 16, Some(0)), |x| x,
            [to new]:
            [view part strided part_of_strided] Nibbles => [view] Unpacked;
        }
    }
    run.finish();
}

/// Layouts that are known at run time alone.
#[test]
fn parts_of_values() {
    type Small = layout!(U16[?,?]{1,0:T(4,8)});
    let mut run = Run::new(3);
    macro_rules! crossed {
        ($a:ident $b:ident: $($layouts:tt)*) => {
            crossed! { $a $b [$($layouts)*]: $($layouts)* }
        };
        ($a:ident $b:ident $all:tt: $($from:tt)*) => {$(crossed! { @ $a $b $from $all })*};
        (@ $a:ident $b:ident $from:tt [$($to:tt)*]) => {
            doors! { run, $a plain words() => $b plain words(), |x| x, [copy_to]:
                $([part_of_value] layout!(U16[?,?] $from) =>
                    [part_of_value] layout!(U16[?,?] $to);)*
                [part_of_value] layout!(U16[?,?] $from) => [value] Small;
                [value] Small => [part_of_value] layout!(U16[?,?] $from);
            }
        };
    }
    for [a, b] in parts(&mut run.random, [[40, 270]; 2], 20) {
        crossed! { a b: {1,0} {0,1} {1,0:T(8,128)(2,1)} {0,1:T(4,1)} {1,0:T(*,7)} }
    }
    run.finish();
}

/// Parts of arrays of one to four dimensions, halves of them too.
#[test]
fn parts_to_parts() {
    type Rows = layout!(U16[?,?]);
    type Panels = layout!(U16[?,?]{0,1:T(4,1)});
    type Words = layout!(U16[?,?]{1,0:T(8,128)(2,1)});
    type Bounded = layout!(U16[<=40,300]{1,0:PAD(43,309)T(8,128)L(20000)});
    type Swizzled = layout!(U16[64,64], swizzle = 128B);
    type Planes = layout!(U16[?,7,33]{1,2,0});
    let mut run = Run::new(1);
    macro_rules! pairs {
        ($($kinds:ident [$($from:ty),*] $dims:expr => $to:ty, $larger:expr;)*) => {$(
            for [a, b] in parts(&mut run.random, [$dims, $larger], 60) {
                doors! { run, a plain words() => b plain words(), |x| x, [copy_to map_to halves]:
                    $([part] $from => [part] $to;)*
                }
                pairs! { $kinds a b [$($from)*] $to }
            }
        )*};
        (whole $a:ident $b:ident [$($from:ty)*] $to:ty) => {
            doors! { run, $a plain words() => $b plain words(), |x| x, [copy_to]:
                $([view] $from => [part] $to;)*
            }
        };
        (parts $($of:tt)*) => {};
    }
    pairs! {
        whole [Rows, Words] [40, 270] => Rows, [41, 280];
        whole [Rows, Panels, Words] [40, 270] => Panels, [41, 280];
        whole [Rows, Panels, Words] [40, 270] => Words, [41, 280];
        whole [Rows, Panels] [23, 140] => Bounded, [30, 300];
        whole [Rows, Words] [30, 60] => Swizzled, [64, 64];
        whole [Swizzled] [64, 64] => Panels, [70, 65];
        whole [layout!(U16[300])] [300] => layout!(U16[?]), [310];
        whole [layout!(U16[5,7,33]), Planes, layout!(U16[5,7,33]{2,0,1:T(4,8)})] [5, 7, 33] =>
            layout!(U16[6,8,?]), [6, 8, 40];
        whole [layout!(U16[5,7,33]), Planes] [5, 7, 33] =>
            layout!(U16[6,8,?]{1,2,0:T(4,8)}), [6, 8, 40];
        whole [layout!(U16[5,?,3,9]{3,0,2,1})] [5, 7, 3, 9] =>
            layout!(U16[6,8,4,?]{3,1,2,0:T(16)}), [6, 8, 4, 12];
        whole [layout!(U16[4,5,6]{0,2,1:T(*,7)})] [4, 5, 6] =>
            layout!(U16[?,9,8]{1,2,0:T(4,2)}), [6, 9, 8];
        parts [layout!(U16[?,9,8]{1,2,0:T(4,2)})] [6, 9, 8] =>
            layout!(U16[4,5,6]{0,2,1:T(*,7)}), [4, 5, 6];
    }
    run.finish();
}

/// Parts along the most major dimension have their slots to themselves: they are copied as whole arrays are; parts along others share
/// stretches.
#[test]
fn parts_along_each_dimension() {
    type Rows = layout!(U16[?,?,?]);
    let mut run = Run::new(8);
    for dims in [[3, 5, 6], [4, 8, 16], [1, 9, 2], [5, 1, 1]].repeat(6) {
        let [a, b] = Side::pair(&mut run.random, dims);
        doors! { run, a plain words() => b plain words(), |x| x, [axis boxes halves]:
            [view] Rows => [view] Rows;
            [view] Rows => [view] layout!(U16[?,?,?]{0,2,1});
            [view] Rows => [view] layout!(U16[?,?,?]{2,1,0:T(4,8)});
            [view] Rows => [view] layout!(U16[?,?,?]{1,0,2:T(2,4)(2,1)});
            [view] Rows => [view] layout!(U16[?,?,?]{2,1,0:T(2,4,4)});
            [view] Rows => [view] layout!(U16[?,?,?]{2,0,1:T(3,2)L(32)});
        }
    }
    run.finish();
}

/// Sizes that end within tiles, layouts of which one shares no split with the others.
#[test]
fn mapped_to_other_types() {
    let mut run = Run::new(6);
    for dims in [[0, 3], [1, 1], [3, 5], [4, 8], [9, 30], [40, 200]] {
        let [a, b] = Side::pair(&mut run.random, dims);
        let (codes, scaled) = (values(|n| n as i8, None), values(|n| n as f32, Some(0.0)));
        doors! { run, a plain codes => b plain scaled, |code| f32::from(code) * 0.5, [map]:
            [view] layout!(S8[?,?]{0,1}) => [view] layout!(F32[?,?]{1,0:T(4,8)});
            [view] layout!(S8[?,?]{0,1}) => [view] layout!(F32[?,?]{1,0:T(3,5)(2,2)});
        }
    }
    run.finish();
}

/// Memory that held nothing and vectors that grow, also of constant sizes, where a plan exchanges bits too.
#[test]
fn new_memory() {
    type Rows = layout!(F32[?,?]);
    let mut run = Run::new(2);
    for _ in 0..times(200) {
        let dims = some_dims(&mut run.random);
        let [a, b] = Side::pair(&mut run.random, dims);
        let numbers = || values(|n| n as f32, Some(0.0));
        doors! { run, a plain numbers() => b plain numbers(), |x| x, [copier_new]:
            [view] Rows => [view] Rows;
            [view] Rows => [view] layout!(F32[?,?]{0,1});
            [view] Rows => [view] layout!(F32[?,?]{0,1:T(16,1)});
            [view] Rows => [view] layout!(F32[?,?]{1,0:T(8,128)});
            [view] Rows => [view] layout!(F32[?,?]{1,0:T(2,4)(2,1)});
        }
    }
    macro_rules! constant {
        ($($element:ident [$($dim:literal),*] $from:tt $to:tt $format:expr;)*) => {$(
            let [a, b] = Side::pair(&mut run.random, [$($dim),*]);
            doors! { run, a plain $format => b plain $format, |x| x, [copier_new new]:
                [view] layout!($element[$($dim),*] $from) => [view] layout!($element[$($dim),*] $to);
            }
        )*};
    }
    // Miri has no vectors: it takes the smallest arrays whose bits are exchanged in words of 64 bits.
    let floats = || values(|n| n as f32, Some(0.0));
    constant! {
        F32[96,96] {0,1:T(2,2)} {1,0} floats();
        F32[95,97] {1,0} {0,1:T(2,2)} floats();
    }
    if !cfg!(miri) {
        constant! {
            U16[256,256] {1,0:T(8,128)(2,1)} {0,1:T(8,128)(2,1)} words();
            U16[250,130] {1,0} {1,0:T(8,128)(2,1)} words();
            U16[250,130] {1,0:T(8,128)(2,1)} {1,0} words();
        }
    }
    run.finish();
}

/// Copies that use vectors, streams and several threads.
#[test]
#[cfg_attr(miri, ignore = "they are large")]
fn large_parts() {
    type Rows = layout!(U16[?,?]);
    type Columns = layout!(U16[?,?]{0,1});
    type Tiles = layout!(U16[?,?]{1,0:T(8,128)});
    let mut run = Run::new(5);
    for (first, start, size) in [
        ([0, 0], [96, 128], [900, 1300]),
        ([0, 127], [8, 256], [801, 999]),
        ([3, 5], [3, 7], [777, 1001]),
    ] {
        let a = Side::of_part(&mut run.random, [[900, 1300], first, size], true);
        let b = Side::of_part(&mut run.random, [[1000, 1500], start, size], false);
        doors! { run, a plain words() => b plain words(), |x| x, [copy_to to]:
            [part] Rows => [part view] Columns;
            [part] Rows => [part view] Tiles;
            [part] Columns => [part view] Tiles;
            [part] Tiles => [part view] Rows;
        }
    }
    run.finish();
}
