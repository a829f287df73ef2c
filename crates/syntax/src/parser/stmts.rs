//! Blocks and statements.

use super::foreign::is_type_word;
use super::items::Container;
use super::{Mode, Parser, is_closing};
use crate::SyntaxKind;
use crate::ast::AssignOp;

/// How far behind a head its block is searched when something stands between.
const LOOK_AHEAD: usize = 64;

/// How many tokens are searched for an assignment of a name that another language declares.
const ASSIGNMENT_REACH: usize = 2_000;

impl Parser<'_> {
    /// A block behind a head, which may begin the next line.
    ///
    /// When something stands between the head and a brace on the same line, it is skipped.
    pub(super) fn body(&mut self, what: &str) {
        let head = self.indentation_before();
        if self.brace_of(what) {
            self.block();
        } else if self.at_line_start() && self.line_indentation() > head {
            self.indented_block(head);
        }
    }

    /// A block without braces, as its indentation shows it.
    fn indented_block(&mut self, head: usize) {
        self.start(SyntaxKind::BLOCK);
        let outer = self.block_indentation.replace(head + 1);
        self.with_mode(Mode::BLOCK, Self::statements);
        self.block_indentation = outer;
        // The end of a block of another language, which lacks its braces as well.
        let end = self.at_word("end") && self.at_line_start() && self.significant(1).new_line;
        if end && self.line_indentation() + 1 > head {
            self.bump_as_error();
        }
        self.finish_node();
    }

    /// Whether the current token opens what is in braces behind a head; reports when it does not.
    ///
    /// When something stands between the head and a brace on the same line, it is skipped.
    pub(super) fn brace_of(&mut self, what: &str) -> bool {
        self.foreign_block_start();
        if self.at(SyntaxKind::L_BRACE) {
            return true;
        }
        self.error_expected(&format!("`{{` and {what}"));
        if !self.brace_on_line() {
            if !self.at_line_start() {
                self.skip_line();
                self.where_clause();
            }
            return self.at(SyntaxKind::L_BRACE);
        }
        self.start(SyntaxKind::ERROR);
        while !self.at(SyntaxKind::L_BRACE) {
            self.bump();
        }
        self.finish_node();
        true
    }

    /// Whether an opening brace follows on the line of the current token, outside of strings.
    pub(super) fn brace_on_line(&self) -> bool {
        let rest = &self.tokens[self.pos..];
        let line = rest.iter().take(LOOK_AHEAD).enumerate().take_while(|(index, token)| {
            let same_line = *index == 0 || !token.new_line;
            same_line && !is_closing(token.kind) && token.kind != SyntaxKind::STRING_START
        });
        !self.at_line_start() && line.into_iter().any(|(_, t)| t.kind == SyntaxKind::L_BRACE)
    }

    /// A block, from its brace on.
    pub(super) fn block(&mut self) {
        self.start(SyntaxKind::BLOCK);
        let open = self.range_of(0);
        let indentation = self.line_indentation();
        self.bump();
        let outer = self.block_indentation.take();
        self.with_mode(Mode::BLOCK, Self::statements);
        self.block_indentation = outer;
        if self.at(SyntaxKind::R_BRACE) {
            let outdented = self.at_line_start() && self.line_indentation() < indentation;
            if outdented && self.suspect.is_none() {
                self.suspect = Some(open);
            }
            self.bump();
        } else {
            // A block inside that seems to have taken this one's brace is the likelier culprit.
            let inside = self.suspect.filter(|suspect| suspect.start() > open.start());
            let range = inside.unwrap_or(open);
            self.error(range, "this `{` is never closed: expected `}`");
        }
        self.finish_node();
    }

    fn statements(&mut self) {
        loop {
            match self.current() {
                SyntaxKind::R_BRACE
                | SyntaxKind::EOF
                | SyntaxKind::HOLE_CLOSE
                | SyntaxKind::STRING_END => return,
                SyntaxKind::SEMICOLON => {
                    self.semicolon_error();
                    self.bump_as_error();
                    continue;
                }
                _ if self.at_outer_item() || self.at_outer_line() => return,
                _ => {}
            }
            let before = self.pos;
            self.sync();
            self.statement();
            if self.pos == before {
                if self.at_any(&[SyntaxKind::R_PAREN, SyntaxKind::R_BRACK]) {
                    let message = format!("this {} closes nothing", self.current().name());
                    self.error(self.range_of(0), message);
                } else if self.at(SyntaxKind::ELSE_KW) {
                    let message =
                        "this `else` belongs to no `if`: it stands behind the block of one";
                    self.error(self.range_of(0), message);
                } else {
                    let message = format!("expected a statement, found {}", self.describe());
                    self.error(self.range_of(0), message);
                }
                self.bump_as_error();
                if !self.at_statement_end() {
                    self.skip_line();
                }
            } else if !self.at_statement_end() {
                self.no_statement_end();
            }
        }
    }

    /// Whether an item begins here that stands no deeper than the one around the block. A constant may stand in a block,
    /// however it is indented.
    fn at_outer_item(&self) -> bool {
        let item = self.at_any(&[
            SyntaxKind::FUNC_KW,
            SyntaxKind::STRUCT_KW,
            SyntaxKind::ENUM_KW,
            SyntaxKind::TRAIT_KW,
            SyntaxKind::IMPL_KW,
            SyntaxKind::NEWTYPE_KW,
            SyntaxKind::TYPE_KW,
            SyntaxKind::IMPORT_KW,
            SyntaxKind::EXPORT_KW,
            SyntaxKind::MODULE_KW,
            SyntaxKind::AT,
        ]);
        item && self.closes_items()
    }

    /// Whether a line begins here that stands further out than the block without braces.
    fn at_outer_line(&self) -> bool {
        self.at_line_start()
            && self.block_indentation.is_some_and(|least| self.line_indentation() < least)
    }

    fn at_statement_end(&self) -> bool {
        self.at_line_start()
            || self.at(SyntaxKind::SEMICOLON)
            || self.at(SyntaxKind::R_BRACE)
            || self.at(SyntaxKind::HOLE_CLOSE)
            || self.at(SyntaxKind::STRING_END)
    }

    /// Reports what stands behind a statement on its line.
    fn no_statement_end(&mut self) {
        let range = self.range_of(0);
        let before = if self.pos > 0 { self.tokens[self.pos - 1].kind } else { SyntaxKind::EOF };
        if let Some((message, fix)) = self.foreign_line(before) {
            self.error_with_fix(range, message, fix);
            self.skip_line();
            return;
        }
        match self.current() {
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK => {
                let message = format!("this {} closes nothing", self.current().name());
                self.error(range, message);
                self.bump_as_error();
                return;
            }
            SyntaxKind::COLON if before == SyntaxKind::IDENT => {
                let message =
                    "a new name is bound by `val name = value`, or by `mut` when it changes";
                let name = self.raw_range(self.tokens[self.pos - 1].raw());
                let walrus = self.nth(1) == SyntaxKind::EQ && self.joined(0);
                let written = name.cover(range);
                let text = self.slice(name);
                let fix = if walrus {
                    self.replace(written.cover(self.range_of(1)), &format!("val {text} ="))
                } else if matches!(
                    self.nth(1),
                    SyntaxKind::IDENT | SyntaxKind::AMP | SyntaxKind::L_BRACK
                ) {
                    self.replace(written, &format!("val {text}:"))
                } else {
                    self.replace(written, &format!("val {text} ="))
                };
                self.error_with_fix(range, message, fix);
            }
            SyntaxKind::ELSE_KW => {
                let message = "this `else` belongs to no `if`: it stands behind the block of one";
                self.error(range, message);
            }
            SyntaxKind::DOT if before == SyntaxKind::IDENT => {
                self.error(range, "a cast stands in parentheses in front of `.`");
            }
            _ if self.at_expr_start() || self.current().is_keyword() => {
                let fix = self.insert_line();
                let found = self.describe();
                let message = format!("expected a new line between two statements, found {found}");
                self.error_with_fix(range, message, fix);
            }
            _ => {
                let found = self.describe();
                let message = format!("expected an operator or the end of the line, found {found}");
                self.error(range, message);
            }
        }
        if !self.current().is_keyword() {
            self.skip_line();
        }
    }

    /// The fix that puts the current token on a line of its own.
    pub(super) fn insert_line(&self) -> Option<crate::SyntaxFix> {
        let start = self.range_of(0).start();
        Some(crate::SyntaxFix {
            title: "begin a new line".to_owned(),
            range: rowan::TextRange::new(self.previous_end().min(start), start),
            text: format!("\n{}", " ".repeat(self.line_indentation())),
        })
    }

    /// Skips the rest of the line, groups whole.
    pub(super) fn skip_line(&mut self) {
        self.skip_while(|parser| !parser.at_line_start() && !parser.at(SyntaxKind::SEMICOLON));
    }

    pub(super) fn semicolon_error(&mut self) {
        let range = self.range_of(0);
        let message = "there are no semicolons: the end of the line ends a statement";
        let last = self.significant(1).new_line || self.nth(1) == SyntaxKind::R_BRACE;
        let fix = if last {
            self.replace(range, "")
        } else {
            Some(crate::SyntaxFix {
                title: "begin a new line".to_owned(),
                range: rowan::TextRange::new(range.start(), self.range_of(1).start()),
                text: format!("\n{}", " ".repeat(self.line_indentation())),
            })
        };
        self.error_with_fix(range, message, fix);
    }

    /// Reads a statement; takes nothing when none begins here.
    fn statement(&mut self) {
        if self.foreign_statement() {
            return;
        }
        match self.current() {
            SyntaxKind::VAL_KW | SyntaxKind::MUT_KW => self.bind_statement(),
            SyntaxKind::CONST_KW => self.item(Container::Block),
            SyntaxKind::POOL_KW => self.pool_statement(),
            SyntaxKind::FUNC_KW
            | SyntaxKind::STRUCT_KW
            | SyntaxKind::ENUM_KW
            | SyntaxKind::TRAIT_KW
            | SyntaxKind::IMPL_KW
            | SyntaxKind::NEWTYPE_KW
            | SyntaxKind::TYPE_KW
            | SyntaxKind::IMPORT_KW
            | SyntaxKind::EXPORT_KW
            | SyntaxKind::MODULE_KW
            | SyntaxKind::AT => self.inner_item(),
            _ if self.foreign_binding().is_some() => self.bind_statement(),
            _ if self.foreign_item().is_some() => self.inner_item(),
            _ if self.at_expr_start() => self.expr_statement(),
            _ => {
                let before = self.pos;
                self.foreign_operator_start();
                if self.pos > before && self.at_expr_start() {
                    self.expr_statement();
                }
            }
        }
    }

    /// Whether a name follows on the line.
    pub(super) fn named_on_line(&self) -> bool {
        let next = self.significant(1);
        !next.new_line && next.kind == SyntaxKind::IDENT
    }

    /// An item in a block, which is reported and read.
    fn inner_item(&mut self) {
        let range = self.range_of(0);
        if self.at_any(&[SyntaxKind::AT, SyntaxKind::FUNC_KW]) && !self.named_on_line() {
            let what = if self.at(SyntaxKind::AT) {
                "the name of an attribute"
            } else {
                "the name of the function"
            };
            self.bump_as_error();
            self.error_expected(what);
            if !self.at_line_start() {
                self.skip_line();
            }
            return;
        }
        if self.at(SyntaxKind::AT) {
            let message = "a line that begins with `@` is an attribute, and attributes stand \
                           outside of functions; a product goes on with `@` at the end of a line";
            self.error(range, message);
        } else {
            let what = self.text_of(0);
            let message =
                format!("`{what}` stands outside of functions: move it out of this block");
            self.error(range, message);
        }
        self.nested(|parser| parser.item(Container::Block));
        if !self.at_line_start() {
            // What stands behind it on its line is a consequence.
            self.last_error = Some(self.pos);
        }
    }

    /// Whether the name behind the word here is assigned in what is left of the block.
    fn is_assigned_later(&self) -> bool {
        if self.nth(1) != SyntaxKind::IDENT {
            return false;
        }
        let name = self.text_of(1);
        let mut depth = 0usize;
        for ahead in 2..ASSIGNMENT_REACH {
            match self.nth(ahead) {
                SyntaxKind::EOF => return false,
                SyntaxKind::L_BRACE => depth += 1,
                SyntaxKind::R_BRACE => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return false,
                },
                SyntaxKind::IDENT if self.text_of(ahead) == name => {
                    let field = self.nth(ahead - 1) == SyntaxKind::DOT;
                    let assigns = matches!(
                        self.nth(ahead + 1),
                        SyntaxKind::EQ
                            | SyntaxKind::PLUS_EQ
                            | SyntaxKind::MINUS_EQ
                            | SyntaxKind::STAR_EQ
                            | SyntaxKind::SLASH_EQ
                            | SyntaxKind::PERCENT_EQ
                    );
                    if assigns && !field {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn bind_statement(&mut self) {
        self.start(SyntaxKind::BIND_STMT);
        match self.foreign_binding() {
            Some(word) => {
                let mutable =
                    word == "var" || self.nth(1) == SyntaxKind::MUT_KW || self.is_assigned_later();
                let text = if mutable { "mut" } else { "val" };
                let two = self.nth(1) == SyntaxKind::MUT_KW;
                let range = self.range_of(0).cover(self.range_of(usize::from(two)));
                let fix = self.replace(range, text);
                let message = format!("`{word}` binds nothing here: write `{text}`");
                self.error_with_fix(range, message, fix);
                self.start(SyntaxKind::ERROR);
                self.bump();
                self.finish_node();
                // The word `mut` stays a token of the statement: it says that the name is mutable.
                self.eat(SyntaxKind::MUT_KW);
            }
            None => {
                let two = (self.current(), self.nth(1));
                let line = !self.significant(1).new_line;
                if line
                    && matches!(
                        two,
                        (SyntaxKind::VAL_KW, SyntaxKind::MUT_KW)
                            | (SyntaxKind::MUT_KW, SyntaxKind::VAL_KW)
                    )
                {
                    let range = self.range_of(0).cover(self.range_of(1));
                    let fix = self.replace(range, "mut");
                    self.error_with_fix(range, "`mut` alone binds a name that changes", fix);
                    self.bump();
                }
                self.bump();
            }
        }
        let word = self.pos.checked_sub(1).map(|word| self.raw_range(self.tokens[word].raw()));
        if let Some(word) = word {
            self.foreign_assigned_binding(word);
        }
        if self.at_line_start() {
            self.error_expected("a name or a pattern");
        } else if self.current().is_keyword() && !self.at_path_start() && !self.at_literal() {
            self.name("a name");
        } else {
            self.single_pattern();
        }
        self.binding_type();
        self.foreign_equals_sign();
        if self.eat(SyntaxKind::EQ) {
            self.expr();
            if self.at(SyntaxKind::ELSE_KW) {
                self.val_else();
            }
        } else if self.last_error == Some(self.pos) && self.at_expr_start() && !self.at_line_start()
        {
            // The sign in front of the value has been reported.
            self.expr();
        } else {
            self.error_expected("`=` and a value");
        }
        self.finish_node();
    }

    /// `: T` behind the name of a binding, if any, and what stands there by mistake.
    fn binding_type(&mut self) {
        if self.at(SyntaxKind::COLON) && !self.at_walrus() {
            self.bump();
            self.type_();
            self.stray_gt();
        } else if self.at(SyntaxKind::IDENT) && !self.at_line_start() {
            self.type_without_colon();
        }
        if self.at_walrus() {
            let fix = self.replace(self.range_of(0), "");
            let message = "the value of a binding stands behind `=`, without a colon";
            self.note_error(self.range_of(0).cover(self.range_of(1)), message, fix);
            self.bump_as_error();
        }
    }

    /// Whether `:=` stands here.
    fn at_walrus(&self) -> bool {
        self.at(SyntaxKind::COLON) && self.nth(1) == SyntaxKind::EQ && self.joined(0)
    }

    /// `val x i32 = 3`, or `val int x = 3`.
    fn type_without_colon(&mut self) {
        let name = self.pos.checked_sub(1).map(|before| self.tokens[before]);
        let Some(name) = name.filter(|token| token.kind == SyntaxKind::IDENT) else { return };
        let name = self.raw_range(name.raw());
        let (first, second) = (self.slice(name), self.text_of(0));
        let message = "the type of a binding stands behind its name and `:`";
        let range = self.range_of(0);
        if is_type_word(first) && !is_type_word(second) {
            let fix = self.replace(name.cover(range), &format!("{second}: {first}"));
            self.error_with_fix(range, message, fix);
            self.bump_as_error();
        } else {
            let fix = self.insert(name.end(), ":");
            self.error_with_fix(range, message, fix);
            self.type_();
        }
    }

    fn val_else(&mut self) {
        self.start(SyntaxKind::VAL_ELSE);
        self.bump();
        if self.eat(SyntaxKind::PIPE) {
            if self.at_any(&[SyntaxKind::IDENT, SyntaxKind::UNDERSCORE]) {
                self.single_pattern();
            } else {
                self.error_expected("a name or `_`");
            }
            self.expect(SyntaxKind::PIPE);
        }
        self.nested(|parser| parser.body("the block of `else`"));
        self.finish_node();
    }

    fn pool_statement(&mut self) {
        self.start(SyntaxKind::POOL_STMT);
        self.bump();
        if self.at(SyntaxKind::IDENT) && !self.at_line_start() {
            self.name("the name of the pool");
        }
        self.nested(|parser| parser.body("the block of the pool"));
        self.finish_node();
    }

    /// An expression, or an assignment to it.
    fn expr_statement(&mut self) {
        let start = self.checkpoint();
        let place = self.pos;
        self.expr();
        if AssignOp::from_kind(self.current()).is_some() {
            self.bump();
            self.expr();
            self.wrap(start, SyntaxKind::ASSIGN_STMT);
            if self.at(SyntaxKind::EQ) {
                let message = "an assignment has no value: assign once per statement";
                self.error(self.range_of(0), message);
                self.skip_line();
            }
        } else {
            self.foreign_assignment(place);
            self.wrap(start, SyntaxKind::EXPR_STMT);
        }
    }
}
