//! Types, paths and shapes.

use super::lists::Separator;
use super::{Mode, Parser, is_closing};
use crate::SyntaxKind;

/// How many tokens of type arguments without `::` in front are looked at.
const ARGUMENTS_REACH: usize = 64;

/// Whether and how the segments of a path have type arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathArgs {
    /// `Vec<T>`.
    Type,
    /// `Vec::<T>`.
    Turbofish,
    /// None: `<` behind the path is something else.
    None,
}

impl<'a> Parser<'a> {
    pub(super) fn at_type_start(&self) -> bool {
        self.at_path_start()
            || self.at_any(&[
                SyntaxKind::AMP,
                SyntaxKind::L_BRACK,
                SyntaxKind::L_PAREN,
                SyntaxKind::DYN_KW,
                SyntaxKind::IMPL_KW,
            ])
    }

    pub(super) fn at_path_start(&self) -> bool {
        self.at_any(&[SyntaxKind::IDENT, SyntaxKind::SELF_TYPE_KW])
    }

    /// A type, if one begins here.
    pub(super) fn type_if_any(&mut self) {
        if self.at_type_start() {
            self.type_();
        }
    }

    /// A type, or a report that it is missing.
    pub(super) fn type_(&mut self) {
        self.nested(Self::type_inner);
    }

    fn type_inner(&mut self) {
        self.foreign_type_start();
        match self.current() {
            SyntaxKind::AMP => {
                self.start(SyntaxKind::REF_TYPE);
                self.bump();
                self.eat(SyntaxKind::LIFETIME);
                self.eat(SyntaxKind::MUT_KW);
                self.type_();
                self.finish_node();
            }
            SyntaxKind::L_BRACK => self.array_type(),
            SyntaxKind::L_PAREN => self.paren_type(),
            SyntaxKind::DYN_KW | SyntaxKind::IMPL_KW => {
                let kind = if self.at(SyntaxKind::DYN_KW) {
                    SyntaxKind::DYN_TYPE
                } else {
                    SyntaxKind::IMPL_TYPE
                };
                self.start(kind);
                self.bump();
                self.bound();
                self.finish_node();
            }
            SyntaxKind::IDENT if self.nth(1) == SyntaxKind::L_PAREN && self.at_word("fn") => {
                self.foreign_function_type();
            }
            SyntaxKind::FUNC_KW if self.nth(1) == SyntaxKind::L_PAREN => {
                self.foreign_function_type();
            }
            SyntaxKind::IDENT if ends_name(self.nth(1)) => self.bump_within(NAME_TYPE),
            _ if self.at_path_start() => {
                let first = self.range_of(0).start();
                self.start(SyntaxKind::PATH_TYPE);
                self.type_path();
                self.foreign_type_end(first);
                self.finish_node();
            }
            _ => self.error_expected("a type"),
        }
    }

    /// Takes `?` or brackets behind a type, as other languages write them.
    fn foreign_type_end(&mut self, first: rowan::TextSize) {
        if self.at_line_start() {
            return;
        }
        let written = rowan::TextRange::new(first, self.previous_end());
        let name = self.slice(written);
        // Behind the element type of a tensor, only the comma in front of the shape is missing.
        let before = |count: usize| self.pos.checked_sub(count).map(|before| self.tokens[before]);
        let tensor = before(3).is_some_and(|token| {
            matches!(self.slice(self.raw_range(token.raw())), "Tensor" | "SparseTensor")
        });
        let element = before(2).is_some_and(|token| token.kind == SyntaxKind::LT);
        if self.at(SyntaxKind::L_BRACK) && tensor && element {
            return;
        }
        if self.at(SyntaxKind::QUESTION) {
            let whole = written.cover(self.range_of(0));
            let fix = self.replace(whole, &format!("Option<{name}>"));
            let message = "a value that may be absent is an `Option`";
            self.note_error(self.range_of(0), message, fix);
            self.bump_as_error();
        } else if self.at(SyntaxKind::L_BRACK)
            && !(self.nth(1) == SyntaxKind::INT && self.nth(2) == SyntaxKind::COMMA)
        {
            let open = self.range_of(0);
            let empty = self.nth(1) == SyntaxKind::R_BRACK;
            self.start(SyntaxKind::ERROR);
            self.bump();
            self.skip_while(|_| true);
            self.eat(SyntaxKind::R_BRACK);
            self.finish_node();
            let whole = rowan::TextRange::new(first, self.previous_end());
            let arguments = rowan::TextRange::new(open.end(), whole.end());
            let arguments = self.slice(arguments).trim_end_matches(']');
            if empty || arguments.starts_with(|c: char| c.is_ascii_digit()) {
                let fix = if empty {
                    None
                } else {
                    self.replace(whole, &format!("[{name}; {arguments}]"))
                };
                let message = "an array type is written `[T; N]`, and one that grows `Vec<T>`";
                self.note_error(open, message, fix);
            } else {
                let fix = self.replace(whole, &format!("{name}<{arguments}>"));
                self.note_error(open, "type arguments stand between `<` and `>`", fix);
            }
        }
    }

    /// Takes a `>` behind a type that closes nothing.
    pub(super) fn stray_gt(&mut self) {
        if self.at(SyntaxKind::GT) && !self.at_line_start() {
            let fix = self.replace(self.range_of(0), "");
            self.note_error(self.range_of(0), "this `>` closes nothing", fix);
            self.bump_as_error();
        }
    }

    /// `fn(A) -> R`, as other languages write it.
    fn foreign_function_type(&mut self) {
        let fix = self.replace(self.range_of(0), "");
        let message = "a function type is written `(A, B) -> R`, without a keyword";
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
        self.paren_type();
    }

    /// A type as the target of a cast: `<` behind it compares, unless a shape is among what follows.
    pub(super) fn cast_type(&mut self) {
        if self.at_any(&[SyntaxKind::QUESTION, SyntaxKind::BANG]) {
            let fix = self.replace(self.range_of(0), "");
            self.note_error(self.range_of(0), "a cast is written `as` and a type", fix);
            self.bump_as_error();
        }
        if self.at_path_start() {
            let args = if self.shape_arguments_ahead() { PathArgs::Type } else { PathArgs::None };
            self.start(SyntaxKind::PATH_TYPE);
            self.path(args);
            self.finish_node();
        } else {
            self.type_();
        }
    }

    /// Whether a path with `<T, [..]>` behind it begins here, which is no chain of comparisons: an array is never
    /// compared.
    fn shape_arguments_ahead(&self) -> bool {
        let mut first = 1;
        while self.nth(first) == SyntaxKind::COLON2 {
            first += 2;
        }
        let begins = self.nth(first) == SyntaxKind::LT
            && self.nth(first + 1) == SyntaxKind::IDENT
            && self.nth(first + 2) == SyntaxKind::COMMA
            && self.nth(first + 3) == SyntaxKind::L_BRACK;
        if !begins {
            return false;
        }
        let shape = first + 4..first + ARGUMENTS_REACH;
        let end = shape.into_iter().find(|ahead| {
            matches!(self.nth(*ahead), SyntaxKind::R_BRACK | SyntaxKind::L_BRACK | SyntaxKind::EOF)
        });
        end.is_some_and(|end| {
            self.nth(end) == SyntaxKind::R_BRACK && self.nth(end + 1) == SyntaxKind::GT
        })
    }

    fn array_type(&mut self) {
        let start = self.checkpoint();
        let open = self.range_of(0);
        self.bump();
        let kind = self.with_mode(Mode::GROUP, |parser| {
            parser.type_();
            if !parser.eat(SyntaxKind::SEMICOLON) {
                return SyntaxKind::SLICE_TYPE;
            }
            match parser.current() {
                SyntaxKind::INT => parser.bump(),
                SyntaxKind::IDENT => parser.name_ref(),
                _ => parser.error_expected("the number of elements"),
            }
            if !parser.at_any(&[SyntaxKind::R_BRACK, SyntaxKind::R_PAREN, SyntaxKind::EOF])
                && !parser.at_line_start()
            {
                let found = parser.describe();
                let message = format!(
                    "the number of elements is a number or a name, found {found} behind it"
                );
                parser.error(parser.range_of(0), message);
                parser.skip_while(|_| true);
            }
            SyntaxKind::ARRAY_TYPE
        });
        if self.at(SyntaxKind::COMMA) {
            let one = self.nth(1) == SyntaxKind::INT && self.nth(2) == SyntaxKind::R_BRACK;
            let fix = if one { self.replace(self.range_of(0), ";") } else { None };
            let message = "expected `;` and the number of elements, or `]`, found `,`";
            self.error_with_fix(self.range_of(0), message, fix);
            self.with_mode(Mode::GROUP, |parser| parser.skip_while(|_| true));
        }
        if !self.eat(SyntaxKind::R_BRACK) {
            if self.at_line_start() {
                self.error(open, "this `[` is never closed: expected `]`");
            } else {
                self.error_expected("`]`");
            }
        }
        self.start_at(start, kind);
        self.finish_node();
    }

    fn paren_type(&mut self) {
        let start = self.checkpoint();
        let open = self.pos;
        let what = "a type";
        let comma = self.list(SyntaxKind::R_PAREN, Separator::Comma, what, Self::type_if_any);
        let result =
            matches!(self.nth(1), SyntaxKind::IDENT | SyntaxKind::L_PAREN | SyntaxKind::AMP);
        // A guard may end in a type in parentheses.
        let listed = !self.mode.new_lines;
        if listed && self.at(SyntaxKind::FAT_ARROW) && result && !self.at_line_start() {
            let fix = self.replace(self.range_of(0), "->");
            self.note_error(self.range_of(0), "a function type is written `(A, B) -> R`", fix);
            self.start_at(start, SyntaxKind::FN_TYPE);
            self.start(SyntaxKind::RET_TYPE);
            self.bump_as_error();
            self.type_();
            self.finish_node();
            self.finish_node();
            return;
        }
        if self.at(SyntaxKind::ARROW) && !self.at_new_line() {
            self.start_at(start, SyntaxKind::FN_TYPE);
            self.start(SyntaxKind::RET_TYPE);
            self.bump();
            self.type_();
            self.finish_node();
            self.finish_node();
            return;
        }
        if self.pos == open + 2 {
            let range = self.raw_range(self.tokens[open].raw());
            let message = "there is no empty tuple type: a function without a result has no `->`";
            self.note_error(range.cover_offset(self.previous_end()), message, None);
        }
        if comma {
            self.tuple_of_one(open);
        }
        let kind = if comma { SyntaxKind::TUPLE_TYPE } else { SyntaxKind::PAREN_TYPE };
        self.wrap(start, kind);
    }

    /// A path with type arguments, as in a type.
    pub(super) fn type_path(&mut self) {
        self.path(PathArgs::Type);
    }

    /// A path with type arguments behind `::`, as in an expression.
    pub(super) fn expr_path(&mut self) {
        self.path(PathArgs::Turbofish);
    }

    /// A path without type arguments, or with them when they bind no associated type.
    pub(super) fn bound_path(&mut self) {
        let mut ahead = 1;
        while self.nth(ahead) == SyntaxKind::COLON2 {
            ahead += 2;
        }
        let binds = self.nth(ahead) == SyntaxKind::LT
            && self.nth(ahead + 1) == SyntaxKind::IDENT
            && self.nth(ahead + 2) == SyntaxKind::EQ;
        self.path(if binds { PathArgs::None } else { PathArgs::Type });
    }

    fn path(&mut self, args: PathArgs) {
        self.start(SyntaxKind::PATH);
        loop {
            self.start(SyntaxKind::PATH_SEGMENT);
            self.name_ref();
            let turbofish = self.at(SyntaxKind::COLON2)
                && self.nth(1) == SyntaxKind::LT
                && args != PathArgs::None;
            if turbofish {
                self.bump();
                self.type_arg_list();
            } else if args == PathArgs::Type && self.at(SyntaxKind::LT) {
                self.type_arg_list();
            } else if args == PathArgs::Turbofish {
                self.foreign_call_arguments();
            }
            self.finish_node();
            if !self.at(SyntaxKind::COLON2) {
                break;
            }
            self.bump();
            let named = self.at_path_start() || self.at(SyntaxKind::SELF_KW);
            if !named || self.at_line_start() {
                self.error_expected("a name behind `::`");
                break;
            }
        }
        self.finish_node();
    }

    /// Takes type arguments without `::` in front; gives whether there were any.
    pub(super) fn foreign_call_arguments(&mut self) -> bool {
        let found = self.call_arguments_at(0);
        if found {
            let fix = self.insert(self.range_of(0).start(), "::");
            let message = "type arguments of a call stand behind `::`; `<` compares here";
            self.note_error(self.range_of(0), message, fix);
            self.type_arg_list();
        }
        found
    }

    /// Whether `<T>(` or `<T>::` stands that many tokens ahead, which as operators would be a chain of comparisons.
    pub(super) fn call_arguments_at(&self, first: usize) -> bool {
        if self.nth(first) != SyntaxKind::LT || self.significant(first).new_line {
            return false;
        }
        let (mut angles, mut brackets, mut commas) = (0usize, 0usize, false);
        for ahead in first..first + ARGUMENTS_REACH {
            match self.nth(ahead) {
                SyntaxKind::LT => angles += 1,
                SyntaxKind::GT if angles == 1 && brackets == 0 => {
                    let next = self.significant(ahead + 1);
                    return match next.kind {
                        SyntaxKind::COLON2 | SyntaxKind::DOT => !next.new_line,
                        // `f(a < b, c > (d))` has two comparisons.
                        _ if commas && !self.mode.new_lines => false,
                        SyntaxKind::L_PAREN => !next.new_line,
                        kind => {
                            is_closing(kind)
                                || kind == SyntaxKind::COMMA
                                || next.new_line && !self.expr_starts_at(ahead + 1)
                        }
                    };
                }
                SyntaxKind::GT if brackets == 0 => angles -= 1,
                SyntaxKind::L_BRACK => brackets += 1,
                SyntaxKind::R_BRACK if brackets > 0 => brackets -= 1,
                SyntaxKind::COMMA => commas |= brackets == 0,
                SyntaxKind::IDENT
                | SyntaxKind::SELF_TYPE_KW
                | SyntaxKind::COLON2
                | SyntaxKind::INT
                | SyntaxKind::LIFETIME
                | SyntaxKind::SEMICOLON
                | SyntaxKind::QUESTION
                | SyntaxKind::DYN_KW => {}
                _ => return false,
            }
        }
        false
    }

    /// `<T, 4, [2, 3]>`.
    pub(super) fn type_arg_list(&mut self) {
        self.start(SyntaxKind::TYPE_ARG_LIST);
        let open = self.range_of(0);
        self.bump();
        if self.at(SyntaxKind::GT) {
            let list = open.cover(self.range_of(0));
            self.note_error(list, "expected a type argument between `<` and `>`", None);
        }
        self.with_mode(Mode::GROUP, |parser| {
            while !parser.at_any(&[SyntaxKind::GT, SyntaxKind::EOF]) {
                let before = parser.pos;
                parser.type_arg();
                let missing = parser.pos > before
                    && !parser.at_line_start()
                    && parser.at_any(&[SyntaxKind::L_BRACK, SyntaxKind::IDENT, SyntaxKind::INT]);
                if missing {
                    let fix = parser.insert(parser.previous_end(), ",");
                    parser.error_expected_with_fix("`,` or `>`", fix);
                } else if parser.pos == before || !parser.eat(SyntaxKind::COMMA) {
                    break;
                }
            }
        });
        if !self.eat(SyntaxKind::GT) {
            self.unclosed_angle(open);
        }
        self.finish_node();
    }

    /// Reports that the `<` is not closed where the current token stands.
    pub(super) fn unclosed_angle(&mut self, open: rowan::TextRange) {
        let ends = self.at_line_start()
            || self.at_any(&[
                SyntaxKind::EQ,
                SyntaxKind::L_BRACE,
                SyntaxKind::R_BRACE,
                SyntaxKind::R_PAREN,
                SyntaxKind::R_BRACK,
                SyntaxKind::L_PAREN,
                SyntaxKind::ARROW,
            ]);
        if ends {
            let fix = self.insert(self.previous_end(), ">");
            if self.last_error.is_some_and(|last| last + 2 > self.pos) {
                self.last_error = Some(self.pos);
            }
            self.error_with_fix(open, "this `<` is never closed: expected `>`", fix);
        } else {
            self.error_expected("`,` or `>`");
        }
    }

    fn type_arg(&mut self) {
        match self.current() {
            SyntaxKind::L_BRACK if !self.at_array_type() => self.shape(),
            SyntaxKind::L_PAREN if self.nth(1) == SyntaxKind::INT => {
                let open = self.range_of(0);
                self.skip_while(|parser| !parser.at_any(&[SyntaxKind::COMMA, SyntaxKind::GT]));
                let whole = rowan::TextRange::new(open.start(), self.previous_end());
                let dims = self.slice(whole).trim_matches(['(', ')']);
                let fix = self.replace(whole, &format!("[{dims}]"));
                self.note_error(whole, "a shape stands in brackets", fix);
            }
            SyntaxKind::LIFETIME => {
                self.start(SyntaxKind::LIFETIME_ARG);
                self.bump();
                self.finish_node();
            }
            SyntaxKind::INT
            | SyntaxKind::FLOAT
            | SyntaxKind::CHAR
            | SyntaxKind::TRUE_KW
            | SyntaxKind::FALSE_KW
            | SyntaxKind::MINUS => {
                self.start(SyntaxKind::CONST_ARG);
                let number = self.eat(SyntaxKind::MINUS);
                let literal = !number && self.at_literal();
                if literal || self.at_any(&[SyntaxKind::INT, SyntaxKind::FLOAT]) {
                    self.literal();
                } else {
                    self.error_expected("a number");
                }
                self.finish_node();
            }
            _ => self.type_(),
        }
    }

    /// Whether the bracket here opens `[T; N]` and not a shape.
    fn at_array_type(&self) -> bool {
        let mut open = 0usize;
        for token in &self.tokens[self.pos..] {
            match token.kind {
                SyntaxKind::L_BRACK | SyntaxKind::L_PAREN => open += 1,
                SyntaxKind::R_BRACK | SyntaxKind::R_PAREN if open <= 1 => return false,
                SyntaxKind::R_BRACK | SyntaxKind::R_PAREN => open -= 1,
                SyntaxKind::SEMICOLON if open == 1 => return true,
                SyntaxKind::L_BRACE | SyntaxKind::R_BRACE | SyntaxKind::EOF => return false,
                _ => {}
            }
        }
        false
    }

    /// `[2, rows: N, ?]`.
    fn shape(&mut self) {
        self.start(SyntaxKind::SHAPE_ARG);
        self.list(SyntaxKind::R_BRACK, Separator::Comma, "a number, a name or `?`", Self::dim);
        self.finish_node();
    }

    fn dim(&mut self) {
        if !self.at_any(&[SyntaxKind::INT, SyntaxKind::IDENT, SyntaxKind::QUESTION]) {
            return;
        }
        self.start(SyntaxKind::DIM);
        if self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::COLON {
            self.name("the name of an axis");
            self.bump();
        }
        match self.current() {
            SyntaxKind::INT | SyntaxKind::QUESTION => self.bump(),
            SyntaxKind::IDENT => self.name_ref(),
            _ => self.error_expected("a number, a name or `?`"),
        }
        self.finish_node();
    }
}

/// The nodes around a name that is a type.
const NAME_TYPE: &[SyntaxKind] =
    &[SyntaxKind::NAME_REF, SyntaxKind::PATH_SEGMENT, SyntaxKind::PATH, SyntaxKind::PATH_TYPE];

/// Whether a name with this behind it is a type as it stands.
fn ends_name(next: SyntaxKind) -> bool {
    matches!(
        next,
        SyntaxKind::COMMA
            | SyntaxKind::R_PAREN
            | SyntaxKind::R_BRACE
            | SyntaxKind::L_BRACE
            | SyntaxKind::GT
            | SyntaxKind::EQ
    )
}
