//! Expressions that begin and end by themselves.

use super::exprs::Height;
use super::lists::Separator;
use super::{Mode, Parser, is_closing, is_opening};
use crate::SyntaxKind;
use rowan::TextRange;

/// The nodes around a name that is an expression.
const NAME_EXPR: &[SyntaxKind] =
    &[SyntaxKind::NAME_REF, SyntaxKind::PATH_SEGMENT, SyntaxKind::PATH, SyntaxKind::PATH_EXPR];

impl<'a> Parser<'a> {
    pub(super) fn at_literal(&self) -> bool {
        self.at_any(&[
            SyntaxKind::INT,
            SyntaxKind::FLOAT,
            SyntaxKind::CHAR,
            SyntaxKind::TRUE_KW,
            SyntaxKind::FALSE_KW,
        ])
    }

    pub(super) fn literal(&mut self) {
        self.bump_within(&[SyntaxKind::LITERAL]);
    }

    /// An operand without operators.
    pub(super) fn primary(&mut self) -> Height {
        let outer = std::mem::take(&mut self.height);
        self.primary_inner();
        std::mem::replace(&mut self.height, outer) + 1
    }

    fn primary_inner(&mut self) {
        match self.current() {
            SyntaxKind::INT
            | SyntaxKind::FLOAT
            | SyntaxKind::CHAR
            | SyntaxKind::TRUE_KW
            | SyntaxKind::FALSE_KW => self.literal(),
            SyntaxKind::STRING_START => self.string_lit(),
            SyntaxKind::IDENT if self.at_label() => self.loop_expr(),
            SyntaxKind::IDENT | SyntaxKind::SELF_KW | SyntaxKind::SELF_TYPE_KW => {
                self.path_or_struct();
            }
            SyntaxKind::L_PAREN => self.paren_expr(),
            SyntaxKind::L_BRACK => {
                self.start(SyntaxKind::ARRAY_EXPR);
                self.list(SyntaxKind::R_BRACK, Separator::Comma, "an element", Self::element);
                self.finish_node();
            }
            SyntaxKind::L_BRACE => self.block(),
            SyntaxKind::UNSAFE_KW => {
                self.start(SyntaxKind::UNSAFE_EXPR);
                self.bump();
                self.body("the block of `unsafe`");
                self.finish_node();
            }
            SyntaxKind::IF_KW => self.if_expr(),
            SyntaxKind::MATCH_KW => self.match_expr(),
            SyntaxKind::WHILE_KW | SyntaxKind::FOR_KW | SyntaxKind::LOOP_KW => self.loop_expr(),
            SyntaxKind::PIPE | SyntaxKind::PIPE2 | SyntaxKind::MOVE_KW => self.closure(),
            SyntaxKind::RETURN_KW => {
                self.start(SyntaxKind::RETURN_EXPR);
                self.bump();
                self.value_on_line();
                self.finish_node();
            }
            SyntaxKind::BREAK_KW => {
                self.start(SyntaxKind::BREAK_EXPR);
                self.bump();
                self.label_ref(false);
                self.value_on_line();
                self.finish_node();
            }
            SyntaxKind::CONTINUE_KW => {
                self.start(SyntaxKind::CONTINUE_EXPR);
                self.bump();
                self.label_ref(true);
                self.jump_is_no_operand();
                self.finish_node();
            }
            _ => self.error_expected("an expression"),
        }
    }

    /// The value of a `return` or `break`, which stands on its line.
    fn value_on_line(&mut self) {
        if !self.at_line_start() {
            self.foreign_operator_start();
            if self.at_expr_start() {
                self.expr();
                return;
            }
        }
        self.jump_is_no_operand();
    }

    /// Reports an operator behind a jump without a value, which is nothing to compute with.
    fn jump_is_no_operand(&mut self) {
        if self.infix().is_some() || self.at_postfix() {
            self.error_expected("an expression");
        }
    }

    /// The label of a `break` or `continue`; a name that labels no loop is the value of a `break`.
    fn label_ref(&mut self, always: bool) {
        if self.at_line_start() {
            return;
        }
        if self.at(SyntaxKind::LIFETIME) {
            let text = self.text_of(0).trim_start_matches('\'').to_owned();
            let fix = self.replace(self.range_of(0), &text);
            self.error_with_fix(self.range_of(0), "a label is a plain name", fix);
            self.bump_as_error();
            return;
        }
        let known = self.at(SyntaxKind::IDENT) && self.labels.iter().any(|l| l == self.text_of(0));
        if known || always && self.at(SyntaxKind::IDENT) {
            self.start(SyntaxKind::LABEL_REF);
            self.name_ref();
            self.finish_node();
        }
    }

    fn at_label(&self) -> bool {
        self.nth(1) == SyntaxKind::COLON
            && matches!(
                self.nth(2),
                SyntaxKind::WHILE_KW | SyntaxKind::FOR_KW | SyntaxKind::LOOP_KW
            )
    }

    fn path_or_struct(&mut self) {
        let alone = match self.nth(1) {
            SyntaxKind::COLON2 | SyntaxKind::L_BRACE => false,
            SyntaxKind::LT => !self.call_arguments_at(1),
            _ => true,
        };
        if alone {
            return self.bump_within(NAME_EXPR);
        }
        let start = self.checkpoint();
        let first = self.pos;
        self.expr_path();
        let brace = self.at(SyntaxKind::L_BRACE) && !self.at_new_line();
        let in_head = brace && self.at_head_literal();
        if !brace || !self.mode.struct_literals && !in_head {
            self.wrap(start, SyntaxKind::PATH_EXPR);
            return;
        }
        self.start_at(start, SyntaxKind::STRUCT_LIT);
        self.start(SyntaxKind::STRUCT_LIT_FIELD_LIST);
        self.list(
            SyntaxKind::R_BRACE,
            Separator::CommaOrLine,
            "a field such as `name: value`",
            Self::struct_field,
        );
        self.finish_node();
        self.finish_node();
        if in_head {
            self.head_literal(first);
        }
    }

    fn struct_field(&mut self) {
        if self.at(SyntaxKind::DOT2) {
            self.start(SyntaxKind::STRUCT_BASE);
            let dots = self.range_of(0);
            self.bump();
            self.expr();
            self.finish_node();
            self.stands_last(dots);
        } else if self.at(SyntaxKind::IDENT) {
            self.start(SyntaxKind::STRUCT_LIT_FIELD);
            self.name_ref();
            if self.at(SyntaxKind::EQ) {
                let fix = self.replace(self.range_of(0), ":");
                let message = "the value of a field stands behind `:`";
                self.error_with_fix(self.range_of(0), message, fix);
                self.bump_as_error();
                self.expr();
            } else if self.eat(SyntaxKind::COLON) {
                self.expr();
            } else if self.at_literal() && !self.at_line_start() {
                let fix = self.insert(self.previous_end(), ":");
                self.error_expected_with_fix("`:` in front of the value of the field", fix);
                self.expr();
            }
            self.finish_node();
        }
    }

    /// Reports a `..` with fields behind it.
    pub(super) fn stands_last(&mut self, dots: TextRange) {
        let comma = usize::from(self.at(SyntaxKind::COMMA));
        let entry = self.nth(comma) == SyntaxKind::IDENT || self.nth(comma) == SyntaxKind::DOT2;
        if entry && (comma > 0 || self.at_line_start()) {
            self.note_error(dots, "`..` stands behind all fields", None);
        }
    }

    fn paren_expr(&mut self) {
        let start = self.checkpoint();
        let open = self.pos;
        let what = "an expression";
        let comma = self.list(SyntaxKind::R_PAREN, Separator::Comma, what, Self::expr_if_any);
        if self.pos == open + 2 {
            let range = self.raw_range(self.tokens[open].raw()).cover_offset(self.previous_end());
            self.note_error(range, "expected an expression in the parentheses", None);
        }
        if comma {
            self.tuple_of_one(open);
        }
        self.wrap(start, if comma { SyntaxKind::TUPLE_EXPR } else { SyntaxKind::PAREN_EXPR });
    }

    /// An element of an array; in an attribute perhaps with an alias.
    fn element(&mut self) {
        if self.mode.aliases && self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::COLON {
            self.start(SyntaxKind::ALIASED_EXPR);
            self.name("an alias");
            self.bump();
            self.expr();
            self.finish_node();
        } else {
            self.expr_if_any();
        }
    }

    /// `if c { } else if d { } else { }`; the branches nest in the tree, and are read in a loop.
    fn if_expr(&mut self) {
        let mut open = 0;
        loop {
            self.start(SyntaxKind::IF_EXPR);
            open += 1;
            self.bump();
            self.head_expr("a condition");
            self.body("the block of `if`");
            let written = self.foreign_else_if();
            if written || self.eat(SyntaxKind::ELSE_KW) {
                if self.at(SyntaxKind::IF_KW) || written {
                    if open < super::CHAIN_LIMIT {
                        continue;
                    }
                    let message = "this chain of `else if` is too long";
                    self.error(self.range_of(0), message);
                    self.skip_group();
                } else {
                    self.body("the block of `else`");
                }
            }
            break;
        }
        for _ in 0..open {
            self.finish_node();
        }
        self.height += open;
    }

    fn match_expr(&mut self) {
        self.start(SyntaxKind::MATCH_EXPR);
        self.bump();
        self.head_expr("the value to match");
        if self.at_word("with") && self.nth(1) == SyntaxKind::L_BRACE {
            let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
            let fix = self.replace(range, "");
            self.note_error(self.range_of(0), "the arms stand right behind the value", fix);
            self.bump_as_error();
        }
        if self.brace_of("the arms of the `match`") {
            self.start(SyntaxKind::MATCH_ARM_LIST);
            self.list(SyntaxKind::R_BRACE, Separator::CommaOrLine, "a pattern", Self::match_arm);
            self.finish_node();
        }
        self.finish_node();
    }

    fn match_arm(&mut self) {
        self.foreign_arm();
        let all_others = self.at(SyntaxKind::ELSE_KW);
        if !all_others && !self.at_pattern_start() {
            return;
        }
        self.start(SyntaxKind::MATCH_ARM);
        if all_others {
            self.bump_as_error();
        } else {
            self.pattern();
        }
        if self.at(SyntaxKind::IF_KW) {
            self.start(SyntaxKind::MATCH_GUARD);
            self.bump();
            self.head_expr("a condition");
            self.finish_node();
        }
        self.foreign_pattern_end();
        if self.at_any(&[SyntaxKind::ARROW, SyntaxKind::COLON, SyntaxKind::EQ]) {
            let joined = self.previous_end() == self.range_of(0).start();
            let fix = self.replace(self.range_of(0), if joined { " =>" } else { "=>" });
            self.error_with_fix(self.range_of(0), "the body of an arm stands behind `=>`", fix);
            self.bump_as_error();
            self.expr();
        } else if self.expect(SyntaxKind::FAT_ARROW) {
            if self.at_line_start() && self.arrow_on_line() {
                self.error_expected("the body of the arm");
            } else {
                self.arm_body();
            }
        }
        self.finish_node();
    }

    /// Whether an arm begins here: an arrow follows on the line, outside of brackets.
    fn arrow_on_line(&self) -> bool {
        let mut open = 0usize;
        for (index, token) in self.tokens[self.pos..].iter().enumerate() {
            match token.kind {
                _ if index > 0 && token.new_line => return false,
                SyntaxKind::FAT_ARROW if open == 0 => return true,
                kind if is_opening(kind) => open += 1,
                kind if is_closing(kind) && open == 0 => return false,
                kind if is_closing(kind) => open -= 1,
                _ => {}
            }
        }
        false
    }

    fn arm_body(&mut self) {
        self.expr();
        if crate::ast::AssignOp::from_kind(self.current()).is_some() {
            let message = "an assignment is a statement: put it in braces";
            self.error(self.range_of(0), message);
            self.bump_as_error();
            self.expr();
        }
    }

    /// A loop with its label.
    fn loop_expr(&mut self) {
        let keyword = if self.at(SyntaxKind::IDENT) { self.nth(2) } else { self.current() };
        self.start(match keyword {
            SyntaxKind::WHILE_KW => SyntaxKind::WHILE_EXPR,
            SyntaxKind::FOR_KW => SyntaxKind::FOR_EXPR,
            _ => SyntaxKind::LOOP_EXPR,
        });
        let label = self.at(SyntaxKind::IDENT).then(|| self.text_of(0).to_owned());
        if label.is_some() {
            self.start(SyntaxKind::LABEL);
            self.name("a label");
            self.bump();
            self.finish_node();
        }
        let word = self.range_of(0);
        self.bump();
        match keyword {
            SyntaxKind::WHILE_KW => self.head_expr("a condition"),
            SyntaxKind::FOR_KW => self.for_head(),
            _ => self.foreign_loop_head(word),
        }
        let labels = self.labels.len();
        self.labels.extend(label);
        self.body("the body of the loop");
        self.labels.truncate(labels);
        self.finish_node();
    }

    fn for_head(&mut self) {
        if self.foreign_for_head() {
            return;
        }
        let parens = self.at(SyntaxKind::L_PAREN)
            && self.nth(1) == SyntaxKind::IDENT
            && self.nth(2) == SyntaxKind::IN_KW;
        if parens {
            let message = "the head of a `for` stands without parentheses";
            self.error(self.range_of(0), message);
            self.bump_as_error();
        }
        self.foreign_loop_variable();
        if self.at_pattern_start() {
            self.single_pattern();
        } else {
            self.error_expected("the name of the loop variable");
        }
        if self.eat(SyntaxKind::IN_KW) || self.foreign_in() {
            self.head_expr("a range or a collection");
            if self.at(SyntaxKind::COLON) && !self.at_line_start() && self.expr_starts_at(1) {
                let fix = self.replace(self.range_of(0), "..=");
                let message = "a range is written `a..b`, or `a..=b` where `b` belongs to it";
                self.error_with_fix(self.range_of(0), message, fix);
                self.bump_as_error();
                self.head_expr("the end of the range");
            }
            self.foreign_step();
        } else {
            self.error_expected(SyntaxKind::IN_KW.name());
        }
        if parens && self.at(SyntaxKind::R_PAREN) {
            self.bump_as_error();
        }
    }

    fn closure(&mut self) {
        self.start(SyntaxKind::CLOSURE_EXPR);
        self.eat(SyntaxKind::MOVE_KW);
        self.start(SyntaxKind::CLOSURE_PARAM_LIST);
        if !self.eat(SyntaxKind::PIPE2) && self.expect(SyntaxKind::PIPE) {
            self.with_mode(Mode::GROUP, Self::closure_params);
            self.expect(SyntaxKind::PIPE);
        }
        self.finish_node();
        let labels = std::mem::take(&mut self.labels);
        if self.at(SyntaxKind::ARROW) {
            self.start(SyntaxKind::RET_TYPE);
            self.bump();
            self.type_();
            self.finish_node();
            self.body("the body of the closure");
        } else {
            if self.at(SyntaxKind::FAT_ARROW) {
                let fix = self.replace(self.range_of(0), "");
                let message = "the body of a closure stands right behind its parameters";
                self.note_error(self.range_of(0), message, fix);
                self.bump_as_error();
            }
            self.expr();
        }
        self.labels = labels;
        self.finish_node();
    }

    fn closure_params(&mut self) {
        while !self.at_any(&[SyntaxKind::PIPE, SyntaxKind::EOF]) {
            if !self.at_any(&[SyntaxKind::IDENT, SyntaxKind::UNDERSCORE]) {
                self.error_expected("the name of a parameter");
                return;
            }
            self.start(SyntaxKind::CLOSURE_PARAM);
            if !self.eat(SyntaxKind::UNDERSCORE) {
                self.name("the name of a parameter");
            }
            if self.eat(SyntaxKind::COLON) {
                self.type_();
            }
            self.finish_node();
            if !self.eat(SyntaxKind::COMMA) {
                return;
            }
        }
    }
}
