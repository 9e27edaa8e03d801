//! A module: its entry, and all its shapes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::program::Program;
use crate::program::outline::{Operation, Outline};
use crate::reading::attributes::Attributes;
use crate::reading::cache::Cache;
use crate::reading::error::{Error, ErrorKind};
use crate::reading::escape::unescape;
use crate::reading::found::{Occurrence, Role};
use crate::reading::scan::{Event, Scanner};
use crate::reading::shapes::{Shapes, shapes};
use layout_core::{ArrayShape, Shape};

/// A parsed HLO module: its parameters and results, and access to all its shapes.
///
/// It keeps positions in the text and parses a shape again when asked for it. It takes 24 bytes for each
/// instruction; [`memory`](Self::memory) some hundred more, while what it returns lives.
///
/// # Examples
/// ```
/// use layout::hlo::Module;
///
/// let module = Module::parse("\
/// HloModule double, entry_computation_layout={(bf16[20,300]{1,0:T(8,128)(2,1)})->bf16[20,300]{1,0:T(8,128)(2,1)}}
///
/// ENTRY %main.3 (x.1: bf16[20,300]) -> bf16[20,300] {
///   %x.1 = bf16[20,300]{1,0:T(8,128)(2,1)} parameter(0), metadata={op_name=\"x\"}
///   ROOT %add.2 = bf16[20,300]{1,0:T(8,128)(2,1)} add(%x.1, %x.1)
/// }")?;
/// assert_eq!((module.name(), module.entry_name()), ("double", "main.3"));
/// let [x] = module.parameters() else { panic!() };
/// assert_eq!((x.number(), x.name(), x.op_name()), (0, "x.1", Some("x")));
/// assert_eq!(module.computation_layout().parameters(), ["bf16[20,300]{1,0:T(8,128)(2,1)}"]);
/// assert_eq!(x.shape().to_string(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
/// let bytes = module.shapes().filter_map(|(_, shape)| shape.as_array()?.bytes());
/// assert_eq!(bytes.max(), Some(24 * 384 * 2));
/// # Ok::<(), layout::hlo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'a> {
    pub(crate) text: &'a str,
    /// Where the header ends.
    header: usize,
    name: &'a str,
    entry_name: &'a str,
    parameters: Vec<Parameter<'a>>,
    result: &'a str,
    layout: Option<ComputationLayout<'a>>,
    outline: Outline<'a>,
}

/// A parameter of the entry computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'a> {
    number: usize,
    name: &'a str,
    op_name: Option<Cow<'a, str>>,
    shape: &'a str,
}

impl<'a> Parameter<'a> {
    /// Its number, from 0.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The name of its instruction, without `%`: `Arg_0.1`.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The name in its metadata, which JAX takes from the argument: `params['w']`.
    pub fn op_name(&self) -> Option<&str> {
        self.op_name.as_deref()
    }

    /// The name in its metadata, or that of its instruction where it has none there.
    pub fn any_name(&self) -> &str {
        self.op_name().unwrap_or(self.name)
    }

    /// The shape of its instruction.
    pub fn shape(&self) -> Shape {
        known(self.shape)
    }

    /// The text of its instruction's shape.
    pub const fn shape_text(&self) -> &'a str {
        self.shape
    }
}

/// The argument of the user's function that a parameter is a part of: `params` of `params['w']`.
pub(crate) fn function_argument(name: &str) -> &str {
    name.split(['[', '.', '(']).next().unwrap_or_default()
}

/// Shapes of the parameters and the result of a computation, with their layouts, as texts (XLA's
/// `ComputationLayout`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputationLayout<'a> {
    parameters: Vec<&'a str>,
    result: &'a str,
}

impl<'a> ComputationLayout<'a> {
    /// The shapes of the parameters, by number, as valid texts.
    pub fn parameters(&self) -> &[&'a str] {
        &self.parameters
    }

    /// The shape of the result as a valid text; several results are a tuple.
    pub const fn result(&self) -> &'a str {
        self.result
    }

    /// The shapes of the parameters, by number.
    pub fn parameter_shapes(&self) -> Vec<Shape> {
        self.parameters.iter().map(|text| known(text)).collect()
    }

    /// The shapes of the results: the parts if the result is a tuple, else the one result.
    pub fn result_shapes(&self) -> Vec<Shape> {
        match known(self.result) {
            Shape::Tuple(parts) => parts.into(),
            other => Vec::from([other]),
        }
    }
}

/// The shape of a text that was read without a fault before.
fn known(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error: layout_core::Error| unreachable!("read before: {error}"))
}

impl<'a> Module<'a> {
    /// Parses the text of a module, as any version of XLA prints it.
    ///
    /// Checks the header, the parameters and result of the entry computation, and every shape that [`shapes`]
    /// finds. Attributes, constants and operands are skipped, and shapes are not compared with one another.
    ///
    /// # Errors
    /// The first error, one of those of [`ErrorKind`]: a wrong shape, no `HloModule` at the
    /// start, a missing entry computation or parameter, or an unclosed string, comment, brace or parenthesis.
    pub fn parse(text: &'a str) -> Result<Module<'a>, Error> {
        let mut scanner = Scanner::new(text);
        let name = match scanner.module() {
            Some(name) if !name.is_empty() => name,
            _ => return Err(Scanner::new(text).error(ErrorKind::NoModule)),
        };
        let mut right = Cache::new();
        let (mut entry_name, mut layout) = (None, LayoutReader::default());
        // An instruction as compilers print it has some hundred bytes.
        let mut outline = Outline::with_capacity(text.len() / 256);
        while let Some(event) = scanner.next() {
            match event {
                Event::Shape(found) => {
                    let shape = found.text();
                    if right.get(shape).is_none() {
                        found.for_each_array(|_, _| {})?;
                        right.insert(shape, ());
                    }
                    match (found.role(), found.instruction()) {
                        (Role::Instruction, Some(own)) => {
                            outline.operation(&own, found.range(), text)
                        }
                        (Role::LayoutParameter(_), _) => layout.parameters.push(shape),
                        (Role::LayoutResult, _) => layout.result = Some(shape),
                        _ => {}
                    }
                }
                Event::Body(computation) => {
                    if computation.is_entry() && entry_name.replace(computation.name()).is_some() {
                        return Err(scanner.error(ErrorKind::SecondEntry));
                    }
                    outline.begin(computation.name(), computation.is_entry());
                }
                Event::BodyEnd(end) => outline.end(end),
                Event::OperandsEnd(end) => outline.operands_end(end),
                Event::Shapeless(instruction) => {
                    // Its shape is empty.
                    let start = instruction.operands - 1 - instruction.opcode().len();
                    outline.operation(&instruction, start..start, text);
                }
            }
        }
        scanner.end()?;
        let entry_name = entry_name.ok_or_else(|| scanner.error(ErrorKind::NoEntry))?;
        let parameters = parameters(&outline, text)?;
        let root = outline.entry().and_then(|entry| Some(outline.read(text, entry, entry.root()?)));
        // A root without a shape has that of the header.
        let root = root.ok_or_else(|| scanner.error(ErrorKind::NoRoot))?.shape;
        let root = Some(root).filter(|shape| !shape.is_empty());
        let result = root.or(layout.result).ok_or_else(|| scanner.error(ErrorKind::NoRootShape))?;
        let layout = layout.finish(text, parameters.len())?;
        // Without tables of frames and the first computation.
        let header = text.find("\n\n").unwrap_or(text.len());
        Ok(Module { text, header, name, entry_name, parameters, result, layout, outline })
    }

    /// The module's name: `jit_train_step`.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The operations, with their operands.
    pub(crate) fn program(&self) -> Program<'a> {
        Program::new(self.text, &self.outline)
    }

    /// The attributes of the header.
    pub(crate) fn header(&self) -> Attributes<'a> {
        Attributes(&self.text[..self.header])
    }

    /// The name of the entry computation, without `%`.
    pub const fn entry_name(&self) -> &'a str {
        self.entry_name
    }

    /// The parameters of the entry computation, by number.
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// The arguments of the user's function by name, in their order: JAX makes a parameter of each array in them.
    pub(crate) fn functions_arguments(&self) -> Vec<&str> {
        let names = self.parameters.iter().map(|it| function_argument(it.any_name()));
        let mut names = names.collect::<Vec<_>>();
        names.dedup();
        names
    }

    /// The shape of the entry computation's result: that of its `ROOT`, or else of its last instruction. If
    /// the text leaves it out, the result of `entry_computation_layout`.
    pub fn result(&self) -> Shape {
        known(self.result)
    }

    pub(crate) const fn result_text(&self) -> &'a str {
        self.result
    }

    /// `entry_computation_layout`, if the module has it.
    pub const fn entry_computation_layout(&self) -> Option<&ComputationLayout<'a>> {
        self.layout.as_ref()
    }

    /// The shapes that a caller passes and gets: `entry_computation_layout`, or else the shapes of the entry
    /// computation's parameters and root.
    pub fn computation_layout(&self) -> Cow<'_, ComputationLayout<'a>> {
        match &self.layout {
            Some(layout) => Cow::Borrowed(layout),
            None => Cow::Owned(ComputationLayout {
                parameters: self.parameters.iter().map(|parameter| parameter.shape).collect(),
                result: self.result,
            }),
        }
    }

    /// Every shape of the text, in order.
    ///
    /// It scans the text again. Repeated arrays are mostly parsed once, tuples each time;
    /// [`hlo::shapes`](shapes) finds the shapes without parsing them.
    pub fn shapes(&self) -> ModuleShapes<'a> {
        ModuleShapes { found: shapes(self.text), cache: Cache::new() }
    }
}

/// Iterator over every shape of a module; made by [`Module::shapes`].
#[derive(Clone, Debug)]
pub struct ModuleShapes<'a> {
    found: Shapes<'a>,
    /// Arrays only: a tuple can be of any size.
    cache: Cache<'a, ArrayShape>,
}

impl<'a> Iterator for ModuleShapes<'a> {
    type Item = (Occurrence<'a>, Shape);

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.found.next()?;
        if let Some(array) = self.cache.get(found.text()) {
            return Some((found, Shape::Array(*array)));
        }
        let shape = known(found.text());
        if let Shape::Array(array) = shape {
            self.cache.insert(found.text(), array);
        }
        Some((found, shape))
    }
}

impl core::iter::FusedIterator for ModuleShapes<'_> {}

/// The parameters of the entry, each number once.
fn parameters<'a>(outline: &Outline<'a>, text: &'a str) -> Result<Vec<Parameter<'a>>, Error> {
    let Some(entry) = outline.entry() else { return Ok(Vec::new()) };
    let read = |own: &usize| (outline.read(text, entry, *own), outline.shape_at(*own));
    let mut found = outline.parameters.iter().map(read).collect::<Vec<_>>();
    // Stable, so that of two with one number the second is said to be one too many.
    found.sort_by_key(|(operation, _)| operation.parameter());
    let parameter = |(number, (own, at)): (usize, (Operation<'a>, usize))| {
        let kind = match own.parameter() {
            _ if own.shape.is_empty() => ErrorKind::ParameterShape,
            None => ErrorKind::ParameterNumber,
            Some(own) if own < number => ErrorKind::ParameterTwice { number: own },
            Some(own) if own > number => ErrorKind::ParameterMissing { number },
            Some(_) => {
                let op_name = own.attributes().get("op_name").map(unescape);
                return Ok(Parameter { number, name: own.name, op_name, shape: own.shape });
            }
        };
        Err(Error::at(text, at, kind))
    };
    found.into_iter().enumerate().map(parameter).collect()
}

/// What is known of `entry_computation_layout` so far.
#[derive(Default)]
struct LayoutReader<'a> {
    parameters: Vec<&'a str>,
    result: Option<&'a str>,
}

impl<'a> LayoutReader<'a> {
    /// The layout, if there is one, of so many parameters.
    fn finish(self, text: &str, entry: usize) -> Result<Option<ComputationLayout<'a>>, Error> {
        let LayoutReader { parameters, result } = self;
        let Some(first) = parameters.first().copied().or(result) else { return Ok(None) };
        let kind = match result {
            Some(result) if parameters.len() == entry => {
                return Ok(Some(ComputationLayout { parameters, result }));
            }
            Some(_) => ErrorKind::ParameterCount { layout: parameters.len(), entry },
            None => ErrorKind::EntryLayout,
        };
        Err(Error::at(text, first.as_ptr() as usize - text.as_ptr() as usize, kind))
    }
}
