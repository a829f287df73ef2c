//! Spellings of other languages inside of expressions, types and heads, each with what is written here.

use crate::parser::Parser;
use crate::{SyntaxFix, SyntaxKind};
use rowan::TextRange;

impl Parser<'_> {
    /// Takes the rest of `...` or `..<`, whose first two points have been read.
    pub(in crate::parser) fn foreign_range(&mut self) {
        let Some(before) = self.pos.checked_sub(1).map(|before| self.tokens[before]) else {
            return;
        };
        let more = self.at_any(&[SyntaxKind::DOT, SyntaxKind::LT]);
        if !more || before.kind != SyntaxKind::DOT2 || before.raw + 1 != self.token.raw {
            return;
        }
        let range = self.raw_range(before.raw()).cover(self.range_of(0));
        let fix = self.replace(range, if self.at(SyntaxKind::DOT) { "..=" } else { ".." });
        let message = "a range is written `a..b` without its end, `a..=b` with it";
        self.note_error(range, message, fix);
        self.bump_as_error();
    }

    /// Takes `1:2` in an index, of which the first end has been read.
    pub(in crate::parser) fn foreign_slice(&mut self) {
        if !self.at(SyntaxKind::COLON) {
            return;
        }
        let fix = self.replace(self.range_of(0), "..");
        let message = "a part is taken by a range, such as `1..3`, `..3` or `1..`";
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
        self.last_error = Some(self.pos);
        self.expr_if_any();
    }

    /// Takes a letter in front of a string, as in `f"{x}"`.
    pub(in crate::parser) fn foreign_string_prefix(&mut self) {
        if self.nth(1) != SyntaxKind::STRING_START || !self.joined(0) {
            return;
        }
        let message = match self.text_of(0) {
            "f" | "s" => "a string has no letter in front: `{x}` is a hole in every string",
            "r" => "there are no raw strings: write `\\\\` for a backslash",
            "b" => "there are no strings of bytes",
            "c" | "u" | "L" => "a string has no letter in front",
            _ => return,
        };
        let fix = match self.text_of(0) {
            "r" => self.raw_string(),
            "b" => None,
            _ => self.replace(self.range_of(0), ""),
        };
        self.note_error(self.range_of(0), message, fix);
        self.bump_as_error();
    }

    /// The string behind a letter for raw strings as one without; what the lexer thinks of its backslashes means nothing.
    fn raw_string(&mut self) -> Option<SyntaxFix> {
        let end = self.behind_bracket(1)?.checked_sub(1)?;
        // Of a string without an end the lexer tells.
        if self.range_of(end).is_empty() {
            return None;
        }
        let string = self.range_of(1).cover(self.range_of(end));
        self.raw_strings.push(string);
        let text = self.slice(string).replace('\\', "\\\\");
        let plain = text.starts_with('"') && !text.starts_with("\"\"") && !text.contains('{');
        self.replace(self.range_of(0).cover(string), &text).filter(|_| plain)
    }

    /// Takes `!` behind a value.
    pub(in crate::parser) fn foreign_unwrap(&mut self) -> bool {
        let behind = self.pos.checked_sub(1).map(|before| self.tokens[before]);
        let joined = behind.is_some_and(|token| {
            token.raw + 1 == self.token.raw
                && matches!(
                    token.kind,
                    SyntaxKind::IDENT
                        | SyntaxKind::R_PAREN
                        | SyntaxKind::R_BRACK
                        | SyntaxKind::BANG
                )
        });
        let ends = self.significant(1).new_line
            || matches!(
                self.nth(1),
                SyntaxKind::DOT
                    | SyntaxKind::BANG
                    | SyntaxKind::COMMA
                    | SyntaxKind::R_PAREN
                    | SyntaxKind::R_BRACK
                    | SyntaxKind::R_BRACE
            );
        if !self.at(SyntaxKind::BANG) || !joined || !ends {
            return false;
        }
        let range = self.range_of(0);
        let message = "there is no `!` behind a value: `?` hands a failure on, and `??` takes another value instead";
        self.error(range, message);
        self.start(SyntaxKind::ERROR);
        while self.at(SyntaxKind::BANG) {
            self.bump();
        }
        self.finish_node();
        self.last_error = Some(self.pos);
        true
    }

    /// Takes `e for x in xs` of a list, up to the bracket, when the first entry has been read.
    pub(in crate::parser) fn foreign_comprehension(&mut self) -> bool {
        let named = self.at(SyntaxKind::FOR_KW)
            && (self.nth(2) == SyntaxKind::IN_KW || self.nth(1) == SyntaxKind::L_PAREN);
        if !named {
            return false;
        }
        let message = "a list is not written as a loop: fill a collection in a `for`, or make a tensor by `from_fn`";
        self.error(self.range_of(0), message);
        self.skip_while(|_| true);
        true
    }

    /// Takes `*T`, `?T` and `mut T` in place of a type.
    pub(in crate::parser) fn foreign_type_start(&mut self) {
        if !self.at_any(&[SyntaxKind::STAR, SyntaxKind::QUESTION, SyntaxKind::MUT_KW]) {
            return;
        }
        let range = self.range_of(0);
        let next = self.significant(1);
        let names =
            matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::SELF_TYPE_KW) && !next.new_line;
        match self.current() {
            SyntaxKind::STAR => {
                let word = matches!(next.kind, SyntaxKind::CONST_KW | SyntaxKind::MUT_KW);
                let text = if next.kind == SyntaxKind::MUT_KW { "&mut" } else { "&" };
                let whole = if word { range.cover(self.range_of(1)) } else { range };
                let fix = self.replace(whole, text);
                self.error_with_fix(
                    whole,
                    "there are no raw pointers: a borrow is written `&T`",
                    fix,
                );
                self.start(SyntaxKind::ERROR);
                self.bump();
                if word {
                    self.bump();
                }
                self.finish_node();
            }
            SyntaxKind::QUESTION if names => {
                let whole = range.cover(self.range_of(1));
                let one = self.nth(2) != SyntaxKind::LT && self.nth(2) != SyntaxKind::COLON2;
                let text = format!("Option<{}>", self.text_of(1));
                let fix = self.replace(whole, &text).filter(|_| one);
                self.error_with_fix(range, "a value that may be absent is an `Option`", fix);
                self.bump_as_error();
            }
            SyntaxKind::MUT_KW if names => {
                let fix = self.replace(range, "&mut");
                self.error_with_fix(
                    range,
                    "a type has no `mut`: what may change is borrowed as `&mut T`",
                    fix,
                );
                self.bump_as_error();
            }
            _ => {}
        }
    }

    /// Takes the body of a function behind `=` or `=>`; gives whether there was one.
    pub(in crate::parser) fn foreign_body(&mut self) -> bool {
        if !self.at_any(&[SyntaxKind::EQ, SyntaxKind::FAT_ARROW]) || self.at_line_start() {
            return false;
        }
        let message = "the body of a function stands in braces";
        let sign = self.range_of(0);
        let next = self.significant(1);
        if next.kind == SyntaxKind::L_BRACE {
            let fix = self.replace(TextRange::new(sign.start(), self.range_of(1).start()), "");
            self.note_error(sign, message, fix);
            self.bump_as_error();
            return false;
        }
        if next.new_line || !self.expr_starts_at(1) {
            self.error(sign, message);
            return false;
        }
        self.start(SyntaxKind::BLOCK);
        self.bump_as_error();
        let (first, count) = (self.range_of(0).start(), self.errors.len());
        self.expr();
        let whole = TextRange::new(sign.start(), self.previous_end());
        let value = self.slice(TextRange::new(first.min(whole.end()), whole.end()));
        let text = format!("{{ {value} }}");
        let fix = SyntaxFix { title: "put it in braces".to_owned(), range: whole, text };
        let fits = self.errors.len() == count;
        self.finish_node();
        self.note_error(sign, message, Some(fix).filter(|_| fits));
        true
    }
}
