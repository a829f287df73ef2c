//! Lists in brackets.

use super::{Mode, Parser, is_closing, is_opening};
use crate::SyntaxKind;
use rowan::TextRange;

/// What stands between two entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Comma,
    CommaOrLine,
}

impl<'a> Parser<'a> {
    /// Reads a list from its opening bracket to its closing one.
    ///
    /// `entry` reads one entry; when the current token begins none, it takes nothing.
    /// Gives whether there was a comma between or behind the entries.
    pub(super) fn list(
        &mut self,
        close: SyntaxKind,
        separator: Separator,
        what: &str,
        entry: fn(&mut Parser<'a>),
    ) -> bool {
        let new_lines = separator == Separator::CommaOrLine;
        let mode = Mode { new_lines, aliases: self.mode.aliases, ..Mode::BLOCK };
        let open = self.range_of(0);
        let open_name = self.current().name();
        self.bump();
        let mut comma = false;
        let (muted, missed) = (self.muted, self.missed_comma.take());
        self.with_mode(mode, |parser| {
            while !parser.at_list_end(close) {
                let before = parser.pos;
                parser.sync();
                entry(parser);
                if parser.pos == before {
                    parser.error_expected(what);
                    if !parser.skip_list_entry(new_lines) {
                        break;
                    }
                }
                comma |= parser.at(SyntaxKind::COMMA);
                if !parser.list_separator(close, separator) {
                    break;
                }
            }
        });
        (self.muted, self.missed_comma) = (muted, missed);
        if self.eat(close) {
            self.sync();
        } else {
            let message = format!("this {open_name} is never closed: expected {}", close.name());
            self.error(open, message);
        }
        comma
    }

    /// Reports a comma behind the only element in the parentheses that were opened at `open` and have just been closed.
    pub(super) fn tuple_of_one(&mut self, open: usize) {
        let Some([inside @ .., close]) = self.tokens.get(open + 1..self.pos) else { return };
        if close.kind != SyntaxKind::R_PAREN {
            return;
        }
        let mut depth = 0usize;
        let mut commas = 0;
        for token in inside {
            match token.kind {
                SyntaxKind::COMMA if depth == 0 => commas += 1,
                kind if is_opening(kind) => depth += 1,
                kind if is_closing(kind) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let last = inside.last().filter(|last| last.kind == SyntaxKind::COMMA && commas == 1);
        if let Some(comma) = last.map(|last| self.raw_range(last.raw())) {
            let fix = self.replace(comma, "");
            let message = "a tuple has two elements or more; parentheses around one only group it";
            self.note_error(comma, message, fix);
        }
    }

    /// Whether a list ends here, with its closing bracket or without.
    fn at_list_end(&self, close: SyntaxKind) -> bool {
        let method = close == SyntaxKind::R_BRACE && self.at_method_line();
        self.at(close) || self.at(SyntaxKind::EOF) || self.at_statement_line() && !method
    }

    /// Whether a line begins here with a function that takes `self`: it does not stand outside of a type.
    pub(super) fn at_method_line(&self) -> bool {
        if !self.at_line_start() || self.nth(0) != SyntaxKind::FUNC_KW {
            return false;
        }
        if self.nth(1) != SyntaxKind::IDENT || self.nth(2) != SyntaxKind::L_PAREN {
            return false;
        }
        let kinds = [3, 4, 5].map(|ahead| self.nth(ahead));
        matches!(
            kinds,
            [SyntaxKind::SELF_KW, ..]
                | [SyntaxKind::AMP, SyntaxKind::SELF_KW, _]
                | [SyntaxKind::AMP, SyntaxKind::MUT_KW, SyntaxKind::SELF_KW]
        )
    }

    /// Takes what separates two entries; gives whether the list goes on.
    fn list_separator(&mut self, close: SyntaxKind, separator: Separator) -> bool {
        let lines = separator == Separator::CommaOrLine;
        if self.at_list_end(close) {
            return false;
        }
        if self.eat(SyntaxKind::COMMA) || lines && self.at_line_start() {
            return true;
        }
        if is_closing(self.current()) {
            // It closes a group around this one, which is never closed itself.
            return false;
        }
        if self.at(SyntaxKind::SEMICOLON) && close == SyntaxKind::R_BRACK {
            let message = "there is no `[value; count]`: write the elements out";
            self.error(self.range_of(0), message);
        }
        if close == SyntaxKind::R_BRACK && self.foreign_comprehension() {
            return false;
        }
        if self.foreign_arrow() {
            return self.eat(SyntaxKind::COMMA);
        }
        let count = self.at(SyntaxKind::SEMICOLON) && close == SyntaxKind::R_BRACK;
        if !count && self.foreign_separator(lines) {
            return !self.at_list_end(close);
        }
        let what = if lines {
            format!("`,`, a new line or {}", close.name())
        } else {
            format!("`,` or {}", close.name())
        };
        // What may stand in front of an operand begins no entry here: it would have been read as an operator.
        let sign = self.at_any(&[
            SyntaxKind::BANG,
            SyntaxKind::TILDE,
            SyntaxKind::STAR,
            SyntaxKind::AMP,
            SyntaxKind::PIPE,
            SyntaxKind::DOT2,
            SyntaxKind::DOT2_EQ,
        ]);
        // An arm of a `match` may begin with `_`.
        let all_others = self.at(SyntaxKind::UNDERSCORE) && lines;
        let begins_entry =
            !sign && self.at_expr_start() || self.at(SyntaxKind::L_BRACE) || all_others;
        let plain = self.at(SyntaxKind::IDENT)
            || all_others
            || self.at_literal()
            || self.at(SyntaxKind::STRING_START);
        if plain && self.another_missed_comma() {
            return true;
        }
        let count = self.errors.len();
        let fix = if begins_entry { self.insert(self.previous_end(), ",") } else { None };
        self.error_expected_with_fix(&what, fix);
        if begins_entry && self.at_line_start() {
            return true;
        }
        if plain && self.errors.len() > count {
            // The list is read on, and what is wrong with it has been said.
            self.missed_comma = Some(count);
            self.muted = true;
            return true;
        }
        self.skip_list_entry(lines);
        self.eat(SyntaxKind::COMMA) || !self.at_list_end(close) && !is_closing(self.current())
    }

    /// Adds the comma that is missing here to the edit that puts in the first one of the list; gives whether there is
    /// one.
    fn another_missed_comma(&mut self) -> bool {
        let end = self.previous_end();
        let error = self.missed_comma.and_then(|index| self.errors.get_mut(index));
        let Some(fix) = error.and_then(|error| error.fix.as_mut()) else { return false };
        let between = TextRange::new(fix.range.end(), end.max(fix.range.end()));
        let entry = &self.text[std::ops::Range::<usize>::from(between)];
        fix.text.push_str(entry);
        fix.text.push(',');
        fix.range = fix.range.cover(between);
        "insert the commas".clone_into(&mut fix.title);
        true
    }

    /// Skips to the end of an entry that makes no sense.
    fn skip_list_entry(&mut self, lines: bool) -> bool {
        self.skip_while(|parser| {
            let at_line = lines && parser.at_line_start();
            !(at_line || parser.at(SyntaxKind::COMMA) || parser.at_statement_line())
        })
    }

    /// Whether a line begins here with a word that begins a statement or an item and nothing else,
    /// so that whatever is open must have been left open.
    pub(super) fn at_statement_line(&self) -> bool {
        self.at_line_start()
            && match self.current() {
                SyntaxKind::VAL_KW
                | SyntaxKind::MUT_KW
                | SyntaxKind::CONST_KW
                | SyntaxKind::FUNC_KW
                | SyntaxKind::STRUCT_KW
                | SyntaxKind::ENUM_KW
                | SyntaxKind::TRAIT_KW
                | SyntaxKind::IMPL_KW
                | SyntaxKind::NEWTYPE_KW
                | SyntaxKind::IMPORT_KW
                | SyntaxKind::MODULE_KW
                | SyntaxKind::POOL_KW
                | SyntaxKind::WHILE_KW
                | SyntaxKind::FOR_KW => true,
                SyntaxKind::EXPORT_KW => self.nth(1).is_keyword(),
                _ => false,
            }
    }
}
