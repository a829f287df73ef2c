//! Texts: `string`, and `StringBuilder`, which is a text that grows.
//!
//! A text lies in two words, the address of its bytes and their number. Right before the bytes of an owned text is
//! a header that says whose memory they are, so a literal is owned by nobody and costs nothing. The address 0 is
//! no text, and the empty one. A view of a text is two such words that may begin anywhere: nobody looks for a
//! header there.

use std::alloc::Layout;

use crate::block::{born, died};
use crate::memory::{alloc, dealloc};
use crate::panics::PanicKind;
use crate::{output, panics, pool};

/// Bytes in front of those of an owned text.
pub const TEXT_HEADER: usize = size_of::<Header>();

/// The number that stands for no pool.
pub const NO_POOL: u64 = u64::MAX;

/// What lies right before the bytes of an owned text.
#[repr(C)]
struct Header {
    /// How many bytes there is room for.
    room: u64,
    memory: Memory,
}

/// Whose memory a text is.
#[repr(u64)]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// Constant data of the program.
    Constant,
    Heap,
    Pool,
}

/// A place of a text, or of a view of one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    start: *mut u8,
    length: u64,
}

impl Text {
    const NOTHING: Text = Text { start: std::ptr::null_mut(), length: 0 };

    /// A view of bytes.
    #[cfg(test)]
    pub(crate) fn view(start: *mut u8, length: u64) -> Self {
        Self { start, length }
    }

    #[cfg(test)]
    pub(crate) fn start(self) -> *mut u8 {
        self.start
    }

    #[cfg(test)]
    pub(crate) fn length(self) -> u64 {
        self.length
    }
}

/// The data of a constant text: its header and its bytes.
pub fn constant(text: &str) -> Vec<u8> {
    let mut data = Vec::with_capacity(TEXT_HEADER + text.len());
    data.extend((text.len() as u64).to_ne_bytes());
    data.extend((Memory::Constant as u64).to_ne_bytes());
    data.extend(text.as_bytes());
    data
}

/// The bytes of a text; the address of an empty one may be 0.
///
/// # Safety
/// Unless `length` is 0, it is the number of readable bytes at `start`, which live as long as the result.
pub(crate) unsafe fn bytes<'a>(start: *const u8, length: u64) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller promises it.
    unsafe { std::slice::from_raw_parts(start, length as usize) }
}

/// # Safety
/// `start` is the address of an owned text.
unsafe fn header(start: *mut u8) -> *mut Header {
    // SAFETY: a header precedes the bytes.
    unsafe { start.sub(TEXT_HEADER).cast() }
}

fn layout(room: u64) -> Layout {
    let size = usize::try_from(room).ok().and_then(|room| room.checked_add(TEXT_HEADER));
    let layout = size.and_then(|size| Layout::from_size_align(size, align_of::<Header>()).ok());
    layout.unwrap_or_else(|| panics::out_of_memory())
}

/// Room for a text, in an open pool or on the heap.
fn allocate(pool: u64, room: u64) -> *mut u8 {
    let layout = layout(room);
    let (address, memory) = if pool == NO_POOL {
        // SAFETY: the layout has the size of a header at least.
        (unsafe { alloc(layout) }, Memory::Heap)
    } else {
        (pool::allocate(pool, layout.size()), Memory::Pool)
    };
    if address.is_null() {
        panics::out_of_memory();
    }
    born();
    // SAFETY: the memory has room for a header and begins where one may lie; bytes follow it.
    unsafe {
        address.cast::<Header>().write(Header { room, memory });
        address.add(TEXT_HEADER)
    }
}

/// # Safety
/// As for [`text_join`].
unsafe fn pieces<'a>(pieces: *const Text, count: u64) -> impl Iterator<Item = &'a [u8]> + Clone {
    let all = if count == 0 {
        &[]
    } else {
        // SAFETY: the caller promises it.
        unsafe { std::slice::from_raw_parts(pieces, count as usize) }
    };
    // SAFETY: the same.
    all.iter().map(|piece| unsafe { bytes(piece.start, piece.length) })
}

fn total<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> u64 {
    let sum = pieces.map(|piece| piece.len() as u64).try_fold(0, u64::checked_add);
    sum.unwrap_or_else(|| panics::out_of_memory())
}

/// Copies pieces to `to`, one behind the other.
///
/// # Safety
/// There is room for all of them, which none of them lies in.
unsafe fn fill<'a>(mut to: *mut u8, pieces: impl Iterator<Item = &'a [u8]>) {
    for piece in pieces {
        // SAFETY: the caller promises it.
        unsafe {
            to.copy_from_nonoverlapping(piece.as_ptr(), piece.len());
            to = to.add(piece.len());
        }
    }
}

fn joined<'a>(pool: u64, pieces: impl Iterator<Item = &'a [u8]> + Clone) -> Text {
    let length = total(pieces.clone());
    if length == 0 {
        return Text::NOTHING;
    }
    let start = allocate(pool, length);
    // SAFETY: the room is new, and as large as all pieces.
    unsafe { fill(start, pieces) };
    Text { start, length }
}

/// Puts pieces at the end of a text. Its memory grows by factors, so that many appends cost as much as what they append.
///
/// # Safety
/// `place` holds an owned text; the pieces may be parts of it.
unsafe fn append<'a>(pool: u64, place: *mut Text, pieces: impl Iterator<Item = &'a [u8]> + Clone) {
    let more = total(pieces.clone());
    if more == 0 {
        return;
    }
    // SAFETY: the place is that of an owned text, before whose bytes a header lies.
    unsafe {
        let Text { start, length } = *place;
        let needed = length.checked_add(more).unwrap_or_else(|| panics::out_of_memory());
        let room = match start.is_null() {
            true => 0,
            false => match (*header(start)).memory {
                Memory::Constant => 0,
                Memory::Heap | Memory::Pool => (*header(start)).room,
            },
        };
        if needed <= room {
            // Pieces of the text itself lie before its end.
            fill(start.add(length as usize), pieces);
            (*place).length = needed;
            return;
        }
        let grown = allocate(pool, needed.max(room.saturating_mul(2)).max(32));
        let before = std::iter::once(bytes(start, length));
        fill(grown, before.chain(pieces));
        text_drop(start);
        *place = Text { start: grown, length: needed };
    }
}

/// Puts a new text of pieces in a place.
///
/// # Safety
/// `place` is writable and holds nothing; there are `count` live texts or views at `all`.
#[unsafe(export_name = "neuro_text_join")]
pub(crate) unsafe extern "C" fn text_join(
    pool: u64,
    place: *mut Text,
    all: *const Text,
    count: u64,
) {
    // SAFETY: the caller promises it.
    unsafe { place.write(joined(pool, pieces(all, count))) }
}

/// Puts pieces at the end of the text in a place.
///
/// # Safety
/// `place` holds an owned text or nothing; there are `count` live texts or views at `all`.
#[unsafe(export_name = "neuro_text_append")]
pub(crate) unsafe extern "C" fn text_append(
    pool: u64,
    place: *mut Text,
    all: *const Text,
    count: u64,
) {
    // SAFETY: the caller promises it.
    unsafe { append(pool, place, pieces(all, count)) }
}

/// Puts what was collected since [`output::begin_message`] in a place, as a new text.
///
/// # Safety
/// `place` is writable and holds nothing.
#[unsafe(export_name = "neuro_text_collect")]
pub(crate) unsafe extern "C" fn text_collect(pool: u64, place: *mut Text) {
    let collected = output::end_message();
    // SAFETY: the caller promises it.
    unsafe { place.write(joined(pool, std::iter::once(&collected[..]))) }
    output::reuse(collected);
}

/// Puts what was collected since [`output::begin_message`] at the end of the text in a place.
///
/// # Safety
/// `place` holds an owned text or nothing.
#[unsafe(export_name = "neuro_text_collect_append")]
pub(crate) unsafe extern "C" fn text_collect_append(pool: u64, place: *mut Text) {
    let collected = output::end_message();
    // SAFETY: the caller promises it.
    unsafe { append(pool, place, std::iter::once(&collected[..])) }
    output::reuse(collected);
}

/// The bytes of the text in a place.
///
/// # Safety
/// `text` holds a live text or a view, or nothing.
pub(crate) unsafe fn view<'a>(text: *const Text) -> &'a [u8] {
    // SAFETY: the caller promises it.
    unsafe { bytes((*text).start, (*text).length) }
}

/// A copy of the text in a place, on the heap.
///
/// # Safety
/// As for [`view`].
pub(crate) unsafe fn copied(text: *const Text) -> Text {
    // SAFETY: the caller promises it.
    joined(NO_POOL, std::iter::once(unsafe { view(text) }))
}

/// Releases the text in a place, which is not used afterwards.
///
/// # Safety
/// `text` holds an owned text or nothing.
pub(crate) unsafe fn dropped(text: *mut Text) {
    // SAFETY: the caller promises it.
    unsafe { text_drop((*text).start) }
}

/// Releases a text.
///
/// # Safety
/// `start` is 0 or the address of an owned text, which is not used afterwards.
#[unsafe(export_name = "neuro_text_drop")]
pub(crate) unsafe extern "C" fn text_drop(start: *mut u8) {
    if start.is_null() {
        return;
    }
    // SAFETY: a header precedes the bytes of an owned text; heap memory was allocated with this layout.
    unsafe {
        let header = header(start);
        match (*header).memory {
            Memory::Constant => {}
            Memory::Pool => died(),
            Memory::Heap => {
                dealloc(header.cast(), layout((*header).room));
                died();
            }
        }
    }
}

/// Makes the text in a place heap memory if it is a pool's, so that it may outlive the pool.
///
/// # Safety
/// `place` holds an owned text or nothing.
#[unsafe(export_name = "neuro_text_to_heap")]
pub(crate) unsafe extern "C" fn text_to_heap(place: *mut Text) {
    // SAFETY: a header precedes the bytes of an owned text.
    unsafe {
        let Text { start, length } = *place;
        if !start.is_null() && (*header(start)).memory == Memory::Pool {
            *place = joined(NO_POOL, std::iter::once(bytes(start, length)));
            text_drop(start);
        }
    }
}

/// Whether two texts have the same bytes.
///
/// # Safety
/// Both are live.
#[unsafe(export_name = "neuro_text_equal")]
pub(crate) unsafe extern "C" fn text_equal(
    left: *const u8,
    left_length: u64,
    right: *const u8,
    right_length: u64,
) -> u8 {
    // SAFETY: the caller promises it.
    u8::from(unsafe { bytes(left, left_length) == bytes(right, right_length) })
}

/// A number that equal texts have in common.
///
/// # Safety
/// The text is live.
#[unsafe(export_name = "neuro_text_hash")]
pub(crate) unsafe extern "C" fn text_hash(start: *const u8, length: u64) -> u64 {
    // SAFETY: the caller promises it.
    neuro_num::hash(unsafe { bytes(start, length) })
}

/// The end is part of the range.
pub const SLICE_INCLUSIVE: u64 = 1;
/// The positions are those of characters.
pub const SLICE_CHARACTERS: u64 = 2;

/// Puts a part of the text in one place in another, as a view. Panics when there is no such part.
///
/// # Safety
/// `view` holds a live text or a view, `to` is writable; `unit` and `site` are as for [`panics::panic`].
#[unsafe(export_name = "neuro_text_slice")]
pub(crate) unsafe extern "C" fn text_slice(
    view: *const Text,
    to: *mut Text,
    start: u64,
    end: u64,
    bits: u64,
    unit: u64,
    site: u32,
) {
    // SAFETY: the caller promises it.
    let text = unsafe { bytes((*view).start, (*view).length) };
    let end = if bits & SLICE_INCLUSIVE == 0 { Some(end) } else { end.checked_add(1) };
    let range = end.map(|end| start..end).filter(|range| range.start <= range.end);
    let range = range.and_then(|range| match bits & SLICE_CHARACTERS {
        0 => usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok()),
        _ => characters(text, range.start, range.end),
    });
    let Some((first, last)) = range.filter(|(_, last)| *last <= text.len()) else {
        let kind = match bits & SLICE_CHARACTERS {
            0 => PanicKind::TextSlice,
            _ => PanicKind::CharSlice,
        };
        // SAFETY: the caller promises that the place is known.
        unsafe { panics::panic(kind as u32, unit, site) }
    };
    let splits = |at: usize| text.get(at).is_some_and(|byte| is_continuation(*byte));
    if splits(first) || splits(last) {
        // SAFETY: the caller promises that the place is known.
        unsafe { panics::panic(PanicKind::TextSplit as u32, unit, site) };
    }
    let start = text.as_ptr().wrapping_add(first).cast_mut();
    // SAFETY: the caller promises it.
    unsafe { to.write(Text { start, length: (last - first) as u64 }) }
}

/// Whether a byte goes on with a character that an earlier one began.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Where the characters from one position up to another lie, if there are so many.
fn characters(text: &[u8], start: u64, end: u64) -> Option<(usize, usize)> {
    let first = after(text, start)?;
    let length = after(text.get(first..)?, end - start)?;
    Some((first, first + length))
}

/// The number of bytes of the first `count` characters.
fn after(text: &[u8], count: u64) -> Option<usize> {
    let begins = text.iter().enumerate().filter(|(_, byte)| !is_continuation(**byte));
    let ends = begins.map(|(at, _)| at).chain([text.len()]);
    ends.enumerate().find(|(before, _)| *before as u64 == count).map(|(_, at)| at)
}

/// The code point of no character.
pub const NO_CHARACTER: u32 = u32::MAX;

/// Takes the first character off a view; [`NO_CHARACTER`] when nothing is left.
///
/// # Safety
/// `view` holds a view of a live text, which is UTF-8 and begins with a whole character.
#[unsafe(export_name = "neuro_text_next")]
pub(crate) unsafe extern "C" fn text_next(view: *mut Text) -> u32 {
    // SAFETY: the caller promises it.
    let text = unsafe { bytes((*view).start, (*view).length) };
    // SAFETY: texts are UTF-8, and views begin and end between characters.
    let first = unsafe { std::str::from_utf8_unchecked(text) }.chars().next();
    let Some(first) = first else { return NO_CHARACTER };
    // SAFETY: the character is so long.
    unsafe {
        (*view).start = (*view).start.add(first.len_utf8());
        (*view).length -= first.len_utf8() as u64;
    }
    u32::from(first)
}
