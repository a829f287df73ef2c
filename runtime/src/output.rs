//! Standard output: buffered by pages, flushed when a page is full, at the end, before a panic, and after
//! each `println` when somebody is watching. Also the text of values in holes, whether it is printed, part of
//! a message or of a text that is being built.

use std::cell::{Cell, RefCell};
use std::fmt;

use neuro_num::{Align, DType, FormatKind, FormatSpec, Scalar};

use crate::text::bytes;

/// Bytes of the buffer.
const PAGE: usize = 4096;

/// The buffer of a thread. Plain data, so that the handler of a fault can write it out.
struct Buffer {
    bytes: [u8; PAGE],
    used: usize,
}

thread_local! {
    static BUFFER: RefCell<Buffer> =
        const { RefCell::new(Buffer { bytes: [0; PAGE], used: 0 }) };
    static INTERACTIVE: Cell<bool> = const { Cell::new(false) };
    /// Where text goes instead of the buffer: a text or the message of a panic under construction, or a capture.
    static COLLECTORS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    /// An empty collector with room for the next text.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// A collector with more room than this is not kept.
const SPARE_ROOM: usize = 1 << 16;

/// Decides whether each `println` is flushed: as told, else when standard output is a terminal.
pub fn set_interactive(interactive: Option<bool>) {
    // SAFETY: `isatty` only looks at the descriptor.
    let terminal = || unsafe { libc::isatty(libc::STDOUT_FILENO) == 1 };
    INTERACTIVE.set(interactive.unwrap_or_else(terminal));
}

/// Writes out what is buffered. Does nothing while the buffer is in use, as in the handler of a fault.
pub fn flush() {
    BUFFER.with(|buffer| {
        if let Ok(mut buffer) = buffer.try_borrow_mut() {
            let used = std::mem::take(&mut buffer.used);
            write_all(libc::STDOUT_FILENO, &buffer.bytes[..used]);
        }
    });
}

/// [`flush`] for generated code.
#[unsafe(export_name = "neuro_flush")]
pub(crate) extern "C" fn flush_all() {
    flush();
}

/// Writes to standard error, unbuffered.
pub(crate) fn write_error(text: &str) {
    write_all(libc::STDERR_FILENO, text.as_bytes());
}

/// Runs `program` and gives what it printed; nothing of it reaches standard output.
pub fn capture<R>(program: impl FnOnce() -> R) -> (R, Vec<u8>) {
    begin_message();
    let result = program();
    (result, end_message())
}

/// From here on text is collected instead of printed.
#[unsafe(export_name = "neuro_begin_message")]
pub(crate) extern "C" fn begin_message() {
    COLLECTORS.with(|collectors| collectors.borrow_mut().push(SPARE.take()));
}

/// Gives a collector back that [`end_message`] gave.
pub(crate) fn reuse(mut collector: Vec<u8>) {
    if collector.capacity() <= SPARE_ROOM {
        collector.clear();
        SPARE.set(collector);
    }
}

/// What was collected since the last [`begin_message`].
pub(crate) fn end_message() -> Vec<u8> {
    COLLECTORS.with(|collectors| collectors.borrow_mut().pop()).unwrap_or_default()
}

/// Prints bytes.
pub(crate) fn print(bytes: &[u8]) {
    let collected = COLLECTORS.with(|collectors| {
        let mut collectors = collectors.borrow_mut();
        collectors.last_mut().map(|message| message.extend_from_slice(bytes)).is_some()
    });
    if collected {
        return;
    }
    BUFFER.with(|buffer| {
        let mut buffer = buffer.borrow_mut();
        let mut rest = bytes;
        while !rest.is_empty() {
            let used = buffer.used;
            let (now, later) = rest.split_at(rest.len().min(PAGE - used));
            buffer.bytes[used..used + now.len()].copy_from_slice(now);
            buffer.used += now.len();
            rest = later;
            if buffer.used == PAGE {
                buffer.used = 0;
                write_all(libc::STDOUT_FILENO, &buffer.bytes);
            }
        }
    });
}

/// Writes everything, or gives up: a closed pipe is no reason to end the program in another way.
fn write_all(descriptor: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the pointer and the length are those of a live slice.
        let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => bytes = &bytes[written.min(bytes.len())..],
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

/// A format spec as two numbers: which parts it has, and width and precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedSpec {
    /// Alignment, kind and flags.
    pub flags: u32,
    /// The width in the upper half, the precision in the lower.
    pub numbers: u64,
}

const PLUS: u32 = 1 << 8;
const ZERO: u32 = 1 << 9;
const HAS_WIDTH: u32 = 1 << 10;
const HAS_PRECISION: u32 = 1 << 11;

impl PackedSpec {
    /// The numbers of a spec.
    pub fn pack(spec: &FormatSpec) -> Self {
        let align = match spec.align {
            None => 0,
            Some(Align::Left) => 1,
            Some(Align::Right) => 2,
            Some(Align::Center) => 3,
        };
        let kind = match spec.kind {
            None => 0,
            Some(FormatKind::Debug) => 1,
            Some(FormatKind::Exponent) => 2,
            Some(FormatKind::Decimal) => 3,
            Some(FormatKind::LowerHex) => 4,
            Some(FormatKind::UpperHex) => 5,
            Some(FormatKind::Binary) => 6,
            Some(FormatKind::Octal) => 7,
        };
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        let flags = align
            | kind << 2
            | flag(spec.plus, PLUS)
            | flag(spec.zero, ZERO)
            | flag(spec.width.is_some(), HAS_WIDTH)
            | flag(spec.precision.is_some(), HAS_PRECISION);
        let width = u64::from(spec.width.unwrap_or(0));
        Self { flags, numbers: width << 32 | u64::from(spec.precision.unwrap_or(0)) }
    }

    /// The spec of the numbers.
    pub fn unpack(self) -> FormatSpec {
        let has = |bit: u32| self.flags & bit != 0;
        FormatSpec {
            align: match self.flags & 3 {
                1 => Some(Align::Left),
                2 => Some(Align::Right),
                3 => Some(Align::Center),
                _ => None,
            },
            plus: has(PLUS),
            zero: has(ZERO),
            width: has(HAS_WIDTH).then_some((self.numbers >> 32) as u32),
            precision: has(HAS_PRECISION).then_some(self.numbers as u32),
            kind: match self.flags >> 2 & 7 {
                1 => Some(FormatKind::Debug),
                2 => Some(FormatKind::Exponent),
                3 => Some(FormatKind::Decimal),
                4 => Some(FormatKind::LowerHex),
                5 => Some(FormatKind::UpperHex),
                6 => Some(FormatKind::Binary),
                7 => Some(FormatKind::Octal),
                _ => None,
            },
        }
    }
}

/// The number of an element type in calls from generated code: its position in [`DType::ALL`].
pub fn dtype_number(dtype: DType) -> u32 {
    DType::ALL.iter().position(|other| *other == dtype).unwrap_or(0) as u32
}

/// What formatted text is written to.
struct Printer;

impl fmt::Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print(text.as_bytes());
        Ok(())
    }
}

/// Prints in a field. The printer takes everything, so nothing can fail.
fn formatted(write: impl FnOnce(&mut Printer) -> fmt::Result) {
    let _ = write(&mut Printer);
}

/// # Safety
/// `text` points to `length` readable bytes.
#[unsafe(export_name = "neuro_print_text")]
pub(crate) unsafe extern "C" fn print_text(text: *const u8, length: u64) {
    // SAFETY: the caller promises it.
    print(unsafe { bytes(text, length) });
}

/// # Safety
/// `text` points to `length` readable bytes.
#[unsafe(export_name = "neuro_print_text_in_field")]
pub(crate) unsafe extern "C" fn print_text_in_field(
    text: *const u8,
    length: u64,
    flags: u32,
    numbers: u64,
) {
    let spec = PackedSpec { flags, numbers }.unpack();
    // SAFETY: the caller promises it.
    let text = String::from_utf8_lossy(unsafe { bytes(text, length) });
    formatted(|out| spec.write_text(out, &text));
}

#[unsafe(export_name = "neuro_print_scalar")]
pub(crate) extern "C" fn print_scalar(dtype: u32, bits: u64, flags: u32, numbers: u64) {
    let dtype = DType::ALL.get(dtype as usize).copied().unwrap_or(DType::U64);
    let spec = PackedSpec { flags, numbers }.unpack();
    formatted(|out| spec.write_number(out, Scalar::from_bits(dtype, bits)));
}

#[unsafe(export_name = "neuro_print_char")]
pub(crate) extern "C" fn print_char(code: u32, flags: u32, numbers: u64) {
    let spec = PackedSpec { flags, numbers }.unpack();
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    formatted(|out| spec.write_char(out, character));
}

#[unsafe(export_name = "neuro_print_newline")]
pub(crate) extern "C" fn print_newline() {
    print(b"\n");
    if INTERACTIVE.get() {
        flush();
    }
}
