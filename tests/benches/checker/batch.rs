//! `neurc check` from nothing.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use neuro_tests::neurc;

use super::Workspace;
use super::table::Table;

/// How often a workspace is checked.
const RUNS: usize = 7;

/// Measures the time and memory of a check; `targets` are milliseconds and megabytes.
pub(crate) fn measure(
    table: &mut Table,
    what: &str,
    workspace: &Workspace,
    targets: Option<(f64, f64)>,
) {
    let name = format!("check of {what}: time");
    if table.wants(&name) {
        let runs = (0..RUNS).map(|_| timed(&workspace.folder));
        let least = runs.min().expect("runs").as_secs_f64() * 1e3;
        table.row(&name, least, "ms", targets.map(|(time, _)| time));
    }
    let name = format!("check of {what}: memory");
    if table.wants(&name) {
        table.row(&name, peak(&workspace.folder), "MB", targets.map(|(_, memory)| memory));
    }
}

fn check(folder: &Path) -> Command {
    let mut command = Command::new(neurc());
    command.arg("check").current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn timed(folder: &Path) -> Duration {
    let begin = Instant::now();
    let status = check(folder).status().expect("neurc starts");
    assert!(status.success(), "the workspace has no mistakes");
    begin.elapsed()
}

/// The most memory that a check has, as far as looking again and again shows it.
fn peak(folder: &Path) -> f64 {
    let mut child = check(folder).spawn().expect("neurc starts");
    let mut most = 0.0f64;
    while child.try_wait().expect("a child of ours").is_none() {
        most = most.max(memory_of(child.id(), "VmHWM"));
        std::thread::sleep(Duration::from_millis(1));
    }
    most
}

/// A line of what the system knows of the memory of a process, in megabytes.
pub(crate) fn memory_of(process: u32, line: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
    let kilobytes = found.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
