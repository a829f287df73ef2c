//! Faults of a running program: a stack that overflows, a wild access, an illegal instruction. Each gets a
//! message; then the process dies by the signal that fits.

use std::cell::Cell;
use std::ffi::c_void;
use std::mem::{MaybeUninit, zeroed};

use crate::output;

/// Bytes of the stack on which handlers run.
const HANDLER_STACK: usize = 64 << 10;

/// How far below the end of the stack an access still counts as an overflow: the gap that the system keeps
/// free there, and the largest frame of generated code.
const GAP: usize = 1 << 20;

thread_local! {
    /// The lowest address of this thread's stack, or 0 when it is not known.
    static STACK_END: Cell<usize> = const { Cell::new(0) };
}

/// Installs the handlers for this thread, and the stack that they run on. A process that runs a program
/// calls it on the program's thread, before the run.
pub fn install() {
    STACK_END.set(stack_end());
    let stack: &'static mut [u8] = Vec::leak(vec![0; HANDLER_STACK]);
    // SAFETY: the stack lives as long as the process, and the handler keeps to what a handler may do.
    unsafe {
        let mut alternate: libc::stack_t = zeroed();
        alternate.ss_sp = stack.as_mut_ptr().cast();
        alternate.ss_size = stack.len();
        libc::sigaltstack(&alternate, std::ptr::null_mut());
        let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void) = handle;
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = handler as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
        libc::sigemptyset(&mut action.sa_mask);
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE] {
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Takes back the stack that [`install`] gave this thread's handlers, before the thread ends.
pub fn remove() {
    // SAFETY: the system gives back the description of the stack that `install` leaked, and uses it no more.
    unsafe {
        let (mut none, mut known): (libc::stack_t, libc::stack_t) = (zeroed(), zeroed());
        none.ss_flags = libc::SS_DISABLE;
        let done = libc::sigaltstack(&none, &mut known) == 0;
        if done && !known.ss_sp.is_null() && known.ss_size == HANDLER_STACK {
            drop(Vec::from_raw_parts(known.ss_sp.cast::<u8>(), 0, HANDLER_STACK));
        }
    }
}

#[cfg(target_os = "linux")]
fn stack_end() -> usize {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut address, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call when it succeeds, and destroyed after use.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return 0;
        }
        libc::pthread_attr_getstack(attributes.as_ptr(), &mut address, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
    }
    address as usize
}

#[cfg(target_os = "macos")]
fn stack_end() -> usize {
    // SAFETY: both calls only read facts of the current thread.
    unsafe {
        let thread = libc::pthread_self();
        let top = libc::pthread_get_stackaddr_np(thread) as usize;
        top.saturating_sub(libc::pthread_get_stacksize_np(thread))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn stack_end() -> usize {
    0
}

/// Writes what is printed so far and one line, then dies: an overflow by `abort` as every panic does, any
/// other fault by its own signal, whose default action is restored already.
extern "C" fn handle(signal: i32, info: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: the system passes a valid description.
    let address = unsafe { (*info).si_addr() } as usize;
    let end = STACK_END.get();
    let near_end = address >= end.saturating_sub(GAP) && address < end.saturating_add(GAP);
    let overflow = end != 0 && near_end && (signal == libc::SIGSEGV || signal == libc::SIGBUS);
    output::flush();
    output::write_error(match signal {
        _ if overflow => "panic: stack overflow\n",
        libc::SIGSEGV | libc::SIGBUS => "internal error: invalid memory access\n",
        libc::SIGILL => "internal error: illegal instruction\n",
        _ => "internal error: arithmetic fault\n",
    });
    // SAFETY: both calls are allowed in a handler.
    unsafe {
        if overflow {
            libc::abort();
        }
        libc::raise(signal);
    }
}
