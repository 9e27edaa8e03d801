//! Sizes and tiles of `layout!` that are constants of Rust.

use layout::__private::check_text;
use layout::shape::Tiles;
use layout::{AnyLayout, Buffer, Layout, TiledBy, WithDims, layout, order, tiles};
use static_assertions::assert_type_eq_all;

const ROWS: usize = 300;

mod sizes {
    pub(crate) const COLUMNS: usize = 1000;
}

layout! {
    /// Declared as an item.
    type Item = BF16[ROWS,<=sizes::COLUMNS]{1,0:T(8,128)(2,1)};
}

type Packed = layout::tiles!((8, 128)(2, 1));

#[test]
fn constants_are_sizes() {
    assert_type_eq_all!(Item, layout!(BF16[300,<=1000]{1,0:T(8,128)(2,1)}));
    assert_type_eq_all!(
        layout!(S8[ROWS, { sizes::COLUMNS / 2 }, 4, ?]),
        layout!(S8[300,500,4,?]),
        layout!(S8[{ 3 * 100 }, 500, 4, ?]),
    );
    assert_type_eq_all!(
        layout!(S8[ROWS,3]{1,0:PAD(304,5)FILL(zero)T=Packed}),
        layout!(S8[300,3]{1,0:PAD(304,5)FILL(zero)T(8,128)(2,1)}),
    );
    assert_type_eq_all!(layout!(S8[<={ ROWS + 1 }]), layout!(S8[<=301]));
    assert_type_eq_all!(
        layout!((F32[ROWS], b(F32[self::sizes::COLUMNS]), F32[2])),
        layout!((F32[300], b(F32[1000]), F32[2])),
    );
    assert_type_eq_all!(
        layout!(F32[ROWS,128]{1,0:T(8,128)}, max_expansion = 1.1),
        layout!(F32[300,128]{1,0:T(8,128)}),
    );
}

macro_rules! square {
    ($size:ident, $half:expr) => { layout!(F32[$size, { $half * 2 }]{0,1}) };
}

#[test]
fn macros_pass_sizes() {
    assert_type_eq_all!(square!(ROWS, ROWS / 2), layout!(F32[300,300]{0,1}));
}

/// A layout for each number of rows.
type Rows<const N: usize> = layout!(F32[N,128]{1,0:T(8,128)});

/// A matrix that is generic over its sizes.
#[allow(clippy::type_complexity, reason = "a layout written where it is used is what is tested")]
struct Matrix<const N: usize, const K: usize> {
    tiles: Buffer<layout!(F32[N,K]{1,0:T(8,128)}), f32>,
}

impl<const N: usize, const K: usize> Matrix<N, K> {
    fn new(rows: &[f32]) -> Self {
        Matrix { tiles: Buffer::from_row_major(rows).unwrap() }
    }

    fn get(&self, i: usize, j: usize) -> f32 {
        self.tiles[[i, j]]
    }
}

fn slots<const N: usize>() -> usize {
    <Rows<N> as Layout<2>>::PADDED_ELEMENTS
}

#[test]
fn const_parameters_are_sizes() {
    assert_eq!((slots::<8>(), slots::<9>(), Rows::<9>::offset([8, 3])), (1024, 2048, 1027));
    assert_eq!(Rows::<9>::TEXT, "f32[9,128]{1,0:T(8,128)}");
    let rows = (0..20 * 200).map(|i| i as f32).collect::<Vec<_>>();
    let matrix = Matrix::<20, 200>::new(&rows);
    assert_eq!((matrix.get(19, 199), matrix.get(3, 7)), (3999.0, 607.0));
    fn copy<const N: usize>(from: &[f32], to: &mut [f32]) {
        layout::copy::<layout!(F32[N,128]), Rows<N>, _>(from, to, layout::Padding::Zero).unwrap();
    }
    let mut to = [1.0; 2048];
    copy::<9>(&rows[..9 * 128], &mut to);
    assert_eq!((to[1027], to[2047]), (1027.0, 0.0));
}

#[test]
fn texts_have_no_constants() {
    for text in ["f32[ROWS]", "f32[{ 3 }]", "f32[<=ROWS]", "f32[a::B]"] {
        let error = text.parse::<layout::ArrayShape>().unwrap_err();
        let said = error.faults()[0].message().to_string();
        assert_eq!(said, "expected the size of a dimension", "{text}");
    }
}

const PANEL: usize = 8;

layout! {
    type TiledItem = F32[20,30]{0,1:T(*,PANEL)({ PANEL / 2 })};
}

#[test]
fn constants_are_sizes_of_tiles() {
    assert_type_eq_all!(TiledItem, layout!(F32[20,30]{0,1:T(*,8)(4)}));
    assert_type_eq_all!(
        layout!(BF16[ROWS,40]{1,0:T(self::PANEL,128)({ 1 + 1 },1)}),
        layout!(BF16[300,40]{1,0:T(8,128)(2,1)}),
    );
    assert_type_eq_all!(layout::tiles!((PANEL, 128)(2, { 3 - 2 })), layout::tiles!((8, 128)(2, 1)));
    assert_type_eq_all!(
        layout!((F32[7,7]{1,0:T(PANEL,1)}, F32[7,7]{1,0:T(1,PANEL)})),
        layout!((F32[7,7]{1,0:T(8,1)}, F32[7,7]{1,0:T(1,8)})),
    );
}

type Panels<const NR: usize> = layout!(F32[?,?]{0,1:T(NR,1)});

/// The elements of panels of any width, and where the last one lies.
fn last<const NR: usize, L>(panels: WithDims<L>) -> (usize, usize)
where
    L: TiledBy<order!(0, 1), tiles!((NR, 1))> + AnyLayout<Index = [usize; 2]>,
{
    let [k, n] = panels.dims();
    (panels.padded_elements(), panels.offset([k - 1, n - 1]))
}

#[test]
fn const_parameters_are_sizes_of_tiles() {
    // Panels of `nr` columns, each row after row.
    let by_hand = |nr: usize, k: usize, n: usize| {
        let (row, column) = (k - 1, n - 1);
        (n.div_ceil(nr) * k * nr, (column / nr * k + row) * nr + column % nr)
    };
    assert_eq!(last(Panels::<8>::with_dims([20, 3]).unwrap()), by_hand(8, 20, 3));
    assert_eq!(last(Panels::<3>::with_dims([20, 7]).unwrap()), by_hand(3, 20, 7));
    assert_eq!(Panels::<3>::TEXT, "f32[?,?]{0,1:T(3,1)}");
}

#[test]
fn tiles_of_values() {
    let tiles = Tiles::of(&[&[2 * PANEL, 64], &[8, 32], &[2, 16]]).unwrap();
    assert_eq!(tiles, "(16,64)(8,32)(2,16)".parse().unwrap());
    const TILES: Tiles = match Tiles::parse_const("(*,8)(4)") {
        Ok(tiles) => tiles,
        Err(_) => panic!("the tiles are well formed"),
    };
    assert_eq!(&TILES, TiledItem::SHAPE.tiles());
    let said = |sizes: &[&[usize]]| Tiles::of(sizes).unwrap_err().to_string();
    assert!(said(&[&[8], &[0]]).contains("a tile cannot have size 0"), "{}", said(&[&[8], &[0]]));
    assert!(said(&[&[1; 33]]).contains("more than 32 sizes"), "{}", said(&[&[1; 33]]));
    assert!(said(&[&[1][..]; 9]).contains("more than 8 tiles"), "{}", said(&[&[1][..]; 9]));
    let read = |text: &str| text.parse::<Tiles>().unwrap_err().to_string();
    for (text, words) in [
        ("", "a tile spec needs at least one tile"),
        ("8,128", "expected a tile"),
        ("(8,128)(2,N)", "expected a tile size"),
        ("(8,*)", "cannot be the last entry"),
        ("(8,128)E(4)", "only tiles belong here"),
    ] {
        assert!(read(text).contains(words), "{text}: {}", read(text));
    }
}

#[test]
fn a_text_is_a_layout_of_the_target() {
    assert!(check_text("s8[2147483647]{0:E(1)}"));
}

#[cfg(target_pointer_width = "32")]
#[test]
#[should_panic = "the array has more elements than 2^31-1 (help: make a dimension smaller"]
fn a_size_that_the_target_does_not_have() {
    check_text("s8[2147483648]");
}

#[cfg(target_pointer_width = "32")]
#[test]
#[should_panic = "the number is larger than 2^31-1 (help: write a smaller number)"]
fn a_number_that_the_target_does_not_have() {
    check_text("s8[1]{0:M(2147483648)}");
}
