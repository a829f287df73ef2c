//! Brackets that do not match, repaired before parsing.
//!
//! A bracket too few or too many is one mistake, but a parser that meets it late takes the rest of the file
//! for part of it. So brackets are matched first. Where they do not match, lines say how the text is meant:
//! a block is indented more deeply than the line that opens it, and its end stands as deep as that line.
//! A bracket that is missing becomes a token without text, and one that closes nothing is set aside; each is
//! reported here. The parser reads a text whose brackets match.
//!
//! Only items whose own brackets do not match are looked at, so that odd indentation elsewhere does no harm.

mod layout;

use super::{is_closing, is_opening};
use crate::lexer::{Lexed, Token};
use crate::{SyntaxError, SyntaxFix, SyntaxKind};
use layout::{Layout, Mark};
use rowan::{TextRange, TextSize};

/// How many brackets around a place are considered: a bound keeps hostile texts linear.
const REACH: usize = 64;

/// How many lines are searched for the head of a block without an opening brace.
const HEAD_REACH: usize = 1_000;

/// What was repaired.
#[derive(Debug, Default)]
pub(super) struct Repaired {
    pub(super) errors: Vec<SyntaxError>,
    /// Where the parser stumbles only because of what has been reported here.
    pub(super) affected: Vec<TextRange>,
}

/// Makes the brackets of a text match.
pub(super) fn repair(text: &str, lexed: &mut Lexed<'_>) -> Repaired {
    if lexed.brackets_match() {
        return Repaired::default();
    }
    let layout = Layout::new(text, lexed);
    let mut repair = Repair {
        text,
        layout: &layout,
        unclosed: Vec::new(),
        openings: Vec::new(),
        strays: Vec::new(),
        replaced: Vec::new(),
    };
    for item in layout.items() {
        if !matches(layout.marks[item.clone()].iter().map(|mark| mark.kind)) {
            repair.item(item);
        }
    }
    let Repair { unclosed, openings, mut strays, mut replaced, .. } = repair;
    let mut errors = Vec::new();
    let mut affected = Vec::new();
    for missing in unclosed.iter().chain(&openings) {
        affected.extend(missing.affected);
        if !layout.is_excused(lexed, missing.error.range.start()) {
            errors.push(missing.error.clone());
        }
    }
    for mark in &strays {
        let mark = layout.marks[*mark];
        let message = format!("this {} closes nothing", mark.kind.name());
        let range = layout.range(mark);
        affected.push(layout.line(mark));
        let fix = SyntaxFix { title: "remove it".to_owned(), range, text: String::new() };
        if !layout.is_excused(lexed, range.start()) {
            errors.push(SyntaxError { range, message, fix: Some(fix) });
        }
    }
    let mut missing: Vec<Missing> = openings;
    missing.extend(unclosed);
    strays.append(&mut replaced);
    rebuild(lexed, &layout, missing, &strays);
    Repaired { errors, affected }
}

/// Whether brackets match, those of holes included.
fn matches(kinds: impl Iterator<Item = SyntaxKind>) -> bool {
    let mut open = Vec::new();
    for kind in kinds {
        if is_opening(kind) {
            open.push(kind);
        } else if is_closing(kind) && open.pop().map(closing) != Some(kind) {
            return false;
        }
    }
    open.is_empty()
}

/// What closes an opening bracket.
fn closing(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        SyntaxKind::L_PAREN => SyntaxKind::R_PAREN,
        SyntaxKind::L_BRACK => SyntaxKind::R_BRACK,
        SyntaxKind::L_BRACE => SyntaxKind::R_BRACE,
        SyntaxKind::HOLE_OPEN => SyntaxKind::HOLE_CLOSE,
        _ => SyntaxKind::STRING_END,
    }
}

/// Puts in the tokens that are missing, and sets those aside that close nothing.
fn rebuild(lexed: &mut Lexed, layout: &Layout, mut missing: Vec<Missing>, strays: &[usize]) {
    missing.sort_by_key(|missing| missing.before);
    let mut stray_raws: Vec<usize> = strays.iter().map(|mark| layout.marks[*mark].raw).collect();
    stray_raws.sort_unstable();
    let old = std::mem::take(&mut lexed.tokens);
    let mut tokens = Vec::with_capacity(old.len() + missing.len());
    let mut missing = missing.into_iter().peekable();
    let mut stray = stray_raws.into_iter().peekable();
    let mut holes = lexed.unclosed_holes.iter_mut().peekable();
    for (raw, mut token) in old.into_iter().enumerate() {
        while let Some(next) = missing.next_if(|missing| missing.before <= raw) {
            let end = tokens.last().map_or(0, |token: &Token| token.end);
            tokens.push(Token { kind: next.kind, end });
        }
        if let Some(hole) = holes.next_if(|hole| **hole == raw) {
            *hole = tokens.len();
        }
        if stray.next_if_eq(&raw).is_some() {
            token.kind = SyntaxKind::ERROR_TOKEN;
        }
        tokens.push(token);
    }
    for next in missing {
        let end = tokens.last().map_or(0, |token| token.end);
        tokens.push(Token { kind: next.kind, end });
    }
    lexed.replace(tokens);
}

/// An opening bracket that waits for its end.
#[derive(Debug)]
struct Open {
    /// The index of its mark.
    mark: usize,
    kind: SyntaxKind,
    /// How deep the line that it stands on is indented.
    indent: usize,
    /// Whether what follows it on lines of its own is indented more deeply.
    deeper: bool,
    /// The first token of a line that stands no deeper than this one's: there it should have ended.
    early: Option<usize>,
}

/// A token to put in.
#[derive(Debug)]
struct Missing {
    kind: SyntaxKind,
    /// The index of the token in front of which it belongs.
    before: usize,
    error: SyntaxError,
    /// Where the parser stumbles over it.
    affected: [TextRange; 2],
}

impl Repair<'_> {
    /// The `//` behind a bracket, if what closes the bracket stands in that comment, so that it rather divides.
    fn closed_in_comment(&self, behind: TextSize, sign: &str) -> Option<TextRange> {
        let rest = &self.text[usize::from(behind)..];
        let line = rest.split('\n').next().unwrap_or_default();
        let (before, comment) = line.split_once("//")?;
        let whole = before.chars().filter(|c| *c == '"').count() % 2 == 0;
        let divides = whole && !before.trim().is_empty() && !comment.starts_with('/');
        let at = behind + TextSize::of(before);
        (divides && comment.contains(sign)).then(|| TextRange::at(at, TextSize::of("//")))
    }
}

struct Repair<'a> {
    text: &'a str,
    layout: &'a Layout,
    unclosed: Vec<Missing>,
    openings: Vec<Missing>,
    /// The marks of tokens that close nothing.
    strays: Vec<usize>,
    /// The marks of tokens in whose place another one stands, which have been reported.
    replaced: Vec<usize>,
}

impl Repair<'_> {
    /// Repairs the brackets of an item.
    fn item(&mut self, item: std::ops::Range<usize>) {
        let braces = |mark: &Mark| {
            let brace = matches!(mark.kind, SyntaxKind::L_BRACE | SyntaxKind::R_BRACE);
            brace.then_some(mark.kind)
        };
        // Lines decide only which brace is wrong when one is.
        let lines = !matches(self.layout.marks[item.clone()].iter().filter_map(braces));
        let mut stack: Vec<Open> = Vec::new();
        for at in item.clone() {
            let mark = self.layout.marks[at];
            if mark.new_line && at > item.start {
                self.line_start(&mut stack, at, mark);
            }
            if let Some(top) = stack.last_mut()
                && top.mark + 1 == at
                && mark.new_line
            {
                top.deeper = mark.indent > top.indent;
            }
            if let Some(top) = stack.last_mut()
                && self.layout.ends_list(at, top.mark)
                && matches!(top.kind, SyntaxKind::L_PAREN | SyntaxKind::L_BRACK)
            {
                top.early.get_or_insert(at);
            }
            if let Some(top) = stack.last_mut()
                && top.kind == SyntaxKind::L_BRACE
                && self.layout.ends_branch(at, top.mark)
            {
                top.early.get_or_insert(at);
            }
            match mark.kind {
                kind if is_opening(kind) => {
                    let (indent, deeper) = (mark.indent, true);
                    stack.push(Open { mark: at, kind, indent, deeper, early: None });
                }
                SyntaxKind::R_PAREN | SyntaxKind::R_BRACK => self.close(&mut stack, at, mark),
                SyntaxKind::R_BRACE => {
                    self.close_brace(&mut stack, at, mark, lines, item.start);
                }
                SyntaxKind::HOLE_CLOSE | SyntaxKind::STRING_END => {
                    // The lexer has made sure that these match.
                    let opens = |open: &Open| closing(open.kind) == mark.kind;
                    if let Some(own) = stack.iter().rposition(opens) {
                        self.leave(&mut stack, own + 1, at);
                        stack.pop();
                    }
                }
                _ => {}
            }
        }
        self.leave(&mut stack, 0, item.end);
    }

    /// What the first token of a line says of the brackets that are open.
    fn line_start(&mut self, stack: &mut Vec<Open>, at: usize, mark: Mark) {
        if mark.starts_item() {
            let left_open = |open: &Open| {
                let holds_items = self.layout.holds_items(open.mark);
                open.kind != SyntaxKind::HOLE_OPEN
                    && open.indent >= mark.indent
                    && (open.deeper || !holds_items)
            };
            let inner = stack.iter().rev().take_while(|open| left_open(open)).count();
            self.leave(stack, stack.len() - inner, at);
        }
        // A list ends in front of a line that only a statement can begin with.
        if mark.starts_statement() {
            let lists = stack.iter_mut().rev().take(REACH);
            for open in lists.take_while(|open| self.layout.holds_no_statements(open.mark)) {
                open.early.get_or_insert(at);
            }
        }
        if !is_closing(mark.kind) {
            for open in stack.iter_mut().rev().take(4) {
                let first = open.mark + 1 == at;
                if open.deeper && !first && mark.indent <= open.indent {
                    open.early.get_or_insert(at);
                }
            }
        }
    }

    /// `)` or `]`.
    fn close(&mut self, stack: &mut Vec<Open>, at: usize, mark: Mark) {
        let opens = |open: &&Open| closing(open.kind) == mark.kind;
        let inner = stack.iter().rev().take(REACH);
        let same_line = |open: &Open| !self.layout.has_line_between(open.mark, at);
        // A block is not left because of a parenthesis behind it, unless all stands on one line.
        let blocks = |open: &Open| {
            open.kind == SyntaxKind::HOLE_OPEN
                || open.kind == SyntaxKind::L_BRACE && !same_line(open)
        };
        let above = inner.take_while(|open| !blocks(open)).take_while(|open| !opens(open)).count();
        let own = stack.len().checked_sub(above + 1).filter(|own| opens(&&stack[*own]));
        match own {
            Some(own) => {
                self.leave(stack, own + 1, at);
                self.matched(stack);
            }
            None if self.is_wrong_closer(stack, at) => self.wrong_closer(stack, at),
            None => self.strays.push(at),
        }
    }

    /// Whether a closing bracket that matches nothing stands in place of the right one.
    fn is_wrong_closer(&self, stack: &[Open], at: usize) -> bool {
        let Some(top) = stack.last() else { return false };
        let group = matches!(top.kind, SyntaxKind::L_PAREN | SyntaxKind::L_BRACK);
        // Not so when the right one follows on the line.
        let line = self.layout.marks[at + 1..].iter().take(REACH).take_while(|mark| !mark.new_line);
        let mut depth = 0usize;
        let mut follows = false;
        for mark in line {
            if is_opening(mark.kind) {
                depth += 1;
            } else if is_closing(mark.kind) {
                follows |= depth == 0 && mark.kind == closing(top.kind);
                depth = depth.saturating_sub(1);
            }
        }
        group && !follows && !self.layout.has_line_between(top.mark, at)
    }

    /// Takes a closing bracket for the end of the innermost group, which another one should close.
    fn wrong_closer(&mut self, stack: &mut Vec<Open>, at: usize) {
        let Some(open) = stack.pop() else { return };
        let mark = self.layout.marks[at];
        let range = self.layout.range(mark);
        let kind = closing(open.kind);
        let sign = kind.name().trim_matches('`');
        let opening = self.layout.range(self.layout.marks[open.mark]);
        let message = format!(
            "expected `{sign}`, which closes the `{}` before, found {}",
            &self.text[opening],
            mark.kind.name()
        );
        let fix = SyntaxFix { title: format!("replace by `{sign}`"), range, text: sign.to_owned() };
        let error = SyntaxError { range, message, fix: Some(fix) };
        let line = self.layout.line(mark);
        let affected = [TextRange::new(opening.start(), line.end()), range];
        self.unclosed.push(Missing { kind, before: mark.raw, error, affected });
        self.replaced.push(at);
    }

    /// `}`.
    fn close_brace(
        &mut self,
        stack: &mut Vec<Open>,
        at: usize,
        mark: Mark,
        lines: bool,
        first: usize,
    ) {
        let inside = stack.iter().rev().take(REACH);
        let mut braces = inside
            .take_while(|open| open.kind != SyntaxKind::HOLE_OPEN)
            .enumerate()
            .filter(|(_, open)| open.kind == SyntaxKind::L_BRACE)
            .map(|(above, open)| (above, open.indent));
        let nearest = braces.next();
        let own = match nearest {
            Some((_, indent)) if lines && mark.new_line && indent > mark.indent => {
                braces.find(|(_, indent)| *indent == mark.indent).or(nearest)
            }
            Some((_, indent)) if lines && mark.new_line && indent < mark.indent => None,
            // Nobody ends a block of several lines behind its last statement.
            Some((above, _)) if lines && !mark.new_line && self.is_tall(stack, above, at) => None,
            other => other,
        };
        if let Some((above, _)) = own {
            self.leave(stack, stack.len() - above, at);
            self.matched(stack);
            return;
        }
        let outer = stack.iter().rev().take(REACH).find(|open| open.kind == SyntaxKind::L_BRACE);
        let from = outer.map_or(first, |open| open.mark + 1);
        let head = if mark.new_line { self.layout.head_of_block(at, from) } else { None };
        match head {
            Some(head_end) => self.missing_opening(head_end),
            None => self.strays.push(at),
        }
    }

    /// Whether the bracket below that many others opens lines of their own.
    fn is_tall(&self, stack: &[Open], above: usize, at: usize) -> bool {
        stack.iter().rev().nth(above).is_some_and(|open| {
            self.layout.marks.get(open.mark + 1).is_some_and(|next| next.new_line)
                && self.layout.has_line_between(open.mark, at)
        })
    }

    /// Takes the innermost bracket, whose end has come.
    fn matched(&mut self, stack: &mut Vec<Open>) {
        let Some(own) = stack.pop() else { return };
        // A line inside of a pair says nothing of the brackets around the pair.
        for open in stack.iter_mut().rev().take(4) {
            open.early = open.early.filter(|early| *early <= own.mark);
        }
    }

    /// Takes the brackets from `from` on, which are never closed, at the mark `at`.
    fn leave(&mut self, stack: &mut Vec<Open>, from: usize, at: usize) {
        let mut limit = at;
        let mut missing = Vec::new();
        for open in stack.drain(from.min(stack.len())..) {
            if matches!(open.kind, SyntaxKind::HOLE_OPEN | SyntaxKind::STRING_START) {
                continue;
            }
            let mut end = open.early.unwrap_or(at);
            if open.mark < limit {
                end = end.min(limit);
            }
            limit = end;
            missing.push(self.never_closed(&open, end));
        }
        // Innermost first: the order in which they are put in.
        self.unclosed.extend(missing.into_iter().rev());
    }

    fn never_closed(&self, open: &Open, end: usize) -> Missing {
        let kind = closing(open.kind);
        let opening = self.layout.marks[open.mark];
        let range = self.layout.range(opening);
        let before = self.layout.marks[end - 1];
        let at = self.layout.range(before).end();
        let sign = kind.name().trim_matches('`');
        let ends_line = kind == SyntaxKind::R_BRACE && self.layout.has_line_between(open.mark, end);
        let text = if ends_line {
            format!("\n{}{sign}", " ".repeat(open.indent))
        } else if kind == SyntaxKind::R_BRACE {
            format!(" {sign}")
        } else {
            sign.to_owned()
        };
        let fix =
            SyntaxFix { title: format!("insert `{sign}`"), range: TextRange::empty(at), text };
        let open = &self.text[range];
        let (message, fix) = match self.closed_in_comment(range.end(), sign) {
            Some(slashes) => (
                format!("this `{open}` is never closed: `//` begins a comment, and `/` divides"),
                SyntaxFix {
                    title: "replace by `/`".to_owned(),
                    range: slashes,
                    text: "/".to_owned(),
                },
            ),
            None => (format!("this `{open}` is never closed: expected `{sign}`"), fix),
        };
        let error = SyntaxError { range, message, fix: Some(fix) };
        // A block goes on behind its first line, and its statements may have mistakes of their own.
        let inside = self.layout.line(if ends_line { opening } else { before });
        let behind = if ends_line { at } else { inside.end() };
        let start = if kind == SyntaxKind::R_BRACE {
            self.layout.end_before_line(opening)
        } else {
            range.start()
        };
        let affected =
            [TextRange::new(start, inside.end()), TextRange::new(at.min(behind), behind)];
        Missing { kind, before: before.raw + 1, error, affected }
    }

    /// Puts an opening brace in front of the token behind the mark: there its block begins.
    fn missing_opening(&mut self, head_end: usize) {
        let mark = self.layout.marks[head_end];
        let before = self.layout.marks.get(head_end + 1).map_or(mark.raw + 1, |next| next.raw);
        let range = TextRange::empty(self.layout.range(mark).end());
        let fix = SyntaxFix { title: "insert `{`".to_owned(), range, text: " {".to_owned() };
        let message = "expected `{` at the end of this line: a block stands in braces".to_owned();
        let error = SyntaxError { range, message, fix: Some(fix) };
        self.openings.push(Missing {
            kind: SyntaxKind::L_BRACE,
            before,
            error,
            affected: [range, range],
        });
    }
}
