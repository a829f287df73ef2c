//! Calls from C that a panic does not end the process for: it ends the call.
//!
//! `guard` keeps where it stands, and `leave` goes back there. Nothing that has to be released may lie between
//! them in this library: what generated code holds at a panic is lost, but for pools and residuals, which are given
//! back as a whole.

use std::cell::Cell;

use crate::{PanicKind, pool, residuals};

/// Code that takes its arguments from memory.
type Entry = unsafe extern "C" fn(*mut u64) -> u64;

thread_local! {
    /// The stack pointer of the guarded call that runs, or 0.
    static POINT: Cell<usize> = const { Cell::new(0) };
}

/// Calls `code` and puts its result at `result`. A panic in it makes the number of the trap the result of this call;
/// without one, that is 0.
///
/// # Safety
/// `code` is code for these slots, and `result` is writable.
#[unsafe(export_name = "neuro_guard")]
pub(crate) unsafe extern "C" fn guard(code: Entry, slots: *mut u64, result: *mut u64) -> i32 {
    let (outer, pools, residuals) = (POINT.get(), pool::count(), residuals::count());
    // SAFETY: the caller promises it; the point is set before the code runs.
    let trap = unsafe { machine::enter(code, slots, result, POINT.with(Cell::as_ptr)) };
    POINT.set(outer);
    if trap != 0 {
        pool::pool_exit(pools);
        residuals::drop_above(residuals);
    }
    trap
}

/// Whether a guarded call runs.
pub(crate) fn is_open() -> bool {
    POINT.get() != 0
}

/// Ends the guarded call that runs, if one does.
pub(crate) fn leave(kind: PanicKind) {
    let point = POINT.get();
    if point != 0 {
        // SAFETY: the call has not returned, so its frame is there.
        unsafe { machine::leave(point, trap(kind)) }
    }
}

/// The number of a trap.
fn trap(kind: PanicKind) -> i32 {
    kind as i32 + 1
}

/// What a number that a call from C gave stands for; it lives as long as the process.
#[unsafe(export_name = "neuro_trap_text")]
pub extern "C" fn trap_text(number: i32) -> *const std::ffi::c_char {
    let kind = PanicKind::ALL.into_iter().find(|kind| trap(*kind) == number);
    let text = match (number, kind) {
        (0, _) => c"no trap",
        (_, Some(kind)) => kind.c_text(),
        (_, None) => c"unknown trap",
    };
    text.as_ptr()
}

#[cfg(all(target_arch = "x86_64", unix))]
mod machine {
    use std::arch::naked_asm;

    use super::Entry;

    /// Keeps the registers that belong to the caller and the stack pointer, then calls the code.
    #[unsafe(naked)]
    pub(super) unsafe extern "C" fn enter(
        code: Entry,
        slots: *mut u64,
        result: *mut u64,
        point: *mut usize,
    ) -> i32 {
        naked_asm!(
            "push rbp",
            "push rbx",
            "push r12",
            "push r13",
            "push r14",
            "push r15",
            "push rdx",
            "mov [rcx], rsp",
            "mov rax, rdi",
            "mov rdi, rsi",
            "call rax",
            "pop rdx",
            "mov [rdx], rax",
            "xor eax, eax",
            "pop r15",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbx",
            "pop rbp",
            "ret",
        )
    }

    /// Returns `trap` from the [`enter`] that kept `point`.
    #[unsafe(naked)]
    pub(super) unsafe extern "C" fn leave(point: usize, trap: i32) -> ! {
        naked_asm!(
            "lea rsp, [rdi + 8]",
            "mov eax, esi",
            "pop r15",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbx",
            "pop rbp",
            "ret",
        )
    }
}

/// On other machines a panic ends the process.
#[cfg(not(all(target_arch = "x86_64", unix)))]
mod machine {
    use super::Entry;

    pub(super) unsafe fn enter(
        code: Entry,
        slots: *mut u64,
        result: *mut u64,
        _point: *mut usize,
    ) -> i32 {
        // SAFETY: the caller promises it.
        unsafe { result.write(code(slots)) };
        0
    }

    pub(super) unsafe fn leave(_point: usize, _trap: i32) {}
}
