//! Items of other languages.

use crate::SyntaxKind;
use crate::parser::Parser;
use crate::parser::foreign::is_type_word;
use rowan::TextRange;

impl Parser<'_> {
    /// The keyword that another language's word in front of an item stands for.
    pub(in crate::parser) fn foreign_item(&self) -> Option<SyntaxKind> {
        let next = self.significant(1);
        let named = next.kind == SyntaxKind::IDENT && !next.new_line;
        if !self.at(SyntaxKind::IDENT) || !named && !next.kind.starts_item() {
            return None;
        }
        match self.text_of(0) {
            "fn" | "def" | "function" | "fun" if named => Some(SyntaxKind::FUNC_KW),
            "proc" | "sub" | "fnc" if named => Some(SyntaxKind::FUNC_KW),
            "class" | "record" if named => Some(SyntaxKind::STRUCT_KW),
            "interface" | "protocol" if named => Some(SyntaxKind::TRAIT_KW),
            "typedef" | "typealias" if named => Some(SyntaxKind::TYPE_KW),
            "mod" | "namespace" if named => Some(SyntaxKind::MODULE_KW),
            "use" if named => Some(SyntaxKind::IMPORT_KW),
            "extension" if named => Some(SyntaxKind::IMPL_KW),
            word if is_visible(word) || is_prefix(word) => self.keyword_behind_prefix(),
            _ if named => self.misspelt_item(),
            _ => None,
        }
    }

    /// The keyword of the item that stands behind a word such as `pub` or `static`.
    fn keyword_behind_prefix(&self) -> Option<SyntaxKind> {
        let next = self.significant(1);
        let named = !next.new_line && next.kind == SyntaxKind::IDENT;
        match self.text_of(1) {
            _ if next.new_line => None,
            "fn" | "def" | "function" | "fun" if named => Some(SyntaxKind::FUNC_KW),
            "use" if named => Some(SyntaxKind::IMPORT_KW),
            "class" if named => Some(SyntaxKind::STRUCT_KW),
            _ => next.kind.starts_item().then_some(next.kind),
        }
    }

    /// Takes a keyword, or the word that another language has for it.
    pub(in crate::parser) fn keyword_or_foreign(&mut self, keyword: SyntaxKind) {
        if self.eat(keyword) {
            return;
        }
        let right = keyword.name().trim_matches('`');
        let fix = self.replace(self.range_of(0), right);
        let message = format!("`{}` is no word of the language: write `{right}`", self.text_of(0));
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
    }

    /// Takes a `pub`, a `static` or the like in front of an item or a field.
    pub(in crate::parser) fn foreign_prefix(&mut self) {
        while self.at(SyntaxKind::IDENT) {
            let word = self.text_of(0);
            let next = self.significant(1);
            let follows = matches!(next.kind, SyntaxKind::IDENT) || next.kind.is_keyword();
            if next.new_line || !follows {
                return;
            }
            let function = matches!(self.text_of(1), "fn" | "def" | "fun" | "function");
            if is_visible(word) && function && next.kind == SyntaxKind::IDENT {
                let words = self.range_of(0).cover(self.range_of(1));
                let fix = self.replace(words, "export func");
                let message = "a function that other modules may see is an `export func`";
                self.note_error(words, message, fix);
                self.bump_as_error();
                // The other word has been reported with this one.
                self.last_error = Some(self.pos);
                return;
            }
            if is_visible(word) {
                let fix = self.replace(self.range_of(0), "export");
                let message = "what other modules may see is marked by `export`";
                self.note_error(self.range_of(0), message, fix);
            } else if is_prefix(word) {
                let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
                let fix = self.replace(range, "");
                let message = match word {
                    "private" | "protected" | "internal" => {
                        format!(
                            "there is no `{word}`: what is not exported is seen in its module only"
                        )
                    }
                    "async" => "there are no asynchronous functions".to_owned(),
                    _ => format!("there is no `{word}` in front of an item"),
                };
                self.note_error(self.range_of(0), message, fix);
            } else {
                return;
            }
            self.bump_as_error();
        }
    }

    /// Reports and takes what begins no item and is known from elsewhere; gives whether it did.
    pub(in crate::parser) fn foreign_top_level(&mut self) -> bool {
        let range = self.range_of(0);
        let next = self.significant(1);
        let message = match self.current() {
            SyntaxKind::VAL_KW | SyntaxKind::MUT_KW => {
                "a binding stands in a function; a value of the whole file is a `const`".to_owned()
            }
            SyntaxKind::IDENT
                if matches!(self.text_of(0), "let" | "var" | "static" | "define")
                    && matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::MUT_KW) =>
            {
                "a value of the whole file is a constant: write `const NAME: type = value`"
                    .to_owned()
            }
            SyntaxKind::IDENT if self.at_word("from") && next.kind == SyntaxKind::IDENT => {
                "names are brought in by `import module::name`".to_owned()
            }
            SyntaxKind::IDENT if self.at_bare_function() => {
                let plain = next.kind == SyntaxKind::L_PAREN;
                let fix = self.insert(range.start(), "func ").filter(|_| plain);
                let message = "a function is written `func name(a: A) -> R { .. }`";
                self.error_with_fix(range, message, fix);
                return true;
            }
            SyntaxKind::IDENT
                if matches!(self.text_of(0), "include" | "require" | "using")
                    && self.expr_starts_at(1) =>
            {
                "another module is brought in by `import name`".to_owned()
            }
            SyntaxKind::IDENT if self.at_word("package") && next.kind == SyntaxKind::IDENT => {
                "a file is a module by its place, and says no name of its own".to_owned()
            }
            _ if self.at_expr_start() || self.at(SyntaxKind::POOL_KW) => {
                let found = self.describe();
                format!(
                    "expected an item such as `func`, found {found}: statements stand in functions"
                )
            }
            _ => return false,
        };
        self.error(range, message);
        true
    }

    /// Takes what stands in place of the braces of a struct; gives whether it did.
    pub(in crate::parser) fn foreign_struct_body(&mut self) -> bool {
        if self.at_line_start() {
            return false;
        }
        match self.current() {
            SyntaxKind::L_PAREN => {
                let message =
                    "a struct has named fields in braces; a type around another one is a `newtype`";
                self.error(self.range_of(0), message);
                self.skip_line();
                if self.at(SyntaxKind::SEMICOLON) && !self.at_line_start() {
                    self.bump_as_error();
                }
                true
            }
            SyntaxKind::SEMICOLON => {
                let fix = self.replace(self.range_of(0), " { }");
                self.error_with_fix(
                    self.range_of(0),
                    "a struct without fields has empty braces",
                    fix,
                );
                self.bump_as_error();
                true
            }
            _ => false,
        }
    }

    /// Takes `:` or `(` in place of `=` in front of a type.
    pub(in crate::parser) fn foreign_equals(&mut self, message: &str) {
        if self.at(SyntaxKind::COLON) {
            let fix = self.replace(self.range_of(0), " =");
            self.error_with_fix(self.range_of(0), message, fix);
            self.bump_as_error();
            self.type_();
            self.last_error = Some(self.pos);
        } else if self.at(SyntaxKind::L_PAREN) && !self.at_line_start() {
            self.error(self.range_of(0), message);
            self.skip_line();
            self.last_error = Some(self.pos);
        }
    }

    /// Takes generic parameters in brackets, `func f[T]`.
    pub(in crate::parser) fn foreign_generics(&mut self) {
        if !self.at(SyntaxKind::L_BRACK) || self.at_line_start() {
            return;
        }
        let open = self.range_of(0);
        self.skip_while(|_| false);
        let range = TextRange::new(open.start(), self.previous_end());
        let inner = self.slice(range).trim_start_matches('[').trim_end_matches(']');
        let fix = self.replace(range, &format!("<{inner}>"));
        self.note_error(open, "generic parameters stand between `<` and `>`", fix);
    }

    /// Takes `i32 x` or `x i32` in place of `x: i32`; gives whether it did.
    pub(in crate::parser) fn foreign_typed_name(&mut self, what: &str) -> bool {
        let ends = self.significant(2).new_line
            || matches!(self.nth(2), SyntaxKind::COMMA | SyntaxKind::R_PAREN | SyntaxKind::R_BRACE);
        let words = self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::IDENT;
        if !words || !ends || self.significant(1).new_line {
            return false;
        }
        let range = self.range_of(0).cover(self.range_of(1));
        let (first, second) = (self.text_of(0), self.text_of(1));
        let swapped = is_type_word(first) && !is_type_word(second);
        let (name, ty) = if swapped { (second, first) } else { (first, second) };
        let fix = self.replace(range, &format!("{name}: {ty}"));
        self.note_error(range, format!("{what} is written `name: type`"), fix);
        if swapped {
            self.bump_as_error();
            self.name("a name");
        } else {
            self.name("a name");
            self.type_();
        }
        true
    }

    /// Takes the default value of a parameter.
    pub(in crate::parser) fn foreign_default(&mut self) {
        if self.at(SyntaxKind::EQ) {
            let message =
                "a parameter has no default value: write a second function, or take an `Option`";
            self.note_error(self.range_of(0), message, None);
            self.skip_while(|parser| !parser.at(SyntaxKind::COMMA));
        }
    }

    /// Takes `;` or `|` in place of a comma between fields, variants or arms; gives whether it did.
    pub(in crate::parser) fn foreign_separator(&mut self, lines: bool) -> bool {
        let separates = self.at(SyntaxKind::SEMICOLON) || lines && self.at(SyntaxKind::PIPE);
        if !separates {
            return false;
        }
        let sign = self.text_of(0);
        let last = lines && self.significant(1).new_line;
        let fix = self.replace(self.range_of(0), if last { "" } else { "," });
        let what = if lines { "a comma or a new line" } else { "a comma" };
        let message = format!("what separates the entries here is {what}, not `{sign}`");
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
        true
    }

    /// Takes a word that binds a name in front of a field, and `case` in front of a variant.
    pub(in crate::parser) fn foreign_entry_word(&mut self) {
        let next = self.significant(1);
        let binds = self.at_any(&[SyntaxKind::VAL_KW, SyntaxKind::MUT_KW, SyntaxKind::CONST_KW])
            || self.at_word("let")
            || self.at_word("var");
        let case = self.at_word("case");
        if !(binds || case) || next.new_line || next.kind != SyntaxKind::IDENT {
            return;
        }
        let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
        let fix = self.replace(range, "");
        let message = if case {
            "a variant has its name alone, without `case`"
        } else {
            "a field is written `name: type`, and changes when what holds it does"
        };
        self.note_error(self.range_of(0), message, fix);
        self.bump_as_error();
    }

    /// Takes the names of other types behind the one that is declared, as in `struct A: B`.
    pub(in crate::parser) fn foreign_parents(&mut self, what: &str) {
        let word = self.at(SyntaxKind::IDENT)
            && matches!(self.text_of(0), "extends" | "implements" | "is" | "with");
        let found = self.at(SyntaxKind::COLON) && !self.significant(1).new_line || word;
        if !found || self.at_line_start() {
            return;
        }
        self.error(self.range_of(0), what);
        self.skip_while(|parser| !parser.at(SyntaxKind::L_BRACE) && !parser.at_line_start());
        self.last_error = Some(self.pos);
    }

    /// Takes the default value of a field.
    pub(in crate::parser) fn foreign_field_value(&mut self) {
        if self.at(SyntaxKind::EQ) && !self.at_line_start() {
            let message = "a field has no default value: a function such as `T::new()` gives it";
            self.error(self.range_of(0), message);
            self.skip_while(|parser| !parser.at(SyntaxKind::COMMA) && !parser.at_line_start());
        }
    }

    /// Whether a function begins here without its keyword: `main() {`, or `int f(int x) {`.
    fn at_bare_function(&self) -> bool {
        let typed = self.nth(1) == SyntaxKind::IDENT && self.nth(2) == SyntaxKind::L_PAREN;
        let open = 1 + usize::from(typed);
        let behind = || self.behind_group(open);
        self.at(SyntaxKind::IDENT)
            && self.nth(open) == SyntaxKind::L_PAREN
            && matches!(behind(), Some(SyntaxKind::L_BRACE | SyntaxKind::ARROW))
    }
}

/// Words that make an item visible in another language.
fn is_visible(word: &str) -> bool {
    matches!(word, "pub" | "public")
}

/// Words in front of an item in another language that have no counterpart.
fn is_prefix(word: &str) -> bool {
    matches!(
        word,
        "private"
            | "protected"
            | "internal"
            | "static"
            | "async"
            | "extern"
            | "final"
            | "inline"
            | "virtual"
            | "override"
            | "abstract"
            | "open"
    )
}
