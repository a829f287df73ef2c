//! Random programs: what `neurc run` and the executables print at every level is the same.
//!
//! `NEURO_RANDOM_PROGRAMS=N` tries N programs instead of a few, `NEURO_TESTS_SEED` another sequence.

mod abstraction;
mod collections;
mod expressions;
mod generate;
mod owned;
mod types;

use std::collections::BTreeMap;
use std::process::{Command, Output};

use neuro_tests::{Random, Scratch, run_neurc};

use super::build::has_linker;
use generate::{Generator, Program};

/// How many programs are tried in the gate.
const SAMPLE: usize = 12;
/// How many programs are compiled and run together.
const TOGETHER: usize = 30;
/// How many programs are looked at for what is in them.
const LOOKED_AT: usize = 400;

fn generated(count: usize) -> Vec<Program> {
    let mut random = Random::of_test(2027);
    (0..count).map(|number| Generator::program(&mut random, number)).collect()
}

#[test]
fn random_programs_hold_all_that_there_is() {
    let programs = generated(LOOKED_AT);
    let mut kinds = BTreeMap::<&str, usize>::new();
    for kind in programs.iter().flat_map(|program| &program.kinds) {
        *kinds.entry(kind).or_default() += 1;
    }
    for (kind, count) in &kinds {
        println!("{:5.1} %  {kind}", *count as f64 * 100.0 / LOOKED_AT as f64);
    }
    let rare: Vec<_> = kinds.iter().filter(|(_, count)| **count * 100 < LOOKED_AT).collect();
    assert!(rare.is_empty(), "in less than one program of a hundred: {rare:?}");
    assert!(kinds.len() >= 94, "{} kinds", kinds.len());
    let deep = programs.iter().filter(|program| program.depth >= 4).count();
    assert!(deep * 10 >= LOOKED_AT * 9, "{deep} are nested four deep");
}

#[test]
fn random_programs_print_the_same_everywhere() {
    let wanted = std::env::var("NEURO_RANDOM_PROGRAMS").ok().and_then(|count| count.parse().ok());
    let programs = generated(wanted.unwrap_or(SAMPLE));
    let scratch = Scratch::new("random");
    for together in programs.chunks(TOGETHER) {
        agree(&scratch, together);
    }
}

/// Checks that programs print the same however they are run.
fn agree(scratch: &Scratch, programs: &[Program]) {
    let mut text = String::new();
    let mut calls = String::new();
    for Program { items, entry, .. } in programs {
        text += items;
        calls += &format!("    println(\"= {entry}\")\n    {entry}()\n");
    }
    text += &format!("func main() -> i32 {{\n{calls}    0\n}}\n");
    let path = scratch.write("programs.nr", &text);
    let runs =
        ["-O0", "-O2"].map(|level| (format!("run {level}"), run_neurc(&["run", level, &path])));
    let mut all = Vec::from(runs);
    if has_linker("executables of random programs") {
        let to = path.trim_end_matches(".nr");
        for level in ["-O0", "-O2"] {
            let built = run_neurc(&["build", level, &path]);
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            let output = Command::new(to).output().expect("the program starts");
            all.push((format!("build {level}"), output));
        }
    }
    let (_, first) = &all[0];
    for (how, output) in &all {
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{how}: {error}{}", last(output, programs));
        if output.stdout != first.stdout {
            panic!(
                "{how} prints something else than {}:\n{}",
                all[0].0,
                different(output, first, programs)
            );
        }
    }
}

/// The text of the program that was run last.
fn last(output: &Output, programs: &[Program]) -> String {
    let printed = String::from_utf8_lossy(&output.stdout);
    let name = printed.lines().filter_map(|line| line.strip_prefix("= ")).next_back();
    let program = programs.iter().find(|program| Some(&*program.entry) == name);
    program.map(|program| format!("\nin\n{}", program.items)).unwrap_or_default()
}

/// The first lines that differ, and the program that printed them.
fn different(output: &Output, first: &Output, programs: &[Program]) -> String {
    let [left, right] = [first, output].map(|output| String::from_utf8_lossy(&output.stdout));
    let mut name = "";
    let (mut left, mut right) = (left.lines(), right.lines());
    loop {
        let (a, b) = (left.next(), right.next());
        if let Some(entry) = a.and_then(|line| line.strip_prefix("= ")) {
            name = entry;
        }
        if a != b || a.is_none() {
            let program = programs.iter().find(|program| program.entry == name);
            let items = program.map_or("", |program| &program.items);
            return format!("{a:?}\n{b:?}\nin {name} of\n{items}");
        }
    }
}
