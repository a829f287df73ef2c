//! Tests of the command line.

use clap::CommandFactory;

use super::*;

fn parse(args: &[&str]) -> Result<Command, clap::Error> {
    let args = std::iter::once("neurc").chain(args.iter().copied());
    Cli::try_parse_from(args).map(|cli| cli.command)
}

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn levels_are_written_together_or_apart() {
    for (args, level) in [
        (&["run", "a.nr"][..], 0),
        (&["run", "a.nr", "-O2"], 2),
        (&["run", "-O", "3", "a.nr"], 3),
        (&["run", "-O1", "a.nr"], 1),
    ] {
        let Ok(Command::Run(run)) = parse(args) else { panic!("{args:?}") };
        assert_eq!((run.optimization.level, &*run.file), (level, "a.nr"), "{args:?}");
    }
    assert!(parse(&["run", "a.nr", "-O4"]).is_err());
    assert!(parse(&["run"]).is_err());
}

#[test]
fn check_takes_paths_and_standard_input() {
    let Ok(Command::Check(check)) =
        parse(&["check", "-", "a", "--format", "json", "--deny", "warnings"])
    else {
        panic!("not accepted");
    };
    assert_eq!(check.paths, ["-", "a"]);
    assert!(check.format == CheckFormat::Json && check.deny == Some(Deny::Warnings));
}
