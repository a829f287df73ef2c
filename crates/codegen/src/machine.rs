//! The machine that code is made for.

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

use crate::CompileError;
use crate::imports::Linking;

/// What every x86-64 machine since 2009 has. Code in an object file may run elsewhere than here; as nothing that
/// Neuro computes depends on the instructions that compute it, both give the same bits.
const X86_BASELINE: &str = "x86-64-v2";

/// The machine that this process runs on: exactly this one for code in this process, any of its kind for object files.
pub(crate) fn isa(linking: Linking) -> Result<OwnedTargetIsa, CompileError> {
    let machine = |error: &dyn std::fmt::Display| CompileError::Machine(error.to_string());
    let (is_pic, near) = match linking {
        Linking::Process => ("false", "false"),
        Linking::Object => ("true", "true"),
    };
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", is_pic),
        ("use_colocated_libcalls", near),
        // A frame larger than the guard page must not step over it.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(|error| machine(&error))?;
    }
    let flags = settings::Flags::new(flags);
    let builder = match linking {
        Linking::Process => cranelift_native::builder().map_err(|error| machine(&error))?,
        Linking::Object => {
            let any = cranelift_native::builder_with_options(false);
            let mut any = any.map_err(|error| machine(&error))?;
            if cfg!(target_arch = "x86_64") {
                any.enable(X86_BASELINE).map_err(|error| machine(&error))?;
            }
            any
        }
    };
    builder.finish(flags).map_err(|error| machine(&error))
}
