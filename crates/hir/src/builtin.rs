//! Types and traits that the language itself provides.

/// A type that the language provides, which no item declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltinType {
    /// A number or `bool`, `char`, `void`: its name says which.
    Scalar(&'static str),
    /// `string`
    Text,
    /// `Vec`
    Vec,
    /// `HashMap`
    HashMap,
    /// `BTreeMap`
    BTreeMap,
    /// `StringBuilder`
    StringBuilder,
    /// `Chars`, the iterator over a text
    Chars,
    /// `Tensor`
    Tensor,
    /// `SparseTensor`
    SparseTensor,
}

/// The types without parts.
const SCALARS: [&str; 15] = [
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "bool",
    "char", "void",
];

impl BuiltinType {
    /// Every one of them.
    pub fn all() -> impl Iterator<Item = BuiltinType> {
        SCALARS.into_iter().map(BuiltinType::Scalar).chain([
            BuiltinType::Text,
            BuiltinType::Vec,
            BuiltinType::HashMap,
            BuiltinType::BTreeMap,
            BuiltinType::StringBuilder,
            BuiltinType::Chars,
            BuiltinType::Tensor,
            BuiltinType::SparseTensor,
        ])
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            BuiltinType::Scalar(name) => name,
            BuiltinType::Text => "string",
            BuiltinType::Vec => "Vec",
            BuiltinType::HashMap => "HashMap",
            BuiltinType::BTreeMap => "BTreeMap",
            BuiltinType::StringBuilder => "StringBuilder",
            BuiltinType::Chars => "Chars",
            BuiltinType::Tensor => "Tensor",
            BuiltinType::SparseTensor => "SparseTensor",
        }
    }

    /// The type of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        BuiltinType::all().find(|ty| ty.name() == name)
    }
}

/// A trait that the language knows, which no item declares: operators, and what `@derive` gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltinTrait {
    /// `Add`, for `+`.
    Add,
    /// `Sub`, for `-`.
    Sub,
    /// `Mul`, for `*`.
    Mul,
    /// `Div`, for `/`.
    Div,
    /// `Rem`, for `%`.
    Rem,
    /// `BitAnd`, for `&`.
    BitAnd,
    /// `BitOr`, for `|`.
    BitOr,
    /// `BitXor`, for `^`.
    BitXor,
    /// `Shl`, for `<<`.
    Shl,
    /// `MatMul`, for `@`.
    MatMul,
    /// `Neg`, for `-` before an operand.
    Neg,
    /// `Not`, for `~` before an operand.
    Not,
    /// `PartialEq`, for `==` and `!=`.
    PartialEq,
    /// `Comparable`, for `<` and its like.
    Comparable,
    /// `Hashable`, for the keys of a `HashMap`.
    Hashable,
    /// `Drop`: what happens when a value ends.
    Drop,
    /// `Copy`: values are copied where others move.
    Copy,
    /// `Clone`: `.clone()`.
    Clone,
    /// `Debug`: `{x:?}`.
    Debug,
}

impl BuiltinTrait {
    /// Every one of them.
    pub const ALL: [BuiltinTrait; 19] = [
        BuiltinTrait::Add,
        BuiltinTrait::Sub,
        BuiltinTrait::Mul,
        BuiltinTrait::Div,
        BuiltinTrait::Rem,
        BuiltinTrait::BitAnd,
        BuiltinTrait::BitOr,
        BuiltinTrait::BitXor,
        BuiltinTrait::Shl,
        BuiltinTrait::MatMul,
        BuiltinTrait::Neg,
        BuiltinTrait::Not,
        BuiltinTrait::PartialEq,
        BuiltinTrait::Comparable,
        BuiltinTrait::Hashable,
        BuiltinTrait::Drop,
        BuiltinTrait::Copy,
        BuiltinTrait::Clone,
        BuiltinTrait::Debug,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            BuiltinTrait::Add => "Add",
            BuiltinTrait::Sub => "Sub",
            BuiltinTrait::Mul => "Mul",
            BuiltinTrait::Div => "Div",
            BuiltinTrait::Rem => "Rem",
            BuiltinTrait::BitAnd => "BitAnd",
            BuiltinTrait::BitOr => "BitOr",
            BuiltinTrait::BitXor => "BitXor",
            BuiltinTrait::Shl => "Shl",
            BuiltinTrait::MatMul => "MatMul",
            BuiltinTrait::Neg => "Neg",
            BuiltinTrait::Not => "Not",
            BuiltinTrait::PartialEq => "PartialEq",
            BuiltinTrait::Comparable => "Comparable",
            BuiltinTrait::Hashable => "Hashable",
            BuiltinTrait::Drop => "Drop",
            BuiltinTrait::Copy => "Copy",
            BuiltinTrait::Clone => "Clone",
            BuiltinTrait::Debug => "Debug",
        }
    }

    /// The trait of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        BuiltinTrait::ALL.into_iter().find(|known| known.name() == name)
    }
}
