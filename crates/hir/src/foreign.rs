//! Words of other languages, and what they are here.

/// What another language calls a type of this one.
pub fn foreign_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" | "Int" | "integer" => "i32",
        "uint" | "unsigned" => "u32",
        "short" => "i16",
        "long" => "i64",
        "usize" | "size_t" | "ulong" => "u64",
        "isize" | "ssize_t" => "i64",
        "float" | "Float" => "f32",
        "double" | "Double" | "number" => "f64",
        "half" => "f16",
        "boolean" | "Bool" | "Boolean" => "bool",
        "byte" | "uchar" => "u8",
        "str" | "String" | "Text" => "string",
        "Char" | "rune" => "char",
        "unit" | "Unit" | "Void" => "void",
        "List" | "list" | "Array" | "ArrayList" | "vector" => "Vec",
        "Map" | "Dict" | "dict" | "map" => "HashMap",
        "Optional" | "Maybe" => "Option",
        "ndarray" | "Matrix" | "tensor" => "Tensor",
        _ => return None,
    })
}

/// A word of another language where a value is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForeignValue {
    /// What to write, if one word stands for it.
    pub replacement: Option<&'static str>,
    /// What this language has instead, in one sentence.
    pub note: &'static str,
}

/// What another language's word for a value is here. `called` says whether it is called as a function.
pub fn foreign_value(name: &str, called: bool) -> Option<ForeignValue> {
    let plain = |replacement, note| Some(ForeignValue { replacement, note });
    match name {
        "null" | "nil" | "NULL" | "nullptr" | "undefined" | "none" | "Nothing" => plain(
            Some("None"),
            "there is no null: what may be missing is an `Option`, which is `None` or `Some(value)`",
        ),
        "True" | "TRUE" => plain(Some("true"), "truth values are `true` and `false`"),
        "False" | "FALSE" => plain(Some("false"), "truth values are `true` and `false`"),
        "self" => plain(
            None,
            "`self` exists in the functions of `impl` blocks and traits that take it first: `&self`, `&mut self` or `self`",
        ),
        "this" => plain(Some("self"), "a method calls its receiver `self`"),
        "nan" | "NaN" | "NAN" => {
            plain(None, "not-a-number is `0.0 / 0.0`; `.is_nan()` asks for it")
        }
        "inf" | "Infinity" | "INFINITY" => plain(None, "infinity is `1.0 / 0.0`"),
        "printf" | "echo" | "puts" | "print_line" if called => {
            plain(Some("println"), "`println(\"{x}\")` writes a line")
        }
        "console" | "System" | "cout" | "std" => plain(None, "`println(\"{x}\")` writes a line"),
        "np" | "jnp" | "numpy" | "torch" | "jax" | "math" | "Math" | "tf" => plain(
            None,
            "the functions of numbers and tensors are methods: `x.exp()`, `x.max(0.0)`, `t.sum()`",
        ),
        "grad" | "value_and_grad" | "gradient" | "vjp" | "backward" if called => plain(
            None,
            "the gradient of a `@grad` function: `val l = f(&mut w)`, `l.backward()`, then `w.grad()`",
        ),
        "len" | "length" | "size" if called => {
            plain(None, "the length is a method: `values.len()`")
        }
        "range" if called => plain(None, "a range is written `a..b`, as in `for i in 0..n`"),
        "abs" | "exp" | "log" | "sqrt" | "pow" | "sin" | "cos" | "tan" | "tanh" | "max" | "min"
        | "floor" | "ceil" | "round" | "sum" | "mean"
            if called =>
        {
            plain(None, "this is a method: `x.sqrt()`, `x.pow(2.0)`, `values.sum()`")
        }
        "zeros" | "ones" | "eye" | "identity" if called => plain(
            None,
            "tensors are made by `Tensor::zeros()`, `Tensor::ones()`, `Tensor::identity()`",
        ),
        "exit" | "abort" | "throw" | "raise" if called => {
            plain(Some("panic"), "`panic(\"why\")` ends the program")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builtin, BuiltinType};

    #[test]
    fn no_word_of_the_language_is_foreign() {
        for ty in BuiltinType::all() {
            assert_eq!(foreign_type(ty.name()), None);
            assert_eq!(foreign_value(ty.name(), true), None);
        }
        for builtin in Builtin::ALL {
            assert_eq!(foreign_value(builtin.name(), true), None);
        }
        assert_eq!(foreign_type("usize"), Some("u64"));
        assert_eq!(foreign_value("nil", false).and_then(|word| word.replacement), Some("None"));
        assert_eq!(foreign_value("len", false), None);
    }
}
