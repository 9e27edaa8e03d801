//! A module: its entry, and all its shapes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::program::Program;
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
/// It keeps positions in the text and parses a shape again when asked for it. It takes about 80 bytes for
/// each instruction and 4 for each operand.
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
    pub(crate) program: Program<'a>,
}

/// A parameter of the entry computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'a> {
    number: usize,
    name: &'a str,
    op_name: Option<Cow<'a, str>>,
    shape: &'a str,
    /// Position of its shape.
    start: usize,
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
    /// The first error, one of those of [`ErrorKind`](super::ErrorKind): a wrong shape, no `HloModule` at the
    /// start, a missing entry computation or parameter, or an unclosed string, comment, brace or parenthesis.
    pub fn parse(text: &'a str) -> Result<Module<'a>, Error> {
        let mut scanner = Scanner::new(text);
        let name = match scanner.module() {
            Some(name) if !name.is_empty() => name,
            _ => return Err(Scanner::new(text).error(ErrorKind::NoModule)),
        };
        let mut right = Cache::new();
        let mut reader = EntryReader::default();
        // An instruction as compilers print it has some hundred bytes.
        let mut program = Program::with_capacity(text.len() / 256);
        while let Some(event) = scanner.next() {
            match event {
                Event::Shape(found) => {
                    if right.get(found.text()).is_none() {
                        found.for_each_array(|_, _| {})?;
                        right.insert(found.text(), ());
                    }
                    if found.role() == Role::Instruction
                        && let Some(instruction) = found.instruction()
                    {
                        program.operation(&instruction, found.text(), text);
                    }
                    reader.shape(&found)?;
                }
                Event::Body(computation) => {
                    if computation.is_entry() {
                        if reader.entry_name.is_some() {
                            return Err(scanner.error(ErrorKind::SecondEntry));
                        }
                        reader.entry_name = Some(computation.name());
                    }
                    program.begin(computation.name(), computation.is_entry());
                }
                Event::BodyEnd(end) => program.end(end, text),
                Event::OperandsEnd(end) => program.operands_end(end, text),
                Event::Shapeless(instruction) => {
                    program.operation(&instruction, "", text);
                    if scanner.is_in_entry() {
                        if instruction.opcode() == "parameter" {
                            return Err(scanner.error(ErrorKind::ParameterShape));
                        }
                        reader.value(instruction.is_root(), None);
                    }
                }
            }
        }
        scanner.end()?;
        program.finish();
        reader.finish(text, name, program, &scanner)
    }

    /// The module's name: `jit_train_step`.
    pub const fn name(&self) -> &'a str {
        self.name
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
        let names =
            self.parameters.iter().map(|it| function_argument(it.op_name().unwrap_or(it.name)));
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

/// What is known of the entry so far.
#[derive(Default)]
struct EntryReader<'a> {
    entry_name: Option<&'a str>,
    parameters: Vec<Parameter<'a>>,
    /// The shape of the root so far, if it has one.
    root: Option<Option<&'a str>>,
    /// Whether it is marked `ROOT`.
    has_root_mark: bool,
    layout_parameters: Vec<&'a str>,
    layout_result: Option<&'a str>,
    /// Where the first shape of `entry_computation_layout` stands.
    layout: Option<usize>,
}

impl<'a> EntryReader<'a> {
    /// Notes the shape of an instruction of the entry computation.
    fn value(&mut self, is_root: bool, shape: Option<&'a str>) {
        if is_root || !self.has_root_mark {
            self.root = Some(shape);
            self.has_root_mark = is_root;
        }
    }
    fn shape(&mut self, found: &Occurrence<'a>) -> Result<(), Error> {
        let (shape, start) = (found.text(), found.range().start);
        match found.role() {
            Role::LayoutParameter(_) => {
                self.layout_parameters.push(shape);
                self.layout = self.layout.or(Some(start));
            }
            Role::LayoutResult => {
                self.layout_result = Some(shape);
                self.layout = self.layout.or(Some(start));
            }
            Role::Instruction if found.computation().is_some_and(|it| it.is_entry()) => {
                let Some(instruction) = found.instruction() else { return Ok(()) };
                self.value(instruction.is_root(), Some(shape));
                if instruction.opcode() == "parameter" {
                    let digits = found.source.get(instruction.operands..).unwrap_or_default();
                    let end = digits.find(')').unwrap_or(digits.len());
                    let Ok(number) = digits[..end].trim().parse() else {
                        return Err(Error::at(found.source, start, ErrorKind::ParameterNumber));
                    };
                    let name = instruction.name();
                    self.parameters.push(Parameter { number, name, op_name: None, shape, start });
                }
            }
            _ => {}
        }
        Ok(())
    }
    fn finish(
        mut self,
        text: &'a str,
        name: &'a str,
        program: Program<'a>,
        end: &Scanner<'a>,
    ) -> Result<Module<'a>, Error> {
        let entry_name = self.entry_name.ok_or_else(|| end.error(ErrorKind::NoEntry))?;
        let root = self.root.ok_or_else(|| end.error(ErrorKind::NoRoot))?;
        // A root without a shape has that of the header.
        let root = root.or(self.layout_result).ok_or_else(|| end.error(ErrorKind::NoRootShape))?;
        // Stable, so that of two with one number the second is said to be one too many.
        self.parameters.sort_by_key(|parameter| parameter.number);
        for (parameter, operation) in self.parameters.iter_mut().zip(&program.parameters) {
            let attributes = program.operations[*operation].attributes();
            parameter.op_name = attributes.get("op_name").map(unescape);
        }
        for (number, parameter) in self.parameters.iter().enumerate() {
            if parameter.number < number {
                let number = parameter.number;
                return Err(Error::at(text, parameter.start, ErrorKind::ParameterTwice { number }));
            }
            if parameter.number > number {
                let kind = ErrorKind::ParameterMissing { number };
                return Err(Error::at(text, parameter.start, kind));
            }
        }
        let layout = match (self.layout, self.layout_result) {
            (None, _) => None,
            (Some(start), None) => return Err(Error::at(text, start, ErrorKind::EntryLayout)),
            (Some(start), Some(result)) => {
                let (layout, entry) = (self.layout_parameters.len(), self.parameters.len());
                if layout != entry {
                    let kind = ErrorKind::ParameterCount { layout, entry };
                    return Err(Error::at(text, start, kind));
                }
                Some(ComputationLayout { parameters: self.layout_parameters, result })
            }
        };
        let parameters = self.parameters;
        // Without tables of frames and the first computation.
        let header = text.find("\n\n").unwrap_or(text.len());
        Ok(Module { text, header, name, entry_name, parameters, result: root, layout, program })
    }
}
