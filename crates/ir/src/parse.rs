//! Reading IR text.

use std::fmt;

use neuro_num::{DType, Scalar};
use rustc_hash::FxHashMap;

use crate::{
    Dims, Function, FunctionBuilder, Loc, RegionId, Type, ValueId,
    attributes::{Attribute, OpText, from_text, region_names},
};

/// Where and why a text is no function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

/// The function that `text` is; types are checked on the way.
///
/// # Errors
/// When the text is not one whole function.
pub fn parse(text: &str) -> Result<Function, ParseError> {
    let mut parser = Parser {
        text,
        at: 0,
        end: 0,
        builder: FunctionBuilder::new(""),
        values: FxHashMap::default(),
    };
    parser.function()
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// The end of the last token, where errors are reported.
    end: usize,
    builder: FunctionBuilder,
    values: FxHashMap<u32, ValueId>,
}

/// How deep regions may nest in text.
const MAX_DEPTH: usize = 200;

impl Parser<'_> {
    fn function(&mut self) -> Parsed<Function> {
        self.expect("func")?;
        self.expect("@")?;
        let name = if self.peek("\"") { self.quoted()? } else { self.word(is_name)? };
        self.builder = FunctionBuilder::new(name);
        self.expect("(")?;
        self.list(")", |parser| {
            let number = parser.value_number()?;
            let name = parser.quoted()?;
            parser.expect(":")?;
            let ty = parser.ty()?;
            let value = parser.builder.param(name, ty);
            parser.define(number, value)
        })?;
        self.expect("->")?;
        let types = if self.eat("(") {
            let mut types = Vec::new();
            self.list(")", |parser| {
                types.push(parser.ty()?);
                Ok(())
            })?;
            types
        } else {
            vec![self.ty()?]
        };
        self.expect("{")?;
        let results = self.region("return", 0)?;
        if !results.iter().map(|id| self.builder.ty(*id)).eq(&types) {
            return self.fail("the results have other types than the function says");
        }
        self.skip_space();
        if self.at < self.text.len() {
            return self.fail("text after the function");
        }
        Ok(std::mem::replace(&mut self.builder, FunctionBuilder::new("")).finish(results))
    }

    /// Ops up to the closing brace, included.
    fn region(&mut self, last: &str, depth: usize) -> Parsed<Vec<ValueId>> {
        if depth > MAX_DEPTH {
            return self.fail("regions nest too deep");
        }
        while !self.eat_word(last) {
            self.op(depth)?;
        }
        let results = self.operands()?;
        self.expect("}")?;
        Ok(results)
    }

    fn op(&mut self, depth: usize) -> Parsed<()> {
        let mut numbers = Vec::new();
        while self.peek("%") {
            numbers.push(self.value_number()?);
            if !self.eat(",") {
                self.expect("=")?;
            }
        }
        let name = self.word(|c| c.is_ascii_alphanumeric() || c == '_')?;
        let literal_texts = self.literal_texts(&name)?;
        let operands = self.operands()?;
        let attributes = self.attributes()?;
        let types = self.types()?;
        let loc = self.loc()?;
        let mut literals = Vec::new();
        if let Some(ty) = types.first() {
            for text in &literal_texts {
                literals.push(self.scalar(text, ty.dtype)?);
            }
        }
        let text = OpText { name: &name, attributes, literals, types: &types };
        let kind = from_text(text).or_else(|reason| self.fail(reason))?;
        let names = region_names(&kind);
        let regions = self.regions(names, depth)?;
        let id = self
            .builder
            .control(kind, &operands, &regions, loc)
            .or_else(|error| self.fail(error.to_string()))?;
        if !names.is_empty() {
            self.expect("gives")?;
            while self.peek("%") {
                numbers.push(self.value_number()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        let results = self.builder.results(id).to_vec();
        let given = results.iter().map(|result| self.builder.ty(*result).clone());
        if !given.eq(types) || results.len() != numbers.len() {
            return self.fail(format!("the results of {name} have other types or another number"));
        }
        numbers.into_iter().zip(results).try_for_each(|(number, id)| self.define(number, id))
    }

    fn regions(&mut self, names: &[&str], depth: usize) -> Parsed<Vec<RegionId>> {
        let mut regions = Vec::new();
        for name in names {
            self.expect(name)?;
            self.expect("(")?;
            let mut params = Vec::new();
            self.list(")", |parser| {
                let number = parser.value_number()?;
                parser.expect(":")?;
                params.push((number, parser.ty()?));
                Ok(())
            })?;
            let types: Vec<Type> = params.iter().map(|(_, ty)| ty.clone()).collect();
            let values = self.builder.begin_region(&types);
            for ((number, _), value) in params.iter().zip(values) {
                self.define(*number, value)?;
            }
            self.expect("{")?;
            let outside = self.values.clone();
            let results = self.region("yield", depth + 1)?;
            // What a region defines is not seen outside it.
            self.values = outside;
            regions.push(self.builder.end_region(results));
        }
        Ok(regions)
    }

    /// The numbers of a constant, still text as their type follows.
    fn literal_texts(&mut self, name: &str) -> Parsed<Vec<String>> {
        let is_literal = |c: char| c.is_ascii_alphanumeric() || "+-.()".contains(c);
        match name {
            "const" => Ok(vec![self.word(is_literal)?]),
            "dense" => {
                let mut texts = Vec::new();
                self.expect("[")?;
                self.list("]", |parser| {
                    texts.push(parser.word(is_literal)?);
                    Ok(())
                })?;
                Ok(texts)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn scalar(&self, text: &str, dtype: DType) -> Parsed<Scalar> {
        let bits = text.strip_prefix("nan(0x").and_then(|rest| rest.strip_suffix(')'));
        let value = match (bits, dtype) {
            (Some(bits), _) => {
                u64::from_str_radix(bits, 16).ok().map(|bits| Scalar::from_bits(dtype, bits))
            }
            (None, DType::F32) => text.parse().ok().map(Scalar::f32),
            (None, DType::F64) => text.parse().ok().map(Scalar::f64),
            (None, DType::F16 | DType::BF16) => {
                text.parse().ok().and_then(|value| Scalar::float(dtype, value))
            }
            (None, DType::Bool) => text.parse().ok().map(Scalar::bool),
            (
                None,
                DType::I8
                | DType::I16
                | DType::I32
                | DType::I64
                | DType::U8
                | DType::U16
                | DType::U32
                | DType::U64,
            ) => text.parse().ok().and_then(|value| Scalar::int(dtype, value)),
        };
        value.map_or_else(|| self.fail(format!("`{text}` is no {dtype}")), Ok)
    }

    fn operands(&mut self) -> Parsed<Vec<ValueId>> {
        let mut operands = Vec::new();
        while self.peek("%") {
            let number = self.value_number()?;
            let Some(value) = self.values.get(&number) else {
                return self.fail(format!("%{number} is not defined here"));
            };
            operands.push(*value);
            if !self.eat(",") {
                break;
            }
        }
        Ok(operands)
    }

    fn attributes(&mut self) -> Parsed<Vec<(String, Attribute)>> {
        let mut attributes = Vec::new();
        if !self.eat("{") {
            return Ok(attributes);
        }
        self.list("}", |parser| {
            let name = parser.word(|c| c.is_ascii_alphanumeric() || c == '_')?;
            let value = if !parser.eat("=") {
                Attribute::Flag
            } else if parser.peek("\"") {
                Attribute::Text(parser.quoted()?)
            } else {
                let mut axes = Vec::new();
                parser.expect("[")?;
                parser.list("]", |parser| {
                    axes.push(parser.number()?);
                    Ok(())
                })?;
                Attribute::Axes(axes)
            };
            attributes.push((name, value));
            Ok(())
        })?;
        Ok(attributes)
    }

    fn types(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        if self.eat(":") {
            types.push(self.ty()?);
            while self.eat(",") {
                types.push(self.ty()?);
            }
        }
        Ok(types)
    }

    fn ty(&mut self) -> Parsed<Type> {
        self.expect("tensor")?;
        self.expect("<")?;
        let text = self.word(|c| c.is_ascii_alphanumeric())?;
        self.expect(">")?;
        let mut parts: Vec<&str> = text.split('x').collect();
        let dtype = parts.pop().and_then(DType::from_name);
        let dims: Option<Dims> = parts.into_iter().map(|dim| dim.parse().ok()).collect();
        match dtype.zip(dims) {
            Some((dtype, dims)) => Ok(Type { dtype, dims }),
            None => self.fail(format!("tensor<{text}> is no type")),
        }
    }

    fn loc(&mut self) -> Parsed<Option<Loc>> {
        if !self.eat_word("loc") {
            return Ok(None);
        }
        self.expect("(")?;
        let number = self.number()?;
        self.expect(")")?;
        match u32::try_from(number) {
            Ok(number) => Ok(Some(Loc(number))),
            Err(_) => self.fail("a location has 32 bits"),
        }
    }

    fn define(&mut self, number: u32, value: ValueId) -> Parsed<()> {
        match self.values.insert(number, value) {
            None => Ok(()),
            Some(_) => self.fail(format!("%{number} is defined twice")),
        }
    }

    fn value_number(&mut self) -> Parsed<u32> {
        self.expect("%")?;
        let number = self.number()?;
        u32::try_from(number).or_else(|_| self.fail("a value's number has 32 bits"))
    }

    fn number(&mut self) -> Parsed<usize> {
        let text = self.word(|c| c.is_ascii_digit())?;
        text.parse().or_else(|_| self.fail("a number is too large"))
    }

    /// Entries separated by commas, up to `end`, included.
    fn list(&mut self, end: &str, mut entry: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        while !self.eat(end) {
            entry(self)?;
            if !self.eat(",") {
                return self.expect(end);
            }
        }
        Ok(())
    }

    fn quoted(&mut self) -> Parsed<String> {
        self.expect("\"")?;
        let mut out = String::new();
        let rest = &self.text[self.at..];
        let mut chars = rest.char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    self.end = self.at;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, c)) => out.push(c),
                    None => break,
                },
                _ => out.push(c),
            }
        }
        self.fail("a text does not end")
    }

    /// The longest run of characters that `of` takes; never empty.
    fn word(&mut self, of: impl Fn(char) -> bool) -> Parsed<String> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let len = rest.find(|c| !of(c)).unwrap_or(rest.len());
        if len == 0 {
            let found: String = rest.chars().take(10).collect();
            return self.fail(format!("unexpected `{found}`"));
        }
        self.at += len;
        self.end = self.at;
        Ok(rest[..len].to_owned())
    }

    fn peek(&mut self, token: &str) -> bool {
        self.skip_space();
        self.text[self.at..].starts_with(token)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        if found {
            self.at += token.len();
            self.end = self.at;
        }
        found
    }

    /// Eats `word` when no identifier character follows it.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek(word)
            && !self.text[self.at + word.len()..].starts_with(|c| is_name(c) && c != ':');
        if found {
            self.at += word.len();
            self.end = self.at;
        }
        found
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { self.fail(format!("`{token}` is missing")) }
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn fail<T>(&self, reason: impl Into<String>) -> Parsed<T> {
        let line = self.text[..self.end].matches('\n').count() + 1;
        Err(ParseError { line, reason: reason.into() })
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':' | '.')
}
