//! Expressions: operators between operands, in front of them and behind them.

use super::builder::Checkpoint;
use super::lists::Separator;
use super::operators::level;
use super::{CHAIN_LIMIT, Mode, Parser};
use crate::{SyntaxFix, SyntaxKind};
use rowan::{TextRange, TextSize};

/// How high the tree of an expression is, groups inside excepted.
///
/// The limit on it keeps whoever walks a tree recursively from running out of stack.
pub(super) type Height = u32;

/// The comparison that the left operand is, for the message on a chain of them.
#[derive(Debug, Clone, Copy)]
struct Comparison {
    op: TextRange,
    kind: SyntaxKind,
    rhs: TextSize,
}

/// What a `>>` is as a shift.
#[derive(Debug)]
struct Shift {
    /// Whether the left side is no function.
    certain: bool,
    fix: Option<SyntaxFix>,
}

impl<'a> Parser<'a> {
    /// Whether an expression can begin with the current token.
    pub(super) fn at_expr_start(&self) -> bool {
        self.expr_starts_at(0)
    }

    pub(super) fn expr_starts_at(&self, ahead: usize) -> bool {
        match self.nth(ahead) {
            SyntaxKind::L_BRACE => self.mode.struct_literals,
            kind => matches!(
                kind,
                SyntaxKind::IDENT
                    | SyntaxKind::INT
                    | SyntaxKind::FLOAT
                    | SyntaxKind::CHAR
                    | SyntaxKind::STRING_START
                    | SyntaxKind::TRUE_KW
                    | SyntaxKind::FALSE_KW
                    | SyntaxKind::SELF_KW
                    | SyntaxKind::SELF_TYPE_KW
                    | SyntaxKind::L_PAREN
                    | SyntaxKind::L_BRACK
                    | SyntaxKind::MINUS
                    | SyntaxKind::BANG
                    | SyntaxKind::TILDE
                    | SyntaxKind::STAR
                    | SyntaxKind::AMP
                    | SyntaxKind::PIPE
                    | SyntaxKind::PIPE2
                    | SyntaxKind::MOVE_KW
                    | SyntaxKind::UNSAFE_KW
                    | SyntaxKind::IF_KW
                    | SyntaxKind::MATCH_KW
                    | SyntaxKind::WHILE_KW
                    | SyntaxKind::FOR_KW
                    | SyntaxKind::LOOP_KW
                    | SyntaxKind::RETURN_KW
                    | SyntaxKind::BREAK_KW
                    | SyntaxKind::CONTINUE_KW
                    | SyntaxKind::DOT2
                    | SyntaxKind::DOT2_EQ
            ),
        }
    }

    /// An expression, or a report that it is missing.
    pub(super) fn expr(&mut self) {
        if !self.at_expr_start() {
            self.foreign_operator_start();
        }
        if self.foreign_lambda() {
            return;
        }
        if !self.at_expr_start() {
            self.error_expected("an expression");
            return;
        }
        let height = self.nested(|parser| parser.binary(0)).unwrap_or_default();
        self.height = self.height.max(height);
    }

    /// The head of an `if`, a loop or a `match`.
    pub(super) fn head_expr(&mut self, what: &str) {
        let mode = Mode { struct_literals: false, ..self.mode };
        if self.foreign_pattern_head() {
            return;
        }
        if self.at(SyntaxKind::L_BRACE) {
            self.error_expected(what);
            return;
        }
        self.with_mode(mode, Self::expr);
    }

    /// Operands with operators of at least this level between them.
    fn binary(&mut self, least: u8) -> Height {
        let start = self.checkpoint();
        let first = self.pos;
        let mut height = if self.at_any(&[SyntaxKind::DOT2, SyntaxKind::DOT2_EQ]) {
            self.range_without_start()
        } else {
            self.prefix()
        };
        let mut comparison = None;
        loop {
            if self.at_foreign_word_operator() {
                if level::AND < least {
                    break;
                }
                height = height.max(self.foreign_word_operator()) + 1;
                self.wrap(start, SyntaxKind::BIN_EXPR);
                continue;
            }
            if let Some(op) = self.foreign_infix() {
                if op.level < least {
                    break;
                }
                height = height.max(self.foreign_infix_operand(op)) + 1;
                self.wrap(start, SyntaxKind::BIN_EXPR);
                continue;
            }
            let Some(op) = self.infix().filter(|op| op.level >= least) else {
                break;
            };
            if height >= CHAIN_LIMIT {
                self.chain_too_long();
                break;
            }
            let op_range = self.range_of(0).cover(self.range_of(op.tokens - 1));
            if op.level == level::COMPARE
                && let Some(left) = comparison
            {
                self.chained_comparison(left, op.kind, op_range);
            }
            let shift = (op.kind == SyntaxKind::COMPOSE).then(|| self.shift(first, op.tokens));
            self.bump_joined(op.tokens, op.kind);
            let rhs_start = self.range_of(0).start();
            let rhs_first = self.pos;
            let (rhs, node) = match op.level {
                level::CAST => {
                    self.cast_type();
                    (0, SyntaxKind::CAST_EXPR)
                }
                level::RANGE => (self.range_end(), SyntaxKind::RANGE_EXPR),
                level::COALESCE => (self.coalesce_operands(), SyntaxKind::BIN_EXPR),
                _ => (self.operand(op.level + 1), SyntaxKind::BIN_EXPR),
            };
            if let Some(shift) = shift {
                self.check_shift(op_range, shift, rhs_first);
            }
            height = height.max(rhs) + 1;
            self.wrap(start, node);
            comparison = (op.level == level::COMPARE).then_some(Comparison {
                op: op_range,
                kind: op.kind,
                rhs: rhs_start,
            });
        }
        height
    }

    /// The operand behind an operator.
    pub(super) fn operand(&mut self, least: u8) -> Height {
        if !self.at_expr_start() {
            self.foreign_operator_start();
        }
        if self.at_expr_start() {
            return self.binary(least);
        }
        self.error_expected("an expression");
        0
    }

    /// The operands behind `??`, which groups to the right.
    fn coalesce_operands(&mut self) -> Height {
        let mut starts: Vec<Checkpoint> = Vec::new();
        let mut height = 0;
        loop {
            starts.push(self.checkpoint());
            height = self.operand(level::COALESCE + 1).max(height);
            let next = self.infix().filter(|op| op.level == level::COALESCE);
            let Some(op) = next else { break };
            if starts.len() >= to_usize(CHAIN_LIMIT) {
                self.chain_too_long();
                break;
            }
            self.bump_joined(op.tokens, op.kind);
        }
        starts.pop();
        for start in starts.into_iter().rev() {
            self.wrap(start, SyntaxKind::BIN_EXPR);
            height += 1;
        }
        height
    }

    fn range_without_start(&mut self) -> Height {
        self.start(SyntaxKind::RANGE_EXPR);
        self.bump();
        let height = self.range_end();
        self.finish_node();
        height + 1
    }

    fn range_end(&mut self) -> Height {
        if self.at_expr_start() && !self.at_new_line() {
            return self.binary(level::RANGE + 1);
        }
        0
    }

    fn chain_too_long(&mut self) {
        let message =
            format!("this expression is too long: more than {CHAIN_LIMIT} operators in a row");
        self.error(self.range_of(0), message);
        self.skip_while(|parser| {
            let goes_on = parser.infix().is_some() || parser.at(SyntaxKind::DOT);
            !parser.at(SyntaxKind::COMMA) && (goes_on || !parser.at_new_line())
        });
    }

    fn chained_comparison(&mut self, left: Comparison, kind: SyntaxKind, op: TextRange) {
        // The operand between them is missing, which has been reported.
        if self.last_error == Some(self.pos) {
            return;
        }
        // `f<T>(x)` and `T<U>::f` read as two comparisons.
        if left.kind == SyntaxKind::LT
            && kind == SyntaxKind::GT
            && matches!(self.nth(1), SyntaxKind::L_PAREN | SyntaxKind::COLON2)
        {
            self.last_error = Some(self.pos);
            let fix = self.insert(left.op.start(), "::");
            let message = "type arguments of a call stand behind `::`; `<` compares here";
            self.note_error(left.op, message, fix);
            return;
        }
        let middle =
            &self.text[super::to_usize(left.rhs.into())..super::to_usize(op.start().into())];
        let middle = middle.trim();
        let op_text =
            &self.text[super::to_usize(op.start().into())..super::to_usize(op.end().into())];
        let fix = self.replace(op, &format!("&& {middle} {op_text}"));
        let message = "comparisons do not chain: join two of them by `&&`";
        self.note_error(op, message, fix);
    }

    /// What a `>>` that stands here would be as a shift, when its left side begins at the token.
    fn shift(&self, first: usize, tokens: usize) -> Shift {
        let left = &self.tokens[first..self.pos];
        let number = matches!(left, [one] if one.kind == SyntaxKind::INT);
        let member = left.iter().any(|token| token.kind == SyntaxKind::DOT);
        let op = self.range_of(0).cover(self.range_of(tokens - 1));
        Shift { certain: number || member, fix: self.method_fix(op, tokens, "shr") }
    }

    /// `a >> 1` is a composition, and meant as a shift.
    fn check_shift(&mut self, op: TextRange, shift: Shift, rhs: usize) {
        let right = self.tokens.get(rhs..self.pos).unwrap_or_default();
        let number = matches!(right, [one] if one.kind == SyntaxKind::INT);
        let group = right.first().is_some_and(|token| token.kind == SyntaxKind::L_PAREN)
            && right.iter().all(|token| token.kind != SyntaxKind::PIPE);
        if number || group || shift.certain {
            let message = "there is no right shift operator: write `a.shr(n)`";
            self.note_error(op, message, shift.fix);
        }
    }

    /// An operand with the operators in front of it.
    fn prefix(&mut self) -> Height {
        self.foreign_operand();
        let node = match self.current() {
            SyntaxKind::MINUS | SyntaxKind::BANG | SyntaxKind::TILDE | SyntaxKind::STAR => {
                SyntaxKind::PREFIX_EXPR
            }
            SyntaxKind::AMP => SyntaxKind::BORROW_EXPR,
            SyntaxKind::IDENT if self.at_foreign_not() => SyntaxKind::PREFIX_EXPR,
            _ => return self.postfix(),
        };
        self.start(node);
        if self.at(SyntaxKind::IDENT) {
            self.foreign_not();
        } else {
            self.bump();
        }
        if node == SyntaxKind::BORROW_EXPR {
            self.eat(SyntaxKind::MUT_KW);
        }
        let range = self.at_any(&[SyntaxKind::DOT2, SyntaxKind::DOT2_EQ]);
        let height = if self.at_expr_start() && !range {
            self.nested(Self::prefix).unwrap_or_default()
        } else {
            self.error_expected("an expression");
            0
        };
        self.finish_node();
        height + 1
    }

    /// An operand with the operators behind it.
    fn postfix(&mut self) -> Height {
        let start = self.checkpoint();
        let mut height = self.primary();
        loop {
            if height >= CHAIN_LIMIT && self.at_postfix() {
                self.chain_too_long();
                break;
            }
            // What is in the brackets counts by its own height.
            let outer = std::mem::take(&mut self.height);
            let node = match self.current() {
                SyntaxKind::L_PAREN if !self.at_new_line() => {
                    self.arg_list();
                    SyntaxKind::CALL_EXPR
                }
                SyntaxKind::L_BRACK if !self.at_new_line() => {
                    self.index_list();
                    SyntaxKind::INDEX_EXPR
                }
                SyntaxKind::DOT => self.member(),
                SyntaxKind::QUESTION if !self.at_coalesce() && self.foreign_infix().is_none() => {
                    self.bump();
                    SyntaxKind::TRY_EXPR
                }
                SyntaxKind::BANG if self.at_foreign_macro() => {
                    self.foreign_macro();
                    SyntaxKind::CALL_EXPR
                }
                _ => {
                    self.height = outer;
                    return height;
                }
            };
            height = height.max(self.height) + 1;
            self.height = outer;
            self.wrap(start, node);
        }
        height
    }

    fn at_postfix(&self) -> bool {
        match self.current() {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK => !self.at_new_line(),
            SyntaxKind::QUESTION => !self.at_coalesce(),
            SyntaxKind::DOT => true,
            _ => false,
        }
    }

    /// `.name`, `.0`, `.name::<T>(args)`; gives the kind of the node.
    fn member(&mut self) -> SyntaxKind {
        let before =
            |count: usize| self.pos.checked_sub(count).map(|before| self.tokens[before].kind);
        // An integer behind a point is an element of a tuple, and no number that goes on.
        let number = before(1) == Some(SyntaxKind::INT)
            && before(2) != Some(SyntaxKind::DOT)
            && self.nth(1) != SyntaxKind::IDENT;
        self.bump();
        if number {
            let fix = self.insert(self.previous_end(), "0");
            let message = "expected digits behind the point, such as `5.0`";
            let dot = TextRange::new(self.previous_end() - TextSize::new(1), self.previous_end());
            self.note_error(dot, message, fix);
            return SyntaxKind::FIELD_EXPR;
        }
        match self.current() {
            _ if self.at_line_start() => self.error_expected("the name of a field or a method"),
            SyntaxKind::IDENT | SyntaxKind::INT => self.name_ref(),
            SyntaxKind::FLOAT => {
                let message = "this reads as a float: an element of an inner tuple is `(t.0).1`";
                self.error(self.range_of(0), message);
                self.bump_as_error();
                return SyntaxKind::FIELD_EXPR;
            }
            kind if kind.is_keyword() => {
                let word = kind.name();
                let message = format!(
                    "expected the name of a field or a method, found {word}, which is a reserved word"
                );
                self.error(self.range_of(0), message);
                self.bump_as_error();
            }
            _ => {
                self.error_expected("the name of a field or a method");
                return SyntaxKind::FIELD_EXPR;
            }
        }
        if self.at(SyntaxKind::COLON2) && self.nth(1) == SyntaxKind::LT {
            self.bump();
            self.type_arg_list();
        }
        if self.at(SyntaxKind::L_PAREN) && !self.at_new_line() {
            self.arg_list();
            return SyntaxKind::METHOD_CALL_EXPR;
        }
        SyntaxKind::FIELD_EXPR
    }

    pub(super) fn arg_list(&mut self) {
        self.start(SyntaxKind::ARG_LIST);
        self.list(SyntaxKind::R_PAREN, Separator::Comma, "an argument", Self::argument);
        self.finish_node();
    }

    fn argument(&mut self) {
        if !self.at_expr_start() && !self.at(SyntaxKind::PLUS) {
            return;
        }
        self.start(SyntaxKind::ARG);
        if self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::COLON {
            self.name_ref();
            self.bump();
        } else if self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::EQ {
            let fix =
                self.replace(TextRange::new(self.range_of(0).end(), self.range_of(1).end()), ":");
            let message = "the value of a named argument stands behind `:`";
            self.note_error(self.range_of(1), message, fix);
            self.name_ref();
            self.bump_as_error();
        }
        self.expr();
        self.finish_node();
    }

    fn index_list(&mut self) {
        self.start(SyntaxKind::INDEX_LIST);
        self.list(SyntaxKind::R_BRACK, Separator::Comma, "an index", Self::expr_if_any);
        self.finish_node();
    }

    /// An expression, if one begins here.
    pub(super) fn expr_if_any(&mut self) {
        if self.at_expr_start() {
            self.expr();
        }
    }
}

fn to_usize(value: u32) -> usize {
    super::to_usize(value)
}
