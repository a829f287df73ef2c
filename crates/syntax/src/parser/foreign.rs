//! What people write who come from other languages: reported with what to write instead, and read as meant.

mod assignments;
mod items;
mod misspelt;
mod operators;
mod patterns;
mod shifts;
mod spelling;
mod words;

pub(super) use operators::ForeignOperator;

/// Whether a word is rather the name of a type than of a value.
pub(super) fn is_type_word(word: &str) -> bool {
    let number = word.strip_prefix(['i', 'u', 'f']).is_some_and(|bits| bits.parse::<u8>().is_ok());
    let known = matches!(word, "bool" | "string" | "char" | "int" | "float" | "double");
    number || known || word.starts_with(char::is_uppercase)
}
