//! Panics: one line on standard error, then abort.
//!
//! Generated code names the place of a panic by a unit (one compiled function) and a site in it. A unit of code in
//! this process is a number, and the table that turns both into positions is set before the run, so that code does
//! not change when only positions do. A unit of an object file is the address of its positions there.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::Arc;

use crate::{guard, output};

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
    /// A position outside a slice.
    SliceIndex,
    /// A range of positions that a row does not have.
    SliceRange,
    /// A position outside a vector.
    VecIndex,
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
    pub const ALL: [PanicKind; 17] = [
        PanicKind::Overflow,
        PanicKind::Shift,
        PanicKind::DivisionByZero,
        PanicKind::RemainderByZero,
        PanicKind::Index,
        PanicKind::ArrayIndex,
        PanicKind::TextSlice,
        PanicKind::TextSplit,
        PanicKind::CharSlice,
        PanicKind::SliceIndex,
        PanicKind::SliceRange,
        PanicKind::VecIndex,
        PanicKind::EmptyGradient,
        PanicKind::RangeStep,
        PanicKind::Assert,
        PanicKind::Unreachable,
        PanicKind::Message,
    ];

    /// The line before ` at `, but for a message.
    pub(crate) fn c_text(self) -> &'static CStr {
        match self {
            PanicKind::Overflow => c"panic: integer overflow",
            PanicKind::Shift => c"panic: shift overflow",
            PanicKind::DivisionByZero => c"panic: division by zero",
            PanicKind::RemainderByZero => c"panic: remainder by zero",
            PanicKind::Index => c"panic: tensor index out of bounds",
            PanicKind::ArrayIndex => c"panic: array index out of bounds",
            PanicKind::TextSlice => c"panic: string slice out of bounds",
            PanicKind::TextSplit => c"panic: string slice splits a UTF-8 code point",
            PanicKind::CharSlice => c"panic: string char slice out of bounds",
            PanicKind::SliceIndex => c"panic: slice index out of bounds",
            PanicKind::SliceRange => c"panic: slice range out of bounds",
            PanicKind::VecIndex => c"panic: Vec index out of bounds",
            PanicKind::EmptyGradient => c"panic: empty gradient slot",
            PanicKind::RangeStep => c"panic: range step must be positive",
            PanicKind::Assert => c"assertion failed",
            PanicKind::Unreachable => c"internal error: entered unreachable code",
            PanicKind::Message => c"panic",
        }
    }

    /// The same.
    fn text(self) -> &'static str {
        self.c_text().to_str().unwrap_or_default()
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

/// A position in the data of an object file, where a unit is an array of them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StaticSite {
    /// The first byte of the file's name.
    pub file: *const u8,
    /// Bytes of the name.
    pub file_length: u64,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

thread_local! {
    /// The positions of the code in this process; none in a program that was built as an executable.
    static SITES: RefCell<Option<HashMap<u64, Arc<[Site]>>>> = const { RefCell::new(None) };
}

/// Sets the positions of every unit that the next run may reach, by the number of the unit.
pub fn set_sites(sites: HashMap<u64, Arc<[Site]>>) {
    SITES.with(|table| *table.borrow_mut() = Some(sites));
}

/// ` at file:line:column`, or nothing when the table does not know the place.
///
/// # Safety
/// Without a table, `unit` is the address of an array of [`StaticSite`] that has more than `site` of them.
unsafe fn at(unit: u64, site: u32) -> String {
    SITES.with(|table| match &*table.borrow() {
        Some(table) => match table.get(&unit).and_then(|sites| sites.get(site as usize)) {
            Some(Site { file, line, column }) => format!(" at {file}:{line}:{column}"),
            None => String::new(),
        },
        None => {
            // SAFETY: the caller promises it; the name is valid for as long as the array.
            let (StaticSite { line, column, .. }, file) = unsafe {
                let site = *(unit as *const StaticSite).add(site as usize);
                (site, std::slice::from_raw_parts(site.file, site.file_length as usize))
            };
            format!(" at {}:{line}:{column}", String::from_utf8_lossy(file))
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

/// # Safety
/// `unit` is a number of the table, or of an object file the address of an array that has `site`.
#[unsafe(export_name = "neuro_panic")]
pub(crate) unsafe extern "C" fn panic(kind: u32, unit: u64, site: u32) -> ! {
    let kind = PanicKind::ALL.get(kind as usize).copied().unwrap_or(PanicKind::Message);
    guard::leave(kind);
    // SAFETY: the caller promises it.
    let at = unsafe { at(unit, site) };
    end(&format!("{}{at}\n", kind.text()))
}

/// Ends the process with the message that was collected since [`output::begin_message`].
///
/// # Safety
/// As for [`panic`].
#[unsafe(export_name = "neuro_panic_message")]
pub(crate) unsafe extern "C" fn panic_message(unit: u64, site: u32) -> ! {
    if guard::is_open() {
        drop(output::end_message());
        guard::leave(PanicKind::Message);
    }
    let message = output::end_message();
    // SAFETY: the caller promises it.
    let at = unsafe { at(unit, site) };
    end(&format!("panic: {}{at}\n", String::from_utf8_lossy(&message)))
}

/// Ends the process because the system gives no more memory.
pub(crate) fn out_of_memory() -> ! {
    end("panic: out of memory\n")
}
