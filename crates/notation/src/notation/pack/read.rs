//! Reading the text of `linalg.pack`.

use core::str::FromStr;

use crate::notation::pack::{Pack, Packs};
use crate::notation::reader::TextReader;
use layout_core::Error;
use layout_core::limits::{MAX_TILE_DIMS, MAX_TILES};

const WHOLE: &str = "write `inner_dims_pos = [0, 1] inner_tiles = [8, 128]`, with `outer_dims_perm = [..]` before it where dimensions are transposed";

/// Operations that make what packs write to and pad with.
const OTHER_OPERATIONS: [&str; 3] = ["tensor.empty", "arith.constant", "complex.constant"];

impl FromStr for Packs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Packs, Error> {
        let reader = TextReader::new(text);
        let mut operations = Operations { reader, packs: Packs::NONE, result: "", entries: 0 };
        operations.reader.skip_spaces();
        while !operations.reader.is_end() {
            operations.operation()?;
            operations.reader.skip_spaces();
        }
        let reader = operations.reader;
        match operations.packs.len {
            0 => Err(reader.error(reader.at(), "there is no `linalg.pack`", WHOLE)),
            _ => Ok(operations.packs),
        }
    }
}

/// Operations, or attributes alone.
struct Operations<'a> {
    reader: TextReader<'a>,
    packs: Packs,
    /// Name of the last pack's result; empty without one.
    result: &'a str,
    /// Sizes of all tiles together.
    entries: usize,
}

impl<'a> Operations<'a> {
    fn operation(&mut self) -> Result<(), Error> {
        let mut name = "";
        if self.reader.take("%") {
            name = self.value();
            self.reader.expect("=", "expected `=` after the name of a value", WHOLE)?;
        }
        self.reader.skip_spaces();
        let start = self.reader.at();
        let rest = self.reader.rest();
        if rest.starts_with("outer_dims_perm") || rest.starts_with("inner_dims_pos") {
            return self.attributes(start);
        }
        if OTHER_OPERATIONS.iter().any(|operation| rest.starts_with(operation)) {
            self.skip_line();
            return Ok(());
        }
        if !self.reader.take("linalg.pack") && !self.reader.take("tensor.pack") {
            self.reader.take_while(|c| !c.is_whitespace());
            return Err(self.reader.error(start, "this is not a `linalg.pack`", WHOLE));
        }
        self.reader.expect("%", "expected the value that is packed", "write it as in `%x`")?;
        let operand = self.reader.at();
        let source = self.value();
        if self.packs.len > 0 && source != self.result {
            let what = "this is not the result of the pack before";
            return Err(self.reader.error(operand, what, "pack one result after another"));
        }
        self.result = name;
        if self.reader.take("padding_value") {
            self.reader.take_while(|c| c != ')' && c != '\n');
            self.reader.expect(")", "expected `)`", "write `padding_value(%padding : f32)`")?;
        }
        self.reader.skip_spaces();
        self.attributes(self.reader.at())?;
        // What is written to, and types.
        if self.reader.take("into") || self.reader.take(":") {
            self.skip_line();
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        self.reader.take_while(|c| c != '\n');
    }

    /// Reads the name of a value.
    fn value(&mut self) -> &'a str {
        self.reader.take_while(|c| c.is_ascii_alphanumeric() || "_$.-#".contains(c))
    }

    /// Reads the attributes of another pack, which begin at `start`.
    fn attributes(&mut self, start: usize) -> Result<(), Error> {
        if self.packs.len == MAX_TILES {
            let instead = "a layout has at most 8 tiles";
            return Err(self.reader.error(start, "too many packs", instead));
        }
        let mut pack = Pack::NONE;
        if self.reader.take("outer_dims_perm") {
            self.open()?;
            pack.outer_dims_perm = Some(self.reader.permutation("]")?);
        }
        self.reader.expect("inner_dims_pos", "expected `inner_dims_pos`", WHOLE)?;
        self.open()?;
        pack.inner_dims_pos = self.reader.dims("]")?;
        let count = pack.inner_dims_pos.len();
        self.reader.expect("inner_tiles", "expected `inner_tiles`", WHOLE)?;
        let instead = "write a size for each of `inner_dims_pos`";
        let start = self.open()?;
        self.reader.list("]", |reader| {
            let (start, size) = (reader.at(), reader.size()?);
            if pack.inner_tiles.len() == count {
                return Err(reader.error(start, "there are more sizes than dimensions", instead));
            }
            pack.inner_tiles.push(size);
            Ok(())
        })?;
        if pack.inner_tiles.len() < count {
            let what = "there are fewer sizes than dimensions";
            return Err(self.reader.error(start, what, instead));
        }
        self.entries += count;
        if self.entries > MAX_TILE_DIMS {
            let instead = "a layout has at most 32 in all";
            return Err(self.reader.error(start, "too many sizes of tiles", instead));
        }
        self.packs.list[self.packs.len] = pack;
        self.packs.len += 1;
        Ok(())
    }

    /// Reads `= [`. Returns where the bracket stands.
    fn open(&mut self) -> Result<usize, Error> {
        self.reader.expect("=", "expected `=`", WHOLE)?;
        self.reader.expect("[", "expected a list in brackets", WHOLE)?;
        Ok(self.reader.at() - 1)
    }
}
