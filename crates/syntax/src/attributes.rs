//! The attributes, with their places and arguments: one table for the checker, completion, suggestions and docs.

/// Where an attribute may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttributePlace {
    /// On the first line of a file, for the file.
    File,
    /// In front of a function outside of types.
    Function,
    /// In front of a method or an associated function.
    Method,
    /// In front of a struct.
    Struct,
}

/// What the value of an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttributeValue {
    /// A bare name, without a label: one of the list, or any when the list is empty.
    Names(&'static [&'static str]),
    /// A list of parameters, or of paths from them, each perhaps with an alias.
    Places,
    /// `true` or `false`.
    Bool,
    /// An integer between two bounds.
    Int(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of integers.
    Ints,
}

/// An argument of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AttributeArgument {
    /// The label; empty for arguments that are bare names.
    pub label: &'static str,
    /// What the value is.
    pub value: AttributeValue,
    /// What it says, in one sentence.
    pub doc: &'static str,
}

/// An attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The name behind `@`.
    pub name: &'static str,
    /// Where it may stand.
    pub places: &'static [AttributePlace],
    /// Its arguments.
    pub args: &'static [AttributeArgument],
    /// What it does, in a sentence or two.
    pub doc: &'static str,
}

const fn argument(
    label: &'static str,
    value: AttributeValue,
    doc: &'static str,
) -> AttributeArgument {
    AttributeArgument { label, value, doc }
}

const WRT: AttributeArgument = argument(
    "wrt",
    AttributeValue::Places,
    "The parameters, or paths from them, to differentiate with respect to; every tensor parameter when absent.",
);
const ORDER: AttributeArgument =
    argument("order", AttributeValue::Int(1, 2), "How many times to differentiate: 1 or 2.");
const SPARSE: AttributeArgument = argument(
    "sparse",
    AttributeValue::Bool,
    "Whether the derivative keeps only the entries that can be other than zero.",
);
const ANY_FUNCTION: &[AttributePlace] = &[AttributePlace::Function, AttributePlace::Method];

/// Every attribute.
pub const ATTRIBUTES: &[Attribute] = &[
    Attribute {
        name: "grad",
        places: ANY_FUNCTION,
        args: &[
            WRT,
            ORDER,
            SPARSE,
            argument(
                "triangle",
                AttributeValue::Word(&["lower", "upper"]),
                "Which triangle of a sparse Hessian to keep.",
            ),
        ],
        doc: "Makes the gradient of a function whose result is a tensor of rank 0, and at order 2 its Hessian, while compiling.",
    },
    Attribute {
        name: "jacobian",
        places: ANY_FUNCTION,
        args: &[WRT, ORDER, SPARSE],
        doc: "Makes the Jacobian of a function whose result is a tensor of any static shape, while compiling.",
    },
    Attribute {
        name: "expect",
        places: ANY_FUNCTION,
        args: &[
            argument("nnz", AttributeValue::Int(0, u64::MAX), "The number of entries."),
            argument("directions", AttributeValue::Int(0, u64::MAX), "The number of directions."),
            argument("passes", AttributeValue::Int(0, u64::MAX), "The number of sweeps."),
            argument(
                "strategy",
                AttributeValue::Word(&["column", "row", "star", "local", "dense"]),
                "How the entries are computed.",
            ),
        ],
        doc: "Asserts the structure of the derivative: what differs is an error.",
    },
    Attribute {
        name: "no_grad",
        places: ANY_FUNCTION,
        args: &[],
        doc: "A call of the function is a constant to every derivative.",
    },
    Attribute {
        name: "derive",
        places: &[AttributePlace::Struct],
        args: &[argument(
            "",
            AttributeValue::Names(&["Copy", "Clone", "Debug", "PartialEq"]),
            "A trait to implement field by field.",
        )],
        doc: "Implements traits for a struct field by field.",
    },
    Attribute {
        name: "allow",
        places: ANY_FUNCTION,
        args: &[argument(
            "",
            AttributeValue::Names(&[
                "prefer_loop_over_while_true",
                "float_cast_out_of_range",
                "unused_imports",
                "unused_variables",
                "unused_items",
                "unreachable_arm",
                "unused_results",
                "hiding_patterns",
                "unreachable_code",
            ]),
            "The lint to silence.",
        )],
        doc: "Silences a lint in the function.",
    },
    Attribute {
        name: "no_prelude",
        places: &[AttributePlace::File],
        args: &[],
        doc: "Leaves the names of the prelude out of the file.",
    },
    Attribute {
        name: "gpu",
        places: &[AttributePlace::Function],
        args: &[argument(
            "fallback",
            AttributeValue::Bool,
            "Whether the function may run on the processor instead.",
        )],
        doc: "Runs the tensor operations of the function as kernels of a graphics processor.",
    },
    Attribute {
        name: "kernel",
        places: &[AttributePlace::Function],
        args: &[argument("threads", AttributeValue::Ints, "The number of threads per axis.")],
        doc: "Runs the function once per thread of a graphics processor.",
    },
];

/// The attribute with the name.
pub fn attribute(name: &str) -> Option<&'static Attribute> {
    ATTRIBUTES.iter().find(|attribute| attribute.name == name)
}
