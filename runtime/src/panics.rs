//! Panics: one line on standard error, then abort.
//!
//! Generated code names the place of a panic by a unit (one compiled function) and a site in it. The table
//! that turns them into positions is set before the run, so that code does not change when only positions do.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::output;

/// What went wrong, by the number that generated code passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum PanicKind {
    /// An integer result that does not fit, in checked code.
    Overflow,
    /// A shift amount outside the width, in checked code.
    Shift,
    /// An integer division by zero.
    DivisionByZero,
    /// An integer remainder by zero.
    RemainderByZero,
    /// A tensor position outside its axis.
    Index,
    /// An array position outside the array.
    ArrayIndex,
    /// A part of a text that lies outside of it.
    TextSlice,
    /// A part of a text that cuts a character in two.
    TextSplit,
    /// A part of a text, counted in characters, that lies outside of it.
    CharSlice,
    /// `.grad()` of a tensor without a gradient.
    EmptyGradient,
    /// A range whose step is not positive.
    RangeStep,
    /// `assert(..)` of what is false.
    Assert,
    /// `unreachable()`.
    Unreachable,
    /// `panic(..)`, with a message of its own.
    Message,
}

impl PanicKind {
    /// Every kind, in declaration order.
    pub const ALL: [PanicKind; 14] = [
        PanicKind::Overflow,
        PanicKind::Shift,
        PanicKind::DivisionByZero,
        PanicKind::RemainderByZero,
        PanicKind::Index,
        PanicKind::ArrayIndex,
        PanicKind::TextSlice,
        PanicKind::TextSplit,
        PanicKind::CharSlice,
        PanicKind::EmptyGradient,
        PanicKind::RangeStep,
        PanicKind::Assert,
        PanicKind::Unreachable,
        PanicKind::Message,
    ];

    /// The line before ` at `, but for a message.
    fn text(self) -> &'static str {
        match self {
            PanicKind::Overflow => "panic: integer overflow",
            PanicKind::Shift => "panic: shift overflow",
            PanicKind::DivisionByZero => "panic: division by zero",
            PanicKind::RemainderByZero => "panic: remainder by zero",
            PanicKind::Index => "panic: tensor index out of bounds",
            PanicKind::ArrayIndex => "panic: array index out of bounds",
            PanicKind::TextSlice => "panic: string slice out of bounds",
            PanicKind::TextSplit => "panic: string slice splits a UTF-8 code point",
            PanicKind::CharSlice => "panic: string char slice out of bounds",
            PanicKind::EmptyGradient => "panic: empty gradient slot",
            PanicKind::RangeStep => "panic: range step must be positive",
            PanicKind::Assert => "assertion failed",
            PanicKind::Unreachable => "internal error: entered unreachable code",
            PanicKind::Message => "panic",
        }
    }
}

/// A position in a program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The file, as it is shown.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

thread_local! {
    static SITES: RefCell<HashMap<u64, Arc<[Site]>>> = RefCell::default();
}

/// Sets the positions of every unit that the next run may reach, by the number of the unit.
pub fn set_sites(sites: HashMap<u64, Arc<[Site]>>) {
    SITES.with(|table| *table.borrow_mut() = sites);
}

/// ` at file:line:column`, or nothing when the table does not know the place.
fn at(unit: u64, site: u32) -> String {
    SITES.with(|table| {
        let table = table.borrow();
        match table.get(&unit).and_then(|sites| sites.get(site as usize)) {
            Some(Site { file, line, column }) => format!(" at {file}:{line}:{column}"),
            None => String::new(),
        }
    })
}

/// Ends the process with a line on standard error, after what was printed so far.
pub fn end(line: &str) -> ! {
    output::flush();
    output::write_error(line);
    // SAFETY: `abort` has no preconditions.
    unsafe { libc::abort() }
}

pub(crate) extern "C" fn panic(kind: u32, unit: u64, site: u32) -> ! {
    let kind = PanicKind::ALL.get(kind as usize).copied().unwrap_or(PanicKind::Message);
    end(&format!("{}{}\n", kind.text(), at(unit, site)))
}

/// Ends the process with the message that was collected since [`output::begin_message`].
pub(crate) extern "C" fn panic_message(unit: u64, site: u32) -> ! {
    let message = output::end_message();
    end(&format!("panic: {}{}\n", String::from_utf8_lossy(&message), at(unit, site)))
}

/// Ends the process because the system gives no more memory.
pub(crate) fn out_of_memory() -> ! {
    end("panic: out of memory\n")
}
