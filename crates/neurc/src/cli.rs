//! Commands and their options.

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::{self, Outcome};

/// Compiler of Neuro: statically shaped tensors whose derivatives are made while compiling.
#[derive(Parser)]
#[command(name = "neurc", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A command.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a program
    Run(RunArgs),
    /// Make an executable of a program
    #[command(visible_alias = "compile")]
    Build(BuildArgs),
    /// Check files or folders and show what is wrong
    Check(CheckArgs),
    /// Bring files or folders into the one style
    Fmt(FmtArgs),
    /// Show a function, or its derivative, as the compiler sees it
    Ir(IrArgs),
    /// Evaluate a `@grad` function and its gradients at one point
    Grad(GradArgs),
    /// Explain the code of a diagnostic
    Explain(ExplainArgs),
    /// Serve an editor: the language server, on standard input and output
    Lsp,
    /// Run programs for another process; speaks its own protocol
    #[command(hide = true)]
    Worker,
}

impl Command {
    /// Does what the command line says; gives the exit status.
    pub(crate) fn execute(&self) -> Outcome {
        match self {
            Command::Run(args) => commands::run::execute(args),
            Command::Build(args) => commands::build::execute(args),
            Command::Check(args) => commands::check::execute(args),
            Command::Fmt(args) => commands::fmt::execute(args),
            Command::Ir(args) => commands::ir::execute(args),
            Command::Grad(args) => commands::grad::execute(args),
            Command::Explain(args) => commands::explain::execute(args),
            Command::Lsp => commands::lsp::execute(),
            Command::Worker => commands::worker::execute(),
        }
    }
}

/// How much the compiler may assume.
#[derive(Args)]
pub(crate) struct Optimization {
    /// 0 checks integer arithmetic, 1 to 3 let it wrap; no level changes a float
    #[arg(short = 'O', long = "optimization", value_name = "LEVEL", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub(crate) level: u8,
}

/// Options of `run`.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// The file with `main`, or `-` for standard input
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) optimization: Optimization,
}

/// Options of `build`.
#[derive(Args)]
pub(crate) struct BuildArgs {
    /// The file with `main`, or `-` for standard input
    pub(crate) file: String,
    /// Where the result goes; without it, beside FILE, under its name without `.nr`
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<String>,
    #[command(flatten)]
    pub(crate) optimization: Optimization,
    /// What is made
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Emit::Exe)]
    pub(crate) emit: Emit,
}

/// What `build` makes.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Emit {
    /// An executable
    Exe,
    /// An object file with the functions that C can call
    Obj,
    /// The same with the run-time library, as a static library
    Lib,
    /// The text of every function as the compiler sees it
    Ir,
    /// The input of the code generator
    Clif,
}

/// Options of `check`.
#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Files, folders, or `-` for standard input; without any, the roots of the nearest `neuro.toml`, else this
    /// folder
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// How findings are written
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,
    /// Which findings make the check fail though they are no errors
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) deny: Option<Deny>,
    /// Check again whenever a file changes
    #[arg(long)]
    pub(crate) watch: bool,
}

/// How findings are written.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// With the text around them
    Human,
    /// A line each
    Short,
    /// A JSON object a line
    Json,
    /// One SARIF 2.1.0 log, for code scanning
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

impl CheckFormat {
    /// Whether somebody reads it as it is, and wants to know how many findings there are.
    pub(crate) fn is_for_people(self) -> bool {
        self == CheckFormat::Human
    }
}

/// What `--deny` takes.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Deny {
    /// Warnings
    Warnings,
}

/// Options of `fmt`.
#[derive(Args)]
pub(crate) struct FmtArgs {
    /// Files, folders, or `-` for standard input to standard output; without any, the roots of the nearest
    /// `neuro.toml`, else this folder
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Change nothing; show which files differ from the style
    #[arg(long)]
    pub(crate) check: bool,
}

/// Options of `ir`.
#[derive(Args)]
pub(crate) struct IrArgs {
    /// The function, as in `model.nr::loss`
    #[arg(value_name = "FILE::FUNC")]
    pub(crate) function: String,
    /// Which view; of a `@grad` function its derivative, of others the function itself
    #[arg(long, value_enum)]
    pub(crate) stage: Option<Stage>,
    /// How it is written
    #[arg(long, value_enum, default_value_t = IrFormat::Text)]
    pub(crate) format: IrFormat,
    #[command(flatten)]
    pub(crate) optimization: Optimization,
}

/// A view of a function.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Stage {
    /// The function as a graph
    Primal,
    /// Loss and gradients as one graph
    Derivative,
    /// The same, simplified
    Optimised,
    /// Loops over memory
    Loops,
    /// The input of the code generator
    Clif,
}

/// How a view is written.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum IrFormat {
    /// As text
    Text,
}

/// Options of `grad`.
#[derive(Args)]
pub(crate) struct GradArgs {
    /// The function, as in `model.nr::loss`
    #[arg(value_name = "FILE::FUNC")]
    pub(crate) function: String,
    /// A JSON file with values by parameter name; the others are sampled
    #[arg(long, value_name = "FILE.json")]
    pub(crate) inputs: Option<String>,
    /// Which sample stands for inputs that are not given
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = GradFormat::Human)]
    pub(crate) format: GradFormat,
    #[command(flatten)]
    pub(crate) optimization: Optimization,
}

/// How a gradient is written.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum GradFormat {
    /// As rows
    Human,
    /// As a JSON object
    Json,
}

/// Options of `explain`.
#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// The code, as in `E0401`, or the name of a lint
    pub(crate) code: String,
}

#[cfg(test)]
mod tests;
