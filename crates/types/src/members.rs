//! Methods of the language on numbers, text, arrays, slices and collections: one table that inference,
//! hover and completion read. Those of tensors have their own, [`crate::Method`].

use crate::{Collection, Ty};

/// A method or associated function of a type of the language that is no tensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Member {
    /// `new()` of a collection.
    New,
    /// `.len()`: how many elements, entries or bytes.
    Len,
    /// `.clear()`
    Clear,
    /// `.push(x)`
    Push,
    /// `.pop()`
    Pop,
    /// `.get(i)` of a `Vec`, `.get(k)` of a map.
    Get,
    /// `.slice(a..b)`: a view.
    Slice,
    /// `.insert(k, v)`
    Insert,
    /// `.contains_key(k)`
    ContainsKey,
    /// `.remove(k)`
    Remove,
    /// `.keys()`
    Keys,
    /// `.push_str(text)`
    PushStr,
    /// `.to_string()`
    ToText,
    /// `.clone()` of text.
    CloneText,
    /// `.char_slice(a..b)`: a view, counted in characters.
    CharSlice,
    /// `.chars()`
    Chars,
    /// `.next()` of the characters of a text.
    Next,
    /// `.char_indices()`, in the head of a `for` only.
    CharIndices,
    /// `.wrapping_add(x)` and its like.
    Wrapping(Arithmetic),
    /// `.saturating_add(x)` and its like.
    Saturating(Arithmetic),
    /// `.checked_add(x)` and its like.
    Checked(Arithmetic),
    /// `.shr(n)`
    Shr,
    /// `.is_nan()`
    IsNan,
    /// `.to_checked::<I>()`
    ToChecked,
}

/// An operation that has forms for each way to treat overflow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
}

impl Arithmetic {
    /// The end of the names of its methods.
    pub fn word(self) -> &'static str {
        match self {
            Arithmetic::Add => "add",
            Arithmetic::Sub => "sub",
            Arithmetic::Mul => "mul",
        }
    }
}

impl Member {
    /// Whether it changes what it is called on.
    pub fn changes(self) -> bool {
        match self {
            Member::Clear
            | Member::Push
            | Member::Pop
            | Member::Insert
            | Member::Remove
            | Member::PushStr
            | Member::Next => true,
            Member::New
            | Member::Len
            | Member::Get
            | Member::Slice
            | Member::ContainsKey
            | Member::Keys
            | Member::ToText
            | Member::CloneText
            | Member::CharSlice
            | Member::Chars
            | Member::CharIndices
            | Member::Wrapping(_)
            | Member::Saturating(_)
            | Member::Checked(_)
            | Member::Shr
            | Member::IsNan
            | Member::ToChecked => false,
        }
    }
}

/// What has members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberOf {
    /// An integer.
    Int,
    /// A float.
    Float,
    /// `string`, `&string`.
    Text,
    /// `[T; N]`
    Array,
    /// `&[T]`
    Slice,
    /// A collection.
    Collection(Collection),
}

/// A row of the table.
pub struct MemberRow {
    /// What has it.
    pub of: MemberOf,
    /// Which one.
    pub member: Member,
    /// The name, as it is called.
    pub name: &'static str,
    /// The parameters, as people read them.
    pub params: &'static [&'static str],
    /// One line of documentation.
    pub doc: &'static str,
}

const fn row(
    of: MemberOf,
    member: Member,
    name: &'static str,
    params: &'static [&'static str],
    doc: &'static str,
) -> MemberRow {
    MemberRow { of, member, name, params, doc }
}

const VEC: MemberOf = MemberOf::Collection(Collection::Vec);
const HASH: MemberOf = MemberOf::Collection(Collection::HashMap);
const TREE: MemberOf = MemberOf::Collection(Collection::BTreeMap);
const CHARS: MemberOf = MemberOf::Collection(Collection::Chars);
const BUILDER: MemberOf = MemberOf::Collection(Collection::StringBuilder);

const ROWS: &[MemberRow] = &[
    row(
        MemberOf::Int,
        Member::Wrapping(Arithmetic::Add),
        "wrapping_add",
        &["other"],
        "the sum, without the bits that do not fit",
    ),
    row(
        MemberOf::Int,
        Member::Wrapping(Arithmetic::Sub),
        "wrapping_sub",
        &["other"],
        "the difference, without the bits that do not fit",
    ),
    row(
        MemberOf::Int,
        Member::Wrapping(Arithmetic::Mul),
        "wrapping_mul",
        &["other"],
        "the product, without the bits that do not fit",
    ),
    row(
        MemberOf::Int,
        Member::Saturating(Arithmetic::Add),
        "saturating_add",
        &["other"],
        "the sum, or the value of the type that is nearest to it",
    ),
    row(
        MemberOf::Int,
        Member::Saturating(Arithmetic::Sub),
        "saturating_sub",
        &["other"],
        "the difference, or the value of the type that is nearest to it",
    ),
    row(
        MemberOf::Int,
        Member::Saturating(Arithmetic::Mul),
        "saturating_mul",
        &["other"],
        "the product, or the value of the type that is nearest to it",
    ),
    row(
        MemberOf::Int,
        Member::Checked(Arithmetic::Add),
        "checked_add",
        &["other"],
        "the sum, or `None` if it does not fit",
    ),
    row(
        MemberOf::Int,
        Member::Checked(Arithmetic::Sub),
        "checked_sub",
        &["other"],
        "the difference, or `None` if it does not fit",
    ),
    row(
        MemberOf::Int,
        Member::Checked(Arithmetic::Mul),
        "checked_mul",
        &["other"],
        "the product, or `None` if it does not fit",
    ),
    row(MemberOf::Int, Member::Shr, "shr", &["count"], "the bits moved towards the lowest one"),
    row(MemberOf::Float, Member::IsNan, "is_nan", &[], "whether it is not a number"),
    row(
        MemberOf::Float,
        Member::ToChecked,
        "to_checked",
        &[],
        "the integer towards zero, or `None` if it does not fit",
    ),
    row(MemberOf::Text, Member::Len, "len", &[], "how many bytes it has"),
    row(MemberOf::Text, Member::CloneText, "clone", &[], "a text of its own"),
    row(MemberOf::Text, Member::Slice, "slice", &["range"], "a part of it, counted in bytes"),
    row(
        MemberOf::Text,
        Member::CharSlice,
        "char_slice",
        &["range"],
        "a part of it, counted in characters",
    ),
    row(MemberOf::Text, Member::Chars, "chars", &[], "its characters, one after the other"),
    row(MemberOf::Array, Member::Len, "len", &[], "how many elements it has"),
    row(MemberOf::Array, Member::Slice, "slice", &["range"], "a view of a part of it"),
    row(MemberOf::Slice, Member::Len, "len", &[], "how many elements it has"),
    row(MemberOf::Slice, Member::Slice, "slice", &["range"], "a view of a part of it"),
    row(VEC, Member::New, "new", &[], "an empty one"),
    row(VEC, Member::Push, "push", &["element"], "adds an element at the end"),
    row(VEC, Member::Pop, "pop", &[], "takes the last element out; `None` if there is none"),
    row(VEC, Member::Get, "get", &["index"], "the element there, or `None`"),
    row(VEC, Member::Len, "len", &[], "how many elements it has"),
    row(VEC, Member::Clear, "clear", &[], "takes every element out"),
    row(VEC, Member::Slice, "slice", &["range"], "a view of a part of it"),
    row(HASH, Member::New, "new", &[], "an empty one"),
    row(HASH, Member::Insert, "insert", &["key", "value"], "puts a value under a key"),
    row(HASH, Member::Get, "get", &["key"], "the value under the key, or `None`"),
    row(HASH, Member::ContainsKey, "contains_key", &["key"], "whether there is a value under it"),
    row(HASH, Member::Remove, "remove", &["key"], "takes a value out; whether there was one"),
    row(HASH, Member::Len, "len", &[], "how many keys it has"),
    row(HASH, Member::Clear, "clear", &[], "takes every value out"),
    row(HASH, Member::Keys, "keys", &[], "the keys, in no particular order"),
    row(TREE, Member::New, "new", &[], "an empty one"),
    row(TREE, Member::Insert, "insert", &["key", "value"], "puts a value under a key"),
    row(TREE, Member::Get, "get", &["key"], "the value under the key, or `None`"),
    row(TREE, Member::ContainsKey, "contains_key", &["key"], "whether there is a value under it"),
    row(TREE, Member::Remove, "remove", &["key"], "takes a value out; whether there was one"),
    row(TREE, Member::Len, "len", &[], "how many keys it has"),
    row(TREE, Member::Clear, "clear", &[], "takes every value out"),
    row(TREE, Member::Keys, "keys", &[], "the keys, from the least to the greatest"),
    row(CHARS, Member::Next, "next", &[], "the next character, or `None` at the end"),
    row(BUILDER, Member::New, "new", &[], "an empty one"),
    row(BUILDER, Member::PushStr, "push_str", &["text"], "adds text at the end"),
    row(BUILDER, Member::Len, "len", &[], "how many bytes it has"),
    row(BUILDER, Member::Clear, "clear", &[], "takes the text out"),
    row(BUILDER, Member::ToText, "to_string", &[], "a copy of the text"),
];

impl MemberOf {
    /// What a type is among these, references removed.
    pub fn of(ty: &Ty) -> Option<MemberOf> {
        match ty.peeled() {
            Ty::Scalar(dtype) if dtype.is_int() => Some(MemberOf::Int),
            Ty::Scalar(dtype) if dtype.is_float() => Some(MemberOf::Float),
            Ty::Var(var) if var.is_int() => Some(MemberOf::Int),
            Ty::Var(var) if var.is_float() => Some(MemberOf::Float),
            Ty::Text => Some(MemberOf::Text),
            Ty::Array { .. } => Some(MemberOf::Array),
            Ty::Slice(_) => Some(MemberOf::Slice),
            Ty::Collection { kind, .. } => Some(MemberOf::Collection(*kind)),
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Scalar(_)
            | Ty::Char
            | Ty::Tensor(_)
            | Ty::Ref { .. }
            | Ty::Tuple(_)
            | Ty::Fn(_)
            | Ty::Adt { .. }
            | Ty::Param(_)
            | Ty::Assoc(_)
            | Ty::Dyn(_)
            | Ty::Sparse(_)
            | Ty::Opaque(_)
            | Ty::Var(_) => None,
        }
    }

    /// The members, in the order in which people look for them.
    pub fn rows(self) -> impl Iterator<Item = &'static MemberRow> {
        ROWS.iter().filter(move |row| row.of == self)
    }

    /// The member of a name.
    pub fn find(self, name: &str) -> Option<&'static MemberRow> {
        self.rows().find(|row| row.name == name)
    }
}
