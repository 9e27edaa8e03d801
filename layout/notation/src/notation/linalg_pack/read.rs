//! Reading the text of `linalg.pack`.

use core::str::FromStr;

use crate::notation::linalg_pack::{Pack, Packs, Sizes};
use crate::notation::reader::TextReader;
use layout_core::base::width::native;
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, MAX_TILES};
use layout_core::{Error, List};

const WHOLE: &str = "write `inner_dims_pos = [0, 1] inner_tiles = [8, 128]`, with `outer_dims_perm = [..]` before it where dimensions are transposed";

impl FromStr for Packs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Packs, Error> {
        let reader = TextReader::new(text);
        let mut operations =
            Operations { reader, packs: Packs::NONE, result: "", sizes: None, entries: 0 };
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
    /// Sizes of the last pack's result, if they are known.
    sizes: Option<Sizes>,
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
        if ["tensor.empty", "arith.constant", "complex.constant"]
            .iter()
            .any(|operation| rest.starts_with(operation))
        {
            self.reader.take_while(|c| c != '\n');
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
        if self.reader.take("padding_value") {
            self.reader.take_while(|c| c != ')' && c != '\n');
            self.reader.expect(")", "expected `)`", "write `padding_value(%padding : f32)`")?;
        }
        self.reader.skip_spaces();
        self.attributes(self.reader.at())?;
        if self.reader.take("into") {
            self.reader.expect("%", "expected the value that is written", "write it as in `%y`")?;
            self.value();
        }
        if self.reader.take(":") {
            self.types()?;
        }
        self.result = name;
        Ok(())
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
        let rank = self.sizes.map(|sizes| sizes.len);
        if self.reader.take("outer_dims_perm") {
            let (dims, start) = self.dims()?;
            let is_permutation = dims.iter().all(|dim| *dim < dims.len());
            if !is_permutation || rank.is_some_and(|rank| rank != dims.len()) {
                let instead = "write each dimension of the operand once";
                return Err(self.reader.error(start, "this is not a permutation", instead));
            }
            if self.packs.len == 0 && dims.len() > MAX_DIMS {
                let instead = "an array has at most 16";
                return Err(self.reader.error(start, "too many dimensions", instead));
            }
            pack.outer_dims_perm = Some(dims);
        }
        self.reader.expect("inner_dims_pos", "expected `inner_dims_pos`", WHOLE)?;
        (pack.inner_dims_pos, _) = self.dims()?;
        let count = pack.inner_dims_pos.len();
        self.reader.expect("inner_tiles", "expected `inner_tiles`", WHOLE)?;
        let instead = "write a size for each of `inner_dims_pos`";
        let start = self.list(|reader| {
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
        self.sizes = None;
        Ok(())
    }

    /// Reads `= [1, 0]`: at most `N` numbers of dimensions, each once. Returns them and where they start.
    fn dims<const N: usize>(&mut self) -> Result<(List<N, usize>, usize), Error> {
        let mut dims = List::<N, usize>::new();
        let start = self.list(|reader| {
            let start = reader.at();
            let dim = native(reader.number()?);
            if dim >= MAX_BOUNDS || dims.len() == N {
                let instead = "an array has at most 16, and tiles have at most 32 sizes";
                return Err(reader.error(start, "there is no such dimension", instead));
            }
            if dims.contains(&dim) {
                let instead = "write each dimension once";
                return Err(reader.error(start, "the dimension is listed twice", instead));
            }
            dims.push(dim);
            Ok(())
        })?;
        Ok((dims, start))
    }

    /// Reads `= [..]`. Returns where the list starts.
    fn list(
        &mut self,
        item: impl FnMut(&mut TextReader<'a>) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let reader = &mut self.reader;
        reader.expect("=", "expected `=`", WHOLE)?;
        reader.skip_spaces();
        let start = reader.at();
        reader.expect("[", "expected a list in brackets", WHOLE)?;
        reader.list("]", item)?;
        Ok(start)
    }

    /// Reads the types of the last pack, which have to agree with its attributes.
    fn types(&mut self) -> Result<(), Error> {
        self.reader.skip_spaces();
        let start = self.reader.at();
        let source = self.tensor()?;
        let number = self.packs.len - 1;
        let pack = self.packs.list[number];
        let is_too_short = pack.inner_dims_pos.iter().any(|dim| *dim >= source.len)
            || pack.outer_dims_perm.is_some_and(|dims| dims.len() != source.len);
        if is_too_short || number == 0 && source.len > MAX_DIMS {
            let what = "the tensor has other dimensions than the attributes";
            return Err(self.reader.error(start, what, "write the type of the operand"));
        }
        if number == 0 {
            self.packs.source = Some(source);
        }
        self.reader.expect("->", "expected `->` and the type of the result", WHOLE)?;
        self.reader.skip_spaces();
        let start = self.reader.at();
        let result = self.tensor()?;
        if result != pack.dest(&source).0 {
            let what = "the type of the result is not that of the packed operand";
            let instead =
                "divide the operand's sizes by the tiles, rounding up, and append the tiles";
            return Err(self.reader.error(start, what, instead));
        }
        self.sizes = Some(result);
        Ok(())
    }

    /// Reads `tensor<3x5xf32>`.
    fn tensor(&mut self) -> Result<Sizes, Error> {
        const TYPE: &str = "write it as in `tensor<3x5xf32>`";
        self.reader.expect("tensor<", "expected the type of a tensor", TYPE)?;
        let mut sizes = Sizes { list: [None; MAX_BOUNDS], len: 0 };
        loop {
            let start = self.reader.at();
            let size = match self.reader.peek() {
                Some('?') => {
                    self.reader.bump();
                    None
                }
                Some(c) if c.is_ascii_digit() => Some(self.reader.number()?),
                _ => break,
            };
            let Some(place) = sizes.list.get_mut(sizes.len) else {
                let instead = "an array has at most 16, and tiles have at most 32 sizes";
                return Err(self.reader.error(start, "too many dimensions", instead));
            };
            *place = size;
            sizes.len += 1;
            self.reader.expect("x", "expected `x` after a size", TYPE)?;
        }
        let mut depth = 1usize;
        while depth > 0 {
            match self.reader.peek() {
                Some('<') => depth += 1,
                Some('>') => depth -= 1,
                Some(c) if c.is_ascii_alphanumeric() => {}
                _ => {
                    let at = self.reader.at();
                    return Err(self.reader.error(at, "expected the type of an element", TYPE));
                }
            }
            self.reader.bump();
        }
        Ok(sizes)
    }
}
