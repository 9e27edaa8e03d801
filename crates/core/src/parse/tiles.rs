//! Tiles alone, for text and for the tokens of `tiles!`.

use core::str::FromStr;

use crate::base::MAX_TILE_DIMS;
use crate::fault::{Error, Faults, Span};
use crate::parse::cursor::Cursor;
use crate::parse::source::{Input, Token};
use crate::rules::check;
use crate::shape::Tiles;

/// Tiles, and for each entry the expression of Rust that is its size: a path or a block, for which 1 stands in the tiles.
pub type TilesOfTokens = (Tiles, [Option<Span>; MAX_TILE_DIMS]);

/// Reads the tokens of `tiles!((8,128)(2,1))`.
///
/// # Errors
/// The faults, their ranges counted in tokens.
pub fn tiles_of_tokens(tokens: &[Token<'_>]) -> Result<TilesOfTokens, Error> {
    let mut cursor = Cursor::new(Input::Tokens(tokens));
    let tiles = read(&mut cursor)?;
    Ok((tiles, cursor.written.tile_expressions))
}

impl Tiles {
    /// Reads tiles: `(8,128)(2,1)`.
    ///
    /// # Errors
    /// The faults, their ranges counted in bytes.
    pub const fn parse_const(text: &str) -> Result<Tiles, Error> {
        read(&mut Cursor::new(Input::Text(text)))
    }
}

impl FromStr for Tiles {
    type Err = Error;

    /// Reads tiles: `(8,128)(2,1)`.
    fn from_str(text: &str) -> Result<Tiles, Error> {
        Tiles::parse_const(text)
    }
}

const fn read(cursor: &mut Cursor<'_>) -> Result<Tiles, Error> {
    if cursor.is_end() {
        cursor.syntax(
            "a tile spec needs at least one tile",
            "write one as in `(8,128)`; `layout::types::Untiled` is the spec without tiles",
        );
    } else if cursor.token.is_word("T") {
        cursor
            .syntax("a tile spec is written without `T`", "write the tiles alone: `(8,128)(2,1)`");
    } else if !cursor.at("(") {
        cursor.syntax("expected a tile", "write its sizes in parentheses: `(8,128)`");
    } else if cursor.tiles() && !cursor.is_end() {
        cursor.syntax("only tiles belong here", "remove this");
    }
    let mut found = Faults::NONE;
    check::tiles(&cursor.shape.tiles, &mut found);
    cursor.add_faults(&found);
    cursor.finish(cursor.shape.tiles)
}
