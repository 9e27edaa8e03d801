//! What can be wrong with a text, and what to write instead.

/// What is wrong, and what to write instead.
pub(crate) type Fault = (&'static str, &'static str);

macro_rules! faults {
    ($($NAME:ident => $what:literal, $instead:expr;)*) => {
        $(pub(crate) const $NAME: Fault = ($what, $instead);)*
    };
}

const FORMS: &str = "write `{replicated}`, `{maximal device=0}`, `{devices=[4,2]<=[8]}` or `{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}`";
const SPECS: &str = "write `P('x', None)`, Shardy's `[{\"x\"}, {}]` or HLO's `{devices=[4,1,2]<=[8] last_tile_dim_replicate}`";

faults! {
    NUMBER => "expected a number", "write it in decimal digits, without a sign";
    TOO_LARGE => "the number is too large", "there are at most 1048576 devices";
    ZERO => "a size is 0", "write 1 or more";
    NAME => "expected the name of an axis", "write it in quotes, as in `'x'`";
    QUOTE => "the quote is not closed", "close it after the name";
    LIST => "expected `,` or the end of the list", "close the list";
    MORE => "this follows the end", "leave it out";
    BRACE => "a brace is not closed", "give the whole text: was it cut off?";
    NO_BRACE => "a sharding begins with `{`", FORMS;
    FORM => "no sharding begins like this", FORMS;
    END => "expected `}` at the end of the sharding", "give it to its end; after devices, either `last_tile_dim_replicate` or `last_tile_dims={..}` may stand";
    PLACES => "the product of the sizes is not the number of devices", "write as many devices as shards and copies, as in `[4,2]<=[8]`";
    ONE => "this is a grid of one device", "write `{maximal device=0}`";
    TWICE => "a device is listed twice", "list each device once";
    KINDS => "more kinds of copies than sizes of the grid", "write a size for each kind, after those of the dimensions";
    KIND => "expected a kind of copies", "write `replicated`, `unreduced` or `manual`";
    COUNT => "no such number of devices", "write from 1 to 1048576 devices";
    ORDER => "this is not an order of the sizes before it", "write the number of each size once, from 0, as in `[4,2]T(1,0)`";
    SAME_NAME => "two axes have one name", "give each axis its own name";
    IDS => "these are not the devices of the mesh", "list each once: `device_ids=(0,2,1,3)` or `device_ids=([2,2]T(1,0))`";
    NO_AXIS => "the mesh has no axis of this name", "name an axis of the mesh, as `x` of `x=4,y=2`";
    NO_PART => "the axis has no such part", "both numbers are factors of its size: `'x':(2)4` of 8";
    OPEN => "more axes follow `?`", "write it last, as in `{'x', ?}`";
    OVERLAP => "an axis is used twice, or parts of it overlap", "use each once, and cut an axis into factors: `'x':(1)2` and `'x':(2)4` of 8";
    RANK => "the sharding has more dimensions than the array", "leave entries out";
    SPEC => "no sharding begins like this", SPECS;
    GROUPS => "no groups begin like this", "write `{{0,1},{2,3}}`, `[2,2]<=[4]` or `mesh['x'=2,'y'=2] {'y'}`";
}

/// Reads a text that has to come next.
macro_rules! expect {
    ($cursor:expr, $text:literal, $in:literal) => {
        if !$cursor.take($text) {
            return $cursor
                .error((concat!("expected `", $text, "`"), concat!("write it as in `", $in, "`")));
        }
    };
}
