//! What operations do to memory and to the order of elements: one row for each opcode. Opcodes without a row make an array of their own.

/// Where an operation's value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValuePlace {
    /// In memory of its own.
    Own,
    /// Where its operand lies, which it only passes on: that is not a use.
    Passed,
    /// Where its operands lie, which are its parts.
    Joined,
    /// Where a part of its operand lies, which it only passes on.
    Part,
    /// Where the caller has it.
    Parameter,
    /// Where what a loop carries lies.
    Loop,
    /// Where what a call or a branch returns lies.
    Returned,
    /// In the operands that it updates in place, each array in the operand of the same number.
    Updated,
    /// The array of the first number lies in the operand of the second, the others in memory of their own.
    Holds(usize, usize),
    /// As `output_to_operand_aliasing` says, else in memory of its own.
    Aliased,
    /// Its value holds its operands, which stay in memory until the operation is done, and its result: in memory of its own or,
    /// where what is started works in place, in that of the operand of this number.
    Started(Option<usize>),
    /// As what was started, whose value it passes on, with more operands in it.
    Bound,
    /// Where what was started has its result: in the part of this number, if it has parts.
    Done(usize),
}

/// Which elements of its operands an operation's elements are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    /// It is one of the others, or computes.
    Other,
    /// Of those in the same place alone.
    ByElement,
    /// They are the same ones, in the same order.
    Same,
    /// They are the same ones, in another order.
    Moved,
    /// They are some of them.
    Slice,
}

/// Which of its operands' bytes each device of a collective's group receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// Those of all others in its group.
    Others,
    /// All but its share of the group.
    Share,
    /// The same twice: to add up, and to hand out.
    ShareTwice,
    /// As many.
    All,
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident = $text:literal $(| $other:literal)*, $memory:expr, $elements:ident $(, $received:ident)?;)*) => {
        /// The opcode of an operation, if it has a row; otherwise `Other`, or what the end of its name says.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Opcode {
            $($(#[$doc])* $name,)*
        }

        impl Opcode {
            pub(crate) fn new(text: &str) -> Opcode {
                match text {
                    $($text $(| $other)* => Opcode::$name,)*
                    _ if text.ends_with("-start") => Opcode::OtherStart,
                    _ if text.ends_with("-update") => Opcode::OtherUpdate,
                    _ if text.ends_with("-done") => Opcode::OtherDone,
                    _ => Opcode::Other,
                }
            }

            /// Its name; the first one of a row.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Opcode::$name => $text,)*
                }
            }

            pub(crate) const fn memory(self) -> ValuePlace {
                match self {
                    $(Opcode::$name => $memory,)*
                }
            }

            /// What a device receives, if it is a collective.
            pub(crate) const fn received(self) -> Option<Received> {
                match self {
                    $($(Opcode::$name => Some(Received::$received),)?)*
                    _ => None,
                }
            }

            pub(crate) const fn elements(self) -> Elements {
                match self {
                    $(Opcode::$name => Elements::$elements,)*
                }
            }
        }
    };
}

use ValuePlace::{
    Aliased, Bound, Done, Holds, Joined, Loop, Own, Parameter, Part, Passed, Returned, Started,
    Updated,
};

opcodes! {
    Add = "add", Own, ByElement;
    AddDependency = "add-dependency", Passed, Other;
    AllGather = "all-gather", Own, Other, Others;
    AllGatherStart = "all-gather-start", Started(None), Other, Others;
    AllReduce = "all-reduce", Own, Other, ShareTwice;
    AllReduceStart = "all-reduce-start", Updated, Other, ShareTwice;
    AllToAll = "all-to-all", Own, Other, Share;
    AsyncStart = "async-start" | "call-start", Started(None), Other;
    Bitcast = "bitcast", Passed, Same;
    Broadcast = "broadcast", Own, Other;
    Call = "call", Returned, Other;
    Clamp = "clamp", Own, ByElement;
    CollectiveBroadcast = "collective-broadcast", Own, Other, All;
    CollectivePermute = "collective-permute", Own, Other, All;
    CollectivePermuteStart = "collective-permute-start", Started(None), Other, All;
    Compare = "compare", Own, ByElement;
    Conditional = "conditional", Returned, Other;
    Constant = "constant", Own, Other;
    Convert = "convert", Own, ByElement;
    Copy = "copy", Own, Same;
    CopyDone = "copy-done", Done(0), Same;
    CopyStart = "copy-start", Holds(1, 0), Same;
    CustomCall = "custom-call", Aliased, Other;
    Divide = "divide", Own, ByElement;
    DynamicSlice = "dynamic-slice", Own, Slice;
    DynamicUpdateSlice = "dynamic-update-slice", Updated, Other;
    Fusion = "fusion", Aliased, Other;
    FusionStart = "fusion-start", Started(None), Other;
    GetTupleElement = "get-tuple-element", Part, Other;
    Multiply = "multiply", Own, ByElement;
    OptimizationBarrier = "optimization-barrier", Passed, Other;
    Parameter = "parameter", Parameter, Other;
    PartitionId = "partition-id", Own, Other;
    RaggedAllToAll = "ragged-all-to-all", Holds(0, 1), Other, Share;
    RaggedAllToAllStart = "ragged-all-to-all-start", Started(Some(1)), Other, Share;
    RecvDone = "recv-done", Done(0), Other;
    Reduce = "reduce", Own, Other;
    ReduceScatter = "reduce-scatter", Own, Other, Share;
    Remainder = "remainder", Own, ByElement;
    Reshape = "reshape", Own, Moved;
    Scatter = "scatter", Updated, Other;
    Send = "send", Holds(0, 0), Other;
    Slice = "slice", Own, Slice;
    SliceStart = "slice-start", Started(None), Other;
    Sort = "sort", Own, Other;
    Subtract = "subtract", Own, ByElement;
    Transpose = "transpose", Own, Moved;
    Tuple = "tuple", Joined, Other;
    UpdateStart = "dynamic-update-slice-start" | "scatter-start", Started(Some(0)), Other;
    While = "while", Loop, Other;
    /// All others that work element by element.
    Elementwise = "abs" | "and" | "atan2" | "bitcast-convert" | "cbrt" | "ceil" | "complex" | "cosine"
        | "count-leading-zeros" | "erf" | "exponential" | "exponential-minus-one" | "floor" | "imag" | "is-finite"
        | "log" | "log-plus-one" | "logistic" | "map" | "maximum" | "minimum" | "negate" | "not" | "or" | "popcnt"
        | "power" | "real" | "reduce-precision" | "round-nearest-afz" | "round-nearest-even" | "rsqrt" | "select"
        | "shift-left" | "shift-right-arithmetic" | "shift-right-logical" | "sign" | "sine" | "sqrt" | "tan" | "tanh"
        | "xor", Own, ByElement;
    /// Others that begin and end something asynchronous, by the ends of their names.
    OtherStart = "-start", Started(None), Other;
    OtherUpdate = "-update", Bound, Other;
    OtherDone = "-done", Done(1), Other;
    Other = "", Own, Other;
}

impl Opcode {
    /// Whether it only passes on what it gets, so that it is not a use.
    pub(crate) fn passes_on(self) -> bool {
        matches!(self.memory(), Passed | Joined | Part)
    }

    /// Whether it starts a computation that XLA keeps apart, also where it prints only the one operation in it.
    pub(crate) fn starts_computation(self) -> bool {
        matches!(self.memory(), Started(_))
            && !matches!(self, Opcode::AllGatherStart | Opcode::CollectivePermuteStart)
    }

    pub(crate) fn is_elementwise(self) -> bool {
        self.elements() == Elements::ByElement
    }

    /// Whether elements and their order stay as they are; the layout may change.
    pub(crate) fn is_copy(self) -> bool {
        self.elements() == Elements::Same
    }
}
