//! Errors in HLO text.

use core::fmt;

/// What is wrong with HLO text, with its line and column.
///
/// It displays the line and column, and for a wrong shape the error of that shape.
///
/// # Examples
/// ```
/// use layout_hlo::Module;
///
/// let text = "HloModule m\nENTRY main {\n  ROOT x = f23[3,5]{1,0} parameter(0)\n}";
/// let error = Module::parse(text).unwrap_err();
/// assert_eq!((error.line(), error.column()), (3, 12));
/// assert_eq!(error.to_string(), "\
/// line 3, column 12: unknown element type
///   | f23[3,5]{1,0}
///   | ^^^
///   = help: did you mean `f32`?");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) kind: ErrorKind,
}

reasons! {
    /// What is wrong with HLO text.
    pub enum ErrorKind {
        /// A shape is wrong: its error says how.
        Shape(_error: layout_core::Error) => "the shape is wrong";
        /// The text is not an HLO module.
        NoModule => "the text is not an HLO module"
            => "give the program after compilation, which starts with `HloModule name`: `jax.jit(f).lower(..).compile().as_text()`, not \
                StableHLO, a jaxpr or a list of buffers";
        /// `input_output_alias` or `output_to_operand_aliasing` is not a list of places.
        Alias => "what shares memory is not a list of places"
            => "write it as in `{ {0}: (1, {}, may-alias) }`";
        /// `input_output_alias` or `output_to_operand_aliasing` names a place that there is not, or arrays of other sizes.
        AliasPlace => "no two arrays of one size are at the places that share memory"
            => "a place is a number and, in a tuple, the numbers of parts, each from 0";
        /// Something of which there is one stands a second time.
        Second { what: &'static str } => "a second ", what => "give one module in a text, and each name once";
        /// The module has no computation.
        NoEntry => "the module has no computation" => "give the whole module: was the text cut off?";
        /// A computation has no instructions.
        NoRoot => "the computation has no instruction"
            => "give the whole module, with the instructions of each computation";
        /// Something else has to stand here.
        Expected { what: &'static str } => "expected ", what
            => "give the text as XLA prints it: what is not read would be missing in the answer";
        /// Computations in braces or instructions among operands are nested too deep.
        TooDeep => "instructions and computations are nested more than 100 deep"
            => "print the module with computations of their own, as XLA does by default";
        /// An operand is not an instruction of the computation, or comes later.
        UnknownOperand => "no instruction before has this name"
            => "an operand names an instruction above it in the same computation; was something cut out?";
        /// A computation that is called is not in the text, or comes later.
        UnknownComputation => "no computation before has this name"
            => "a computation comes before those that call it; was something cut out?";
        /// A part of a tuple that it does not have.
        NoSuchPart { part: usize, parts: usize } => "part ", part, " of a value that has ", parts, " of them"
            => "the parts of a tuple are numbered from 0";
        /// The root of the entry computation has no shape, and there is no `entry_computation_layout`.
        NoRootShape => "the root of the entry computation has no shape"
            => "write it after `=`, or in `entry_computation_layout`";
        /// `entry_computation_layout` is not a list of shapes and a result, as in `{(f32[2]{0})->f32[]}`.
        EntryLayout => "`entry_computation_layout` is not complete"
            => "write it as in `{(f32[2]{0}, f32[])->f32[2]{0}}`";
        /// `parameter(..)` in the entry computation has no number.
        ParameterNumber => "the parameter has no number"
            => "write the parameter's number, as in `parameter(0)`";
        /// A parameter of the entry computation has no shape.
        ParameterShape => "the parameter has no shape"
            => "write it after `=`, as in `x = f32[2]{0} parameter(0)`";
        /// Two parameters of the entry computation have the same number.
        ParameterTwice { number: usize } => "the entry computation already has a parameter ", number
            => FROM_0;
        /// A number below that of another parameter of the entry computation is missing.
        ParameterMissing { number: usize } => "parameter ", number, " of the entry computation is missing"
            => FROM_0;
        /// `entry_computation_layout` and the entry computation differ in the shape of a parameter or result.
        EntryShape => "the entry computation has another shape here"
            => "the two have to agree; was the text cut off before its `ENTRY`?";
        /// `entry_computation_layout` and the entry computation differ in their number of parameters.
        ParameterCount { layout: usize, entry: usize } => "`entry_computation_layout` has ", layout,
            " parameters, but the entry computation has ", entry => "the two have to agree: dump the module again";
        /// The module has no order of execution: it is one from before compilation.
        NotScheduled => "the module is not scheduled, so that it does not say what is in memory when"
            => "give the program after compilation, whose header has `is_scheduled=true`: \
                `jax.jit(f).lower(..).compile().as_text()`, or of XLA's dump \
                `*.oom_intermediate_module.txt` or an `*after_optimizations.txt` with this header";
        /// An instruction has no shape, so that its bytes are not known.
        NoShape => "the instruction has no shape, so that its bytes are not known"
            => "print the module with the shapes of its instructions, as XLA does by default";
        /// The size of an array is not known before the program runs, or is above that of any memory.
        NoSize => "the text does not say how many bytes this array takes" => "give it a size in each dimension";
        /// A value has other arrays than those that it consists of.
        Arrays { shape: usize, value: usize } => "arrays in the shape: ", shape, ", but in the value: ", value
            => "the two have to agree: dump the module again";
        /// Computations call one another more than 30 deep, or again and again.
        TooManyCalls => "this computation is called too often or too deep to be followed"
            => "print the program as the compiler executes it: with calls inlined";
        /// All arrays together have more than 2⁶³ bytes.
        TooLarge => "the arrays of the program take more than 2^63 bytes" => "no device has so much memory";
        /// A string is not closed.
        UnclosedString => "the string is not closed" => "close the string with its quote; was the text cut off?";
        /// A comment is not closed.
        UnclosedComment => "the comment is not closed" => "close the comment with `*/`";
        /// The text ends where something is open.
        Unclosed => "the text ends inside braces, parentheses or an instruction" => "was the text cut off?";
    }
}

const FROM_0: &str = "parameters are numbered from 0, each once";

impl Error {
    /// An error at a byte of the text.
    pub(crate) fn at(text: &str, at: usize, kind: ErrorKind) -> Error {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |last| last + 1);
        let column = before[line_start..].chars().count() + 1;
        Error { line: before.matches('\n').count() + 1, column, kind }
    }

    /// The line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// What is wrong, without the place: one line in lower case without a full stop. For a shape, its whole
    /// error.
    pub const fn message(&self) -> impl fmt::Display + use<> {
        KindMessage(self.kind)
    }

    /// What to do, in one line; empty for a shape, whose message includes it.
    pub const fn help(&self) -> impl fmt::Display + use<> {
        self.kind.help()
    }
}

struct KindMessage(ErrorKind);

impl fmt::Display for KindMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ErrorKind::Shape(error) => error.fmt(f),
            kind => kind.line().fmt(f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message())?;
        match self.kind {
            ErrorKind::Shape(_) => Ok(()),
            _ => write!(f, "\n  = help: {}", self.help()),
        }
    }
}

/// Like `Display`, since `unwrap` and `main` print it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl core::error::Error for Error {}
