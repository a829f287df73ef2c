//! Expressions: operators between operands, in front of them and behind them.

use super::builder::Checkpoint;
use super::foreign::ForeignOperator;
use super::lists::Separator;
use super::operators::{Infix, computes, level};
use super::token_set::TokenSet;
use super::{CHAIN_LIMIT, Parser};
use crate::SyntaxKind;
use rowan::{TextRange, TextSize};

/// How high the tree of an expression is, groups inside excepted.
///
/// The limit on it keeps whoever walks a tree recursively from running out of stack.
pub(super) type Height = u32;

/// What stands in front of an operator.
#[derive(Debug)]
pub(super) struct Left {
    /// The first token of the left operand.
    pub(super) first: usize,
    /// The first token behind the last operator in it.
    pub(super) last: usize,
    /// Whether an operator in it computes a number or a truth value.
    pub(super) computed: bool,
}

/// The comparison that the left operand is, for the message on a chain of them.
#[derive(Debug, Clone, Copy)]
struct Comparison {
    /// Where its right operand begins.
    rhs: TextSize,
    /// How it compares.
    kind: SyntaxKind,
    /// Whether its own left operand is a comparison.
    chained: bool,
    /// The index of the message on its chain, if there is one.
    message: Option<usize>,
}

/// What an expression begins with, a block excepted.
static EXPR_STARTS: TokenSet = TokenSet::new(&[
    SyntaxKind::IDENT,
    SyntaxKind::INT,
    SyntaxKind::FLOAT,
    SyntaxKind::CHAR,
    SyntaxKind::STRING_START,
    SyntaxKind::TRUE_KW,
    SyntaxKind::FALSE_KW,
    SyntaxKind::SELF_KW,
    SyntaxKind::SELF_TYPE_KW,
    SyntaxKind::L_PAREN,
    SyntaxKind::L_BRACK,
    SyntaxKind::MINUS,
    SyntaxKind::BANG,
    SyntaxKind::TILDE,
    SyntaxKind::STAR,
    SyntaxKind::AMP,
    SyntaxKind::PIPE,
    SyntaxKind::PIPE2,
    SyntaxKind::MOVE_KW,
    SyntaxKind::UNSAFE_KW,
    SyntaxKind::IF_KW,
    SyntaxKind::MATCH_KW,
    SyntaxKind::WHILE_KW,
    SyntaxKind::FOR_KW,
    SyntaxKind::LOOP_KW,
    SyntaxKind::RETURN_KW,
    SyntaxKind::BREAK_KW,
    SyntaxKind::CONTINUE_KW,
    SyntaxKind::DOT2,
    SyntaxKind::DOT2_EQ,
]);

impl<'a> Parser<'a> {
    /// Whether an expression can begin with the current token.
    pub(super) fn at_expr_start(&self) -> bool {
        self.expr_starts_at(0)
    }

    pub(super) fn expr_starts_at(&self, ahead: usize) -> bool {
        match self.nth(ahead) {
            SyntaxKind::L_BRACE => self.mode.struct_literals,
            kind => EXPR_STARTS.contains(kind),
        }
    }

    /// An expression, or a report that it is missing.
    pub(super) fn expr(&mut self) {
        if !self.at_expr_start() {
            self.foreign_operator_start();
        }
        if self.foreign_lambda() || self.foreign_closure() {
            return;
        }
        if !self.at_operand() {
            self.error_expected("an expression");
            return;
        }
        let start = self.checkpoint();
        let height = self.nested(|parser| parser.binary(0)).unwrap_or_default();
        self.height = self.height.max(height);
        if self.at_ternary() {
            self.foreign_ternary(start);
        }
    }

    /// Operands with operators of at least this level between them.
    fn binary(&mut self, least: u8) -> Height {
        let start = self.checkpoint();
        let mut left = Left { first: self.pos, last: self.pos, computed: false };
        let mut height = if self.at_any(&[SyntaxKind::DOT2, SyntaxKind::DOT2_EQ]) {
            self.range_without_start()
        } else {
            self.prefix()
        };
        let mut comparison = None;
        while self.at_operator() {
            let foreign = self.foreign_operator(&left);
            let native = if foreign.is_some() { None } else { self.infix() };
            let level = foreign.as_ref().map(ForeignOperator::level).or(native.map(|op| op.level));
            if level.is_none_or(|level| level < least) {
                break;
            }
            if height >= CHAIN_LIMIT {
                self.chain_too_long();
                break;
            }
            if let Some(foreign) = foreign {
                left.computed = true;
                height = height.max(self.take_foreign_operator(foreign, &left)) + 1;
                self.wrap(start, SyntaxKind::BIN_EXPR);
                continue;
            }
            let Some(op) = native else { break };
            let op_range = self.range_of(0).cover(self.range_of(op.tokens - 1));
            let chained = comparison.filter(|_| op.level == level::COMPARE);
            let message = match chained {
                Some(left) => self.chained_comparison(left, op, op_range),
                None => {
                    self.bump_joined(op.tokens, op.kind);
                    None
                }
            };
            let rhs_start = self.range_of(0).start();
            left.last = self.pos;
            left.computed |= computes(op.kind);
            let (rhs, node) = match op.level {
                level::CAST => {
                    self.cast_type();
                    (0, SyntaxKind::CAST_EXPR)
                }
                level::RANGE => (self.range_end(), SyntaxKind::RANGE_EXPR),
                level::COALESCE => (self.coalesce_operands(), SyntaxKind::BIN_EXPR),
                _ => (self.operand(op.level + 1), SyntaxKind::BIN_EXPR),
            };
            height = height.max(rhs) + 1;
            self.wrap(start, node);
            comparison = (op.level == level::COMPARE).then_some(Comparison {
                rhs: rhs_start,
                kind: op.kind,
                chained: chained.is_some(),
                message,
            });
        }
        height
    }

    /// The operand behind an operator.
    pub(super) fn operand(&mut self, least: u8) -> Height {
        if !self.at_expr_start() {
            self.foreign_operator_start();
        }
        if self.at_operand() {
            return self.binary(least);
        }
        self.error_expected("an expression");
        0
    }

    /// Whether an operand begins here that cannot be left out: in a head a block may be one.
    fn at_operand(&self) -> bool {
        self.at_expr_start() || self.at_head_block()
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
        self.foreign_range();
        if !self.at_new_line() {
            self.foreign_operator_start();
            if self.at_expr_start() {
                return self.binary(level::RANGE + 1);
            }
        }
        // What binds more tightly than the range is no operator of the range, whose end is left out.
        if self.infix().is_some_and(|op| op.level > level::RANGE) {
            self.error_expected("an expression");
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

    /// Takes the operator of a comparison whose left operand is one; gives the index of the message on the chain.
    ///
    /// A chain is one mistake, however long it is, and its links are no comparisons for whoever reads the tree.
    fn chained_comparison(
        &mut self,
        left: Comparison,
        op: Infix,
        range: TextRange,
    ) -> Option<usize> {
        let middle = self.slice(TextRange::new(left.rhs.min(range.start()), range.start())).trim();
        let text = format!("&& {middle} {}", self.slice(range));
        let truth = |word: &str| matches!(word, "true" | "false");
        let joins =
            one_order(left.kind, op.kind) && !truth(middle) && !truth(self.text_of(op.tokens));
        let mut message = left.message;
        if !left.chained {
            let count = self.errors.len();
            // The operand between them is missing, which has been reported.
            if self.last_error != Some(self.pos) {
                let with_true = op.kind == SyntaxKind::EQ2 && self.text_of(op.tokens) == "true";
                let (text, fix) = if joins {
                    (
                        "comparisons do not chain: join two of them by `&&`",
                        self.replace(range, &text),
                    )
                } else if with_true {
                    let end = self.range_of(op.tokens).end();
                    let whole = TextRange::new(self.previous_end(), end);
                    (
                        "a comparison is not compared with `true`: it is a truth value itself",
                        self.replace(whole, ""),
                    )
                } else {
                    ("comparisons do not chain: what is compared first stands in parentheses", None)
                };
                self.note_error(range, text, fix);
            }
            message = (self.errors.len() > count).then_some(count);
        } else if let Some(error) = message.and_then(|index| self.errors.get_mut(index))
            && let Some(fix) = &mut error.fix
        {
            if !joins || fix.text.is_empty() {
                error.fix = None;
                self.start(SyntaxKind::ERROR);
                self.bump_joined(op.tokens, op.kind);
                self.finish_node();
                return message;
            }
            for part in [" ", middle, " ", &text] {
                fix.text.push_str(part);
            }
            fix.range = fix.range.cover(range);
            "join the comparisons by `&&`".clone_into(&mut fix.title);
        }
        self.start(SyntaxKind::ERROR);
        self.bump_joined(op.tokens, op.kind);
        self.finish_node();
        message
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
        let height = if self.at_operand() && !range {
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
                SyntaxKind::QUESTION if self.at_try() && self.foreign_infix().is_none() => {
                    self.bump();
                    SyntaxKind::TRY_EXPR
                }
                SyntaxKind::BANG if self.at_foreign_macro() => {
                    self.foreign_macro();
                    SyntaxKind::CALL_EXPR
                }
                SyntaxKind::BANG if self.foreign_unwrap() => SyntaxKind::PAREN_EXPR,
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

    pub(super) fn at_postfix(&self) -> bool {
        match self.current() {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK => !self.at_new_line(),
            SyntaxKind::QUESTION => self.at_try(),
            SyntaxKind::DOT => true,
            _ => false,
        }
    }

    /// Whether this `?` hands a failure on, and is no part of an operator.
    fn at_try(&self) -> bool {
        !self.at_coalesce() && !self.at_ternary()
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
            kind if self.previous_end() == self.range_of(0).start() && is_elementwise(kind) => {
                let dot =
                    TextRange::new(self.previous_end() - TextSize::new(1), self.previous_end());
                let sign = self.text_of(0);
                let range = dot.cover(self.range_of(0));
                let fix = self.replace(range, sign);
                let message =
                    format!("there is no `.{sign}`: `{sign}` works on tensors element by element");
                self.note_error(range, message, fix);
                return SyntaxKind::FIELD_EXPR;
            }
            _ => {
                self.error_expected("the name of a field or a method");
                return SyntaxKind::FIELD_EXPR;
            }
        }
        let arguments = self.range_of(0);
        let turbofish = self.at(SyntaxKind::COLON2) && self.nth(1) == SyntaxKind::LT;
        if turbofish {
            self.bump();
            self.type_arg_list();
        } else {
            self.foreign_call_arguments();
        }
        if self.at(SyntaxKind::L_PAREN) && !self.at_new_line() {
            self.arg_list();
            return SyntaxKind::METHOD_CALL_EXPR;
        }
        if turbofish && self.last_error != Some(self.pos) {
            let message = "expected `(` and arguments: only a call has type arguments";
            let range = TextRange::new(arguments.start(), self.previous_end());
            self.note_error(range, message, None);
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

    pub(super) fn index_list(&mut self) {
        self.start(SyntaxKind::INDEX_LIST);
        self.list(SyntaxKind::R_BRACK, Separator::Comma, "an index", Self::index);
        self.finish_node();
    }

    fn index(&mut self) {
        self.expr_if_any();
        self.foreign_slice();
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

/// Whether an operator between tensors works element by element.
fn is_elementwise(kind: SyntaxKind) -> bool {
    matches!(kind, SyntaxKind::PLUS | SyntaxKind::MINUS | SyntaxKind::STAR | SyntaxKind::SLASH)
}

/// Whether two comparisons, written in a row, ask for one order, as in `a < b <= c`.
fn one_order(first: SyntaxKind, second: SyntaxKind) -> bool {
    let up = |kind| matches!(kind, SyntaxKind::LT | SyntaxKind::LT_EQ);
    let down = |kind| matches!(kind, SyntaxKind::GT | SyntaxKind::GT_EQ);
    up(first) && up(second)
        || down(first) && down(second)
        || first == SyntaxKind::EQ2 && second == SyntaxKind::EQ2
}
