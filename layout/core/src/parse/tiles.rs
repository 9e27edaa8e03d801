//! The tokens of `tiles!`.

use crate::fault::{Error, Faults, Places};
use crate::parse::cursor::Cursor;
use crate::parse::source::{Input, Token};
use crate::rules::check;
use crate::shape::Tiles;

/// Reads the tokens of `tiles!((8,128)(2,1))`.
///
/// # Errors
/// Every fault, its range counted in tokens.
pub fn tiles_of_tokens(tokens: &[Token<'_>]) -> Result<Tiles, Error> {
    let mut cursor = Cursor::new(Input::Tokens(tokens));
    let mut tiles = Tiles::NONE;
    let mut places = Places::new();
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
    } else if cursor.tiles(&mut tiles, &mut places) && !cursor.is_end() {
        cursor.syntax("only tiles belong here", "remove this");
    }
    let mut found = Faults::new();
    check::tiles(&tiles, &mut found);
    cursor.add_faults(&found, &places);
    cursor.finish(tiles)
}
