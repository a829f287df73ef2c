//! Words of other languages in statements.

use crate::SyntaxFix;
use crate::SyntaxKind;
use crate::parser::Parser;
use crate::parser::foreign::is_type_word;
use rowan::TextRange;

impl Parser<'_> {
    /// The word that binds a name in another language.
    pub(in crate::parser) fn foreign_binding(&self) -> Option<&'static str> {
        let next = self.significant(1);
        let binds = matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::MUT_KW) && !next.new_line;
        ["let", "var"].into_iter().find(|word| binds && self.at_word(word))
    }

    /// Takes the head of a `for` as C has it, up to the block.
    pub(in crate::parser) fn foreign_for_head(&mut self) -> bool {
        let counts = self.at(SyntaxKind::L_PAREN)
            && (1..4).any(|ahead| self.nth(ahead) == SyntaxKind::EQ)
            || self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::EQ;
        if counts {
            let message = "a `for` walks a range or a collection: write `for i in 0..n`";
            self.error(self.range_of(0), message);
            self.skip_while(|parser| !parser.at(SyntaxKind::L_BRACE) && !parser.at_line_start());
        }
        counts
    }

    /// Takes `elif` and the like in place of `else`; the condition follows.
    pub(in crate::parser) fn foreign_else_if(&mut self) -> bool {
        let word = ["elif", "elseif", "elsif"].into_iter().find(|word| self.at_word(word));
        let Some(word) = word.filter(|_| self.expr_starts_at(1)) else {
            return false;
        };
        let fix = self.replace(self.range_of(0), "else if");
        let message = format!("`{word}` is no word of the language: write `else if`");
        self.error_with_fix(self.range_of(0), message, fix);
        true
    }

    /// Takes a statement that another language has, and that is none here; gives whether it did.
    pub(in crate::parser) fn foreign_statement(&mut self) -> bool {
        if self.at_joined_pair(SyntaxKind::PLUS) || self.at_joined_pair(SyntaxKind::MINUS) {
            return self.prefix_increment();
        }
        let next = self.significant(1);
        if self.at(SyntaxKind::LIFETIME) && next.kind == SyntaxKind::COLON {
            let name = self.text_of(0).trim_start_matches('\'');
            let fix = self.replace(self.range_of(0), name);
            self.note_error(self.range_of(0), "a label is a plain name", fix);
            self.bump_as_error();
            self.bump_as_error();
            return false;
        }
        if !self.at(SyntaxKind::IDENT) || next.new_line {
            return false;
        }
        let braces =
            next.kind == SyntaxKind::L_BRACE && (self.at_word("do") || self.at_word("try"));
        let follows = matches!(
            next.kind,
            SyntaxKind::IDENT
                | SyntaxKind::INT
                | SyntaxKind::FLOAT
                | SyntaxKind::CHAR
                | SyntaxKind::STRING_START
        ) || next.kind.is_keyword()
            && !matches!(next.kind, SyntaxKind::AS_KW | SyntaxKind::ELSE_KW | SyntaxKind::IN_KW);
        if !braces && !follows {
            return false;
        }
        let word = self.text_of(0);
        let Some((_, message)) = STATEMENTS.iter().find(|(words, _)| words.contains(&word)) else {
            return self.misspelt_statement() || self.declaration_of_c();
        };
        self.error(self.range_of(0), *message);
        self.skip_line();
        true
    }

    /// `int x = 3`.
    fn declaration_of_c(&mut self) -> bool {
        let words = self.nth(1) == SyntaxKind::IDENT && self.nth(2) == SyntaxKind::EQ;
        if !words || self.foreign_binding().is_some() || self.foreign_item().is_some() {
            return false;
        }
        let (ty, name) = (self.text_of(0), self.text_of(1));
        let range = self.range_of(0).cover(self.range_of(1));
        let text = match ty {
            "auto" | "def" | "my" | "local" => format!("val {name}"),
            _ => format!("val {name}: {ty}"),
        };
        let fix = self.replace(range, &text);
        self.error_with_fix(
            range,
            "a new name is bound by `val name: type = value`, or by `mut` when it changes",
            fix,
        );
        self.skip_line();
        true
    }

    fn at_joined_pair(&self, kind: SyntaxKind) -> bool {
        self.at(kind) && self.nth(1) == kind && self.joined(0) && self.joined(1)
    }

    /// `++i`.
    fn prefix_increment(&mut self) -> bool {
        let word = self.nth(2) == SyntaxKind::IDENT;
        if !word || self.at_line_start() != self.token.new_line {
            return false;
        }
        let sign = self.text_of(0);
        let range = self.range_of(0).cover(self.range_of(1));
        let ends = self.significant(3).new_line || self.nth(3) == SyntaxKind::R_BRACE;
        let whole = range.cover(self.range_of(2));
        let fix = self.replace(whole, &format!("{} {sign}= 1", self.text_of(2))).filter(|_| ends);
        self.note_error(range, format!("there is no `{sign}{sign}`: write `{sign}= 1`"), fix);
        self.bump_as_error();
        self.bump_as_error();
        self.expr();
        true
    }

    /// Takes a function value as Python writes it; gives whether there was one.
    pub(in crate::parser) fn foreign_lambda(&mut self) -> bool {
        let next = self.significant(1);
        let begins = matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::COLON) && !next.new_line;
        if !begins || !self.at_word("lambda") {
            return false;
        }
        self.error(self.range_of(0), "a function value is written `|x: i32| x + 1`");
        self.skip_while(|parser| !parser.at(SyntaxKind::COMMA) && !parser.at_line_start());
        true
    }

    /// Takes `=> value` or `-> value` behind the parameters of a function value in a list; gives whether it stood there.
    pub(in crate::parser) fn foreign_arrow(&mut self) -> bool {
        let before = self.pos.checked_sub(1).map(|before| self.tokens[before].kind);
        let parameters = matches!(before, Some(SyntaxKind::IDENT | SyntaxKind::R_PAREN));
        let arrow = self.at_any(&[SyntaxKind::ARROW, SyntaxKind::FAT_ARROW]);
        if !parameters || !arrow || self.mode.new_lines || !self.expr_starts_at(1) {
            return false;
        }
        self.error(self.range_of(0), "a function value is written `|x: i32| x + 1`");
        self.skip_while(|parser| !parser.at(SyntaxKind::COMMA));
        true
    }

    /// Takes a function with its keyword, or `(x: T) -> R { .. }`, in place of a closure; gives whether it stood there.
    pub(in crate::parser) fn foreign_closure(&mut self) -> bool {
        let keyword = self.nth(1) == SyntaxKind::L_PAREN
            && (self.at(SyntaxKind::FUNC_KW) || self.at_word("fn") || self.at_word("function"));
        let typed = self.at(SyntaxKind::L_PAREN)
            && self.nth(1) == SyntaxKind::IDENT
            && self.nth(2) == SyntaxKind::COLON;
        // A function may be called `fn`.
        let body = (keyword || typed) && {
            let behind = self.behind_group(usize::from(keyword));
            matches!(behind, Some(SyntaxKind::L_BRACE | SyntaxKind::ARROW | SyntaxKind::FAT_ARROW))
        };
        let untyped = self.at(SyntaxKind::L_PAREN)
            && matches!(self.nth(1), SyntaxKind::IDENT | SyntaxKind::R_PAREN)
            && self.behind_group(0) == Some(SyntaxKind::FAT_ARROW);
        if !(body || untyped) || !self.mode.struct_literals {
            return false;
        }
        self.error(self.range_of(0), "a function value is written `|x: i32| x + 1`");
        self.skip_while(|parser| !parser.at(SyntaxKind::COMMA) && !parser.at_line_start());
        true
    }

    /// Takes a word in front of an operand that another language has there.
    pub(in crate::parser) fn foreign_operand(&mut self) {
        // Most operands are read without a look at their text.
        if !self.at(SyntaxKind::IDENT) {
            return;
        }
        let next = self.significant(1);
        let begins = [SyntaxKind::IDENT, SyntaxKind::L_BRACE, SyntaxKind::STRING_START];
        if !begins.contains(&next.kind) || next.new_line {
            return;
        }
        self.foreign_string_prefix();
        let word = self.text_of(0);
        let block = next.kind == SyntaxKind::L_BRACE
            && self.mode.struct_literals
            && matches!(word, "async" | "spawn" | "try" | "do" | "go" | "defer")
            && !self.opens_fields(1);
        if next.kind != SyntaxKind::IDENT && !block {
            return;
        }
        let message = match word {
            "try" | "do" if block => {
                "a block is a value by itself, and there are no exceptions: `?` passes a failure on"
            }
            "async" | "spawn" | "go" => "there are no asynchronous functions",
            "defer" => "nothing is put off to the end of a block: write it there",
            "try" => "there are no exceptions: `?` behind a call passes its failure on",
            "do" => return,
            "new" => {
                "there is no `new`: a value is made by a struct literal, or by a function such as `T::new(..)`"
            }
            "await" => "there are no asynchronous functions",
            "ref" => "a borrow is written `&name`",
            _ => return,
        };
        let range = TextRange::new(self.range_of(0).start(), next_start(self));
        let fix = self.replace(range, if self.at_word("ref") { "&" } else { "" });
        self.note_error(self.range_of(0), message, fix);
        self.bump_as_error();
    }

    /// Whether the brace that many tokens ahead holds what a struct literal can hold.
    fn opens_fields(&self, brace: usize) -> bool {
        let next = self.significant(brace + 2);
        match self.nth(brace + 1) {
            SyntaxKind::R_BRACE | SyntaxKind::DOT2 => true,
            SyntaxKind::IDENT => {
                let ends = [SyntaxKind::COLON, SyntaxKind::COMMA, SyntaxKind::R_BRACE];
                next.new_line || ends.contains(&next.kind)
            }
            _ => false,
        }
    }

    /// Takes a pattern in the head of an `if` or a `while`.
    pub(in crate::parser) fn foreign_pattern_head(&mut self) -> bool {
        let binds = self.at_word("let") || self.at_any(&[SyntaxKind::VAL_KW, SyntaxKind::MUT_KW]);
        if !binds || self.at_line_start() || self.significant(1).new_line {
            return false;
        }
        let message = "a pattern is tested by `match`, or by `val pattern = value else { .. }`";
        self.error(self.range_of(0), message);
        self.skip_while(|parser| !parser.at(SyntaxKind::L_BRACE) && !parser.at_line_start());
        true
    }

    /// Takes what stands in place of an opening brace in other languages.
    pub(in crate::parser) fn foreign_block_start(&mut self) {
        let colon = self.at(SyntaxKind::COLON) && self.significant(1).new_line;
        let message = if colon {
            "a block stands in braces, not behind `:`"
        } else if self.at_word("then") || self.at_word("do") {
            "a block stands in braces"
        } else {
            return;
        };
        let brace = self.nth(1) == SyntaxKind::L_BRACE;
        let fix = if brace { self.replace(self.range_of(0), "") } else { None };
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
        self.last_error = Some(self.pos);
    }

    /// What a message on two statements on a line says when the line is known from elsewhere.
    pub(in crate::parser) fn foreign_line(
        &self,
        before: SyntaxKind,
    ) -> Option<(String, Option<SyntaxFix>)> {
        match self.current() {
            SyntaxKind::COMMA
                if before == SyntaxKind::INT
                    && self.nth(1) == SyntaxKind::INT
                    && self.joined(0)
                    && self.text_of(1).len() == 3 =>
            {
                let fix = self.replace(self.range_of(0), "_");
                Some(("digits are grouped by `_`, such as `1_000`".to_owned(), fix))
            }
            SyntaxKind::COMMA
                if self.nth(1) == SyntaxKind::IDENT && self.nth(2) == SyntaxKind::EQ =>
            {
                Some(("each name is bound on a line of its own".to_owned(), None))
            }
            SyntaxKind::COMMA if self.expr_starts_at(1) && !self.significant(1).new_line => {
                let message = "several values make a tuple, which stands in parentheses: `(a, b)`";
                Some((message.to_owned(), None))
            }
            SyntaxKind::IF_KW if !self.significant(1).new_line && self.else_on_line() => {
                let message = "a choice is written `if condition { a } else { b }`";
                Some((message.to_owned(), None))
            }
            _ if before == SyntaxKind::R_PAREN
                && self.expr_starts_at(0)
                && self.is_type_in_parens() =>
            {
                let message = "a cast stands behind the value: `value as f64`";
                Some((message.to_owned(), self.cast_fix()))
            }
            SyntaxKind::STRING_START if before == SyntaxKind::STRING_END => {
                let fix = self.insert(self.previous_end(), " +");
                Some(("two strings are joined by `+`".to_owned(), fix))
            }
            SyntaxKind::FAT_ARROW | SyntaxKind::ARROW
                if matches!(before, SyntaxKind::R_PAREN | SyntaxKind::IDENT) =>
            {
                Some(("a function value is written `|x: i32| x + 1`".to_owned(), None))
            }
            SyntaxKind::PLUS | SyntaxKind::MINUS if self.at_increment() => {
                let sign = self.text_of(0);
                Some((
                    format!(
                        "there is no `{sign}{sign}`, which has no value: add in a statement of its own"
                    ),
                    None,
                ))
            }
            _ => None,
        }
    }

    /// Whether a type alone stands in the parentheses that end here.
    fn is_type_in_parens(&self) -> bool {
        let Some([open, name, _]) = self.pos.checked_sub(3).map(|at| &self.tokens[at..self.pos])
        else {
            return false;
        };
        open.kind == SyntaxKind::L_PAREN && is_type_word(self.slice(self.raw_range(name.raw())))
    }

    /// `(f64)a` as `a as f64`, when one word is cast.
    fn cast_fix(&self) -> Option<SyntaxFix> {
        let open = self.raw_range(self.tokens[self.pos - 3].raw());
        let name = self.slice(self.raw_range(self.tokens[self.pos - 2].raw()));
        let next = self.significant(1);
        let alone = next.new_line || next.kind == SyntaxKind::R_BRACE;
        let text = format!("{} as {name}", self.text_of(0));
        self.replace(open.cover(self.range_of(0)), &text).filter(|_| alone)
    }

    /// Whether `else` follows on the line, without a brace in front of it.
    fn else_on_line(&self) -> bool {
        let line = self.tokens[self.pos + 1..].iter().take(64).take_while(|token| !token.new_line);
        let mut kinds = line.map(|token| token.kind);
        kinds.find(|kind| matches!(kind, SyntaxKind::ELSE_KW | SyntaxKind::L_BRACE))
            == Some(SyntaxKind::ELSE_KW)
    }

    /// Takes a word or a sign in front of a pattern that other languages have there.
    pub(in crate::parser) fn foreign_arm(&mut self) {
        let next = self.significant(1);
        if self.at_word("case") && !next.new_line && next.kind != SyntaxKind::FAT_ARROW {
            let range = TextRange::new(self.range_of(0).start(), next_start(self));
            let fix = self.replace(range, "");
            self.note_error(
                self.range_of(0),
                "an arm begins with its pattern, without `case`",
                fix,
            );
            self.bump_as_error();
        } else if self.at(SyntaxKind::ELSE_KW) {
            let fix = self.replace(self.range_of(0), "_");
            self.error_with_fix(self.range_of(0), "the arm for all other values is `_`", fix);
        } else if self.at(SyntaxKind::PIPE) {
            let range = TextRange::new(self.range_of(0).start(), next_start(self));
            let fix = self.replace(range, "");
            self.error_with_fix(self.range_of(0), "the first alternative has no `|` in front", fix);
            self.bump_as_error();
        }
    }
}

/// Where the token behind the current one begins.
fn next_start(parser: &Parser<'_>) -> rowan::TextSize {
    parser.range_of(1).start()
}

/// Words that begin a statement in other languages, with what to do instead.
const STATEMENTS: &[(&[&str], &str)] = &[
    (&["foreach"], "a loop over a collection is written `for x in xs`"),
    (&["do"], "a loop that tests at its end is `loop { .. if done { break } }`"),
    (
        &["until", "repeat"],
        "a loop goes on as long as its condition holds: write `while !condition`",
    ),
    (&["unless"], "there is no `unless`: write `if !condition`"),
    (&["switch", "select"], "what chooses by a value is `match`"),
    (
        &["try", "catch", "throw", "raise", "except"],
        "there are no exceptions: a function that can fail gives a `Result`, and `?` passes the failure on",
    ),
    (&["goto"], "there are no jumps: a loop may have a label, and `break label` leaves it"),
    (&["await", "async", "spawn", "go"], "there are no asynchronous functions"),
    (&["defer"], "nothing is put off to the end of a block: write it there"),
    (&["guard"], "what may fail is taken apart by `val pattern = value else { .. }`"),
    (&["yield"], "there are no generators"),
    (&["del", "delete", "free"], "a value is released where its name goes out of scope"),
    (
        &["print", "println", "assert", "panic", "echo"],
        "a function is called with parentheses: `print(..)`",
    ),
    (&["static", "final"], "a value that never changes is a `const`, or is bound by `val`"),
    (&["with", "using"], "a block with memory of its own is `pool { .. }`"),
];
