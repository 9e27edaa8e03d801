//! Tiles as a type.

use core::marker::PhantomData;

use layout_core::__private;

use crate::spec::{list::TileList, sealed::Sealed, text::Writer, text::text};

/// Tiles in the order in which they are applied; `tiles!` writes the type.
///
/// `T` is a tuple of tiles, each a tuple of [`C<N>`](crate::types::C) and [`Star`](crate::types::Star).
pub struct Tiles<T>(PhantomData<T>);

/// No tiles.
pub type Untiled = Tiles<()>;

/// A tile spec: [`Tiles`], to which `tiles!` expands.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tile spec",
    label = "expected a tile spec",
    note = "declare one with `type Packed = layout::tiles!((8,128)(2,1));`"
)]
pub trait TileSpec: Sealed + 'static {
    #[doc(hidden)]
    const TILES: &'static [&'static [layout_core::TileDim]];
}

impl<T> Sealed for Tiles<T> {}

#[diagnostic::do_not_recommend]
impl<T: TileList> TileSpec for Tiles<T> {
    const TILES: &'static [&'static [layout_core::TileDim]] = T::TILES;
}

impl<T: TileList> Tiles<T> {
    const VALUE: layout_core::Tiles = match __private::tiles(T::TILES) {
        Ok(tiles) => tiles,
        Err(fault) => panic!("{}", fault.line().as_str()),
    };

    /// The tiles as text: `(8,128)(2,1)`.
    pub const TEXT: &'static str = text::<Self>();
}

impl<T: TileList> Writer for Tiles<T> {
    const TEXT: crate::spec::text::TextBuffer = Self::VALUE.text();
}
