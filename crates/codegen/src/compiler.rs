//! The compiler: from a function to everything that it needs in order to run.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use neuro_db::Db;
use neuro_grad::Checked;
use neuro_hir::Function;
use neuro_runtime::{Site, set_sites};
use neuro_types::{diff_spec, fn_sig};

use crate::abi::{Role, Target};
use crate::error::CompileError;
use crate::function::{Built, build};
use crate::gradient::{Entry, GradientEntry, Parameter};
use crate::imports::{DataImport, Linking};
use crate::jit::{Code, CodeCell, Jit};
use crate::program::Program;
use crate::sites::positions;

/// How to compile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Whether integer arithmetic ends the program where a result does not fit (`-O0`) or wraps.
    pub checked: bool,
}

impl Options {
    /// Whether small functions are put in the places of their calls, in an object file. Checked code is for looking for
    /// mistakes: its frames stay as they are written.
    pub(crate) fn inlines(self) -> bool {
        !self.checked
    }

    pub(crate) fn overflow(self) -> Checked {
        if self.checked { Checked::Yes } else { Checked::No }
    }
}

/// What a compilation took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Functions that belong to the result.
    pub functions: usize,
    /// Those of them that were compiled now; the others were known.
    pub compiled: usize,
    /// Bytes of machine code of all.
    pub code_bytes: u64,
    /// Bytes for residuals and intermediate values of all.
    pub workspace_bytes: u64,
}

/// Compiles functions into this process and keeps what it compiled.
pub struct Compiler {
    jit: Jit,
}

/// Code that is ready to run, and what must be set before it does.
pub(crate) struct Linked {
    bindings: Vec<(Rc<CodeCell>, Rc<Code>)>,
    sites: HashMap<u64, Arc<[Site]>>,
    pub(crate) work: Work,
}

impl Linked {
    /// Points every cell at this version's code, and tells the run time where panics happen.
    pub(crate) fn bind(&self) {
        for (cell, code) in &self.bindings {
            cell.set(code);
        }
        set_sites(self.sites.clone());
    }

    /// The address of the first target's code.
    fn root(&self) -> Option<*const u8> {
        self.bindings.first().map(|(_, code)| code.address)
    }
}

impl Compiler {
    /// For the machine that this process runs on.
    ///
    /// # Errors
    /// When there is no code generator for it.
    pub fn new() -> Result<Self, CompileError> {
        Ok(Self { jit: Jit::new()? })
    }

    /// Compiles `main` and all that it reaches. The program must be free of errors.
    ///
    /// # Errors
    /// When a function does not hold what the checks promise, or the machine has no memory left.
    pub fn compile_program(
        &mut self,
        db: &dyn Db,
        main: Function<'_>,
        options: Options,
    ) -> Result<Program, CompileError> {
        let start = Target::start(db, main, options.overflow())?;
        self.jit.next_round();
        let linked = self.link(db, start)?;
        let entry = linked.root().ok_or_else(|| CompileError::input(&main.name(db), "no code"))?;
        Ok(Program::new(linked, entry))
    }

    /// Compiles a `@grad` function so that it can be called with values: its gradient, and its plain call.
    ///
    /// # Errors
    /// When the function has no derivative, or does not hold what the checks promise.
    pub fn compile_gradient(
        &mut self,
        db: &dyn Db,
        function: Function<'_>,
        options: Options,
    ) -> Result<GradientEntry, CompileError> {
        let name = function.name(db);
        let spec = diff_spec(db, function).spec.clone();
        let spec = spec.ok_or_else(|| CompileError::input(&name, "it asks for no derivative"))?;
        self.jit.next_round();
        let checked = options.overflow();
        let mut entry = |role| {
            let linked = self.link(db, Target::plain(db, function, role, checked))?;
            let address = linked.root().ok_or_else(|| CompileError::input(&name, "no code"))?;
            Ok::<_, CompileError>(Entry::new(linked, address))
        };
        let plain = entry(Role::PlainEntry)?;
        let gradient = entry(Role::GradientEntry)?;
        let parameters = fn_sig(db, function).params.iter();
        let parameters =
            parameters.map(|param| Parameter::new(&param.name, &param.ty)).collect::<Option<_>>();
        let parameters = parameters.ok_or_else(|| {
            CompileError::input(&name, "a parameter takes neither a number nor a tensor")
        })?;
        Ok(GradientEntry { parameters, wrt: spec.params(), loss: spec.loss(), plain, gradient })
    }

    /// The text of a function's code before register allocation: of the plain call, and of the sweeps if it
    /// has any.
    ///
    /// # Errors
    /// When the function does not hold what the checks promise.
    pub fn clif(
        &self,
        db: &dyn Db,
        function: Function<'_>,
        options: Options,
    ) -> Result<String, CompileError> {
        let mut roles = vec![Role::Plain];
        if diff_spec(db, function).spec.is_some() {
            roles.extend([Role::Forward, Role::Reverse]);
        }
        let mut texts = Vec::with_capacity(roles.len());
        for role in roles {
            let target = Target::plain(db, function, role, options.overflow());
            let built = build(db, target, &**self.jit.isa(), Linking::Process)?;
            texts.push(clif(&target.name(db), &built));
        }
        Ok(texts.join("\n"))
    }

    /// Compiles `root` and all that it reaches; the root comes first.
    fn link<'db>(&mut self, db: &'db dyn Db, root: Target<'db>) -> Result<Linked, CompileError> {
        let mut linked =
            Linked { bindings: Vec::new(), sites: HashMap::new(), work: Work::default() };
        let (mut open, mut seen) = (vec![root], HashSet::from([root]));
        while let Some(target) = open.pop() {
            let Built { function, unit, callees, workspace_bytes } =
                build(db, target, &**self.jit.isa(), Linking::Process)?;
            let (code, new) = self.jit.code(function, &unit)?;
            linked.work.functions += 1;
            linked.work.compiled += usize::from(new);
            linked.work.code_bytes += code.size;
            linked.work.workspace_bytes += workspace_bytes;
            linked.sites.insert(unit.number, positions(db, &unit.sites));
            linked.bindings.push((self.jit.cell(&target.name(db)), code));
            open.extend(callees.into_iter().filter(|callee| seen.insert(*callee)));
        }
        Ok(linked)
    }
}

/// The text of a function's code, after what its imports stand for.
pub(crate) fn clif(name: &str, built: &Built<'_>) -> String {
    let mut lines = vec![format!("; {name}")];
    for (index, import) in built.unit.functions.iter().enumerate() {
        lines.push(format!("; u0:{} = {}", index + 1, import.name));
    }
    for (index, data) in built.unit.data.iter().enumerate() {
        lines.push(match data {
            DataImport::Bytes(bytes) => format!("; u1:{index} = {} bytes", bytes.len()),
            DataImport::Cell(name) => format!("; u1:{index} = address of {name}"),
            DataImport::Table(names) => format!("; u1:{index} = table of {}", names.join(", ")),
            DataImport::Sites => format!("; u1:{index} = positions"),
        });
    }
    lines.push(built.function.display().to_string());
    lines.join("\n") + "\n"
}
