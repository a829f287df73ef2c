//! The system calls of the worker: forking, limits, waiting, redirecting. The only unsafe code of the crate.

#![expect(unsafe_code, reason = "system calls that the standard library does not offer")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitStatus;
use std::time::Duration;

/// The status of a child whose own code, not the program's, panicked.
const CHILD_PANICKED: i32 = 101;

/// A child process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pid(libc::pid_t);

/// Forks; the child runs `child`, ends with the status that it gives, and runs nothing else of this
/// process: no destructor, no exit handler.
///
/// The worker has one thread that works, so the child is a whole copy of it and may allocate and lock as usual.
pub(crate) fn fork(child: impl FnOnce() -> i32) -> io::Result<Pid> {
    // SAFETY: the only other thread waits for this one and holds no lock, so none is held by a thread that the child lacks.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            let status = catch_unwind(AssertUnwindSafe(child)).unwrap_or(CHILD_PANICKED);
            // SAFETY: ends the process at once, whatever its state.
            unsafe { libc::_exit(status) }
        }
        pid => Ok(Pid(pid)),
    }
}

/// Waits for the end of a child.
pub(crate) fn wait(Pid(pid): Pid) -> io::Result<ExitStatus> {
    let mut status = 0;
    // SAFETY: `status` is a valid place for the result.
    retry(|| unsafe { libc::waitpid(pid, &mut status, 0) })?;
    Ok(ExitStatus::from_raw(status))
}

/// Kills a child that was not waited for yet.
pub(crate) fn kill(Pid(pid): Pid) {
    // SAFETY: the child was not waited for, so its number belongs to no other process. It fails only when
    // the child has ended, which is what is wanted.
    unsafe { libc::kill(pid, libc::SIGKILL) };
}

/// Makes descriptor `to` mean what `from` means.
pub(crate) fn redirect(from: BorrowedFd<'_>, to: RawFd) -> io::Result<()> {
    // SAFETY: both are only numbers to the system; `to` is one of the three standard streams, which no
    // value in this process owns.
    retry(|| unsafe { libc::dup2(from.as_raw_fd(), to) }).map(|_| ())
}

/// Closes descriptors in a child, whose copies of the owning values are never used or dropped.
pub(crate) fn close_in_child(descriptors: &[RawFd]) {
    for descriptor in descriptors {
        // SAFETY: the child never uses these, and ends without dropping their owners.
        unsafe { libc::close(*descriptor) };
    }
}

/// Lets this process take `mib` more memory than it has now, where the system can limit it.
pub(crate) fn limit_memory(mib: u64) -> io::Result<()> {
    match address_space() {
        Some(present) => {
            lower_limit(libc::RLIMIT_AS, mib.saturating_mul(1 << 20).saturating_add(present))
        }
        None => Ok(()),
    }
}

/// Keeps a crash of this process from leaving a core file.
pub(crate) fn no_core_file() -> io::Result<()> {
    lower_limit(libc::RLIMIT_CORE, 0)
}

/// Makes the system kill this process when its parent ends, where it can. Gives an error when the parent,
/// whose number is `parent`, has ended already.
pub(crate) fn die_with_parent(parent: u32) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    // SAFETY: the call takes a number and changes only this process.
    retry(|| unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) })?;
    match std::os::unix::process::parent_id() == parent {
        true => Ok(()),
        false => Err(io::Error::other("the worker has ended")),
    }
}

/// Waits until one of the descriptors can be read or is at its end, or the time is over; tells which.
/// Without a time it waits for ever.
pub(crate) fn poll(
    descriptors: &[BorrowedFd<'_>],
    timeout: Option<Duration>,
) -> io::Result<Vec<bool>> {
    let entry =
        |fd: &BorrowedFd<'_>| libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let mut entries: Vec<libc::pollfd> = descriptors.iter().map(entry).collect();
    // Rounded up, so that the time is over when the call returns for that reason.
    let milliseconds = timeout.map_or(-1, |timeout| {
        i32::try_from(timeout.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
    });
    // SAFETY: the pointer and the number describe `entries`.
    let ready =
        unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, milliseconds) };
    if ready < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
        // The caller looks at the clock and asks again.
        return Ok(vec![false; entries.len()]);
    }
    Ok(entries.iter().map(|entry| entry.revents != 0).collect())
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
type Resource = libc::c_int;

fn lower_limit(resource: Resource, value: u64) -> io::Result<()> {
    let mut limit = get_limit(resource)?;
    let value = (value as libc::rlim_t).min(limit.rlim_max);
    limit.rlim_cur = value;
    limit.rlim_max = value;
    set_limit(resource, &limit)
}

fn get_limit(resource: Resource) -> io::Result<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place for the result.
    retry(|| unsafe { libc::getrlimit(resource, &mut limit) })?;
    Ok(limit)
}

fn set_limit(resource: Resource, limit: &libc::rlimit) -> io::Result<()> {
    // SAFETY: `limit` is a valid limit.
    retry(|| unsafe { libc::setrlimit(resource, limit) }).map(|_| ())
}

/// Bytes of address space that this process has, where the system tells.
fn address_space() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').next()?.parse().ok()?;
    // SAFETY: the call only reads a constant of the system.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    pages.checked_mul(page)
}

/// Calls until the call is not interrupted by a signal.
fn retry(mut call: impl FnMut() -> i32) -> io::Result<i32> {
    loop {
        let result = call();
        if result != -1 {
            return Ok(result);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
