//! How compiled functions are called and named.
//!
//! Scalars by value. A tensor value is an 8-byte handle; a reference is the address of the place that holds
//! what it refers to. Tensors that are passed by value belong to the callee, except in sweeps, which only
//! read. An aggregate is passed as the address of a place of the caller, which the callee copies first of all;
//! one that is given back is put where the caller says, by an address before all arguments, at which there is
//! nothing yet. A text and a view of one are aggregates of two words.

use std::hash::{DefaultHasher, Hash, Hasher};

use cranelift_codegen::ir::{Signature, Type, types::I32, types::I64};
use neuro_db::Db;
use neuro_grad::Checked;
use neuro_hir::Function;
use neuro_mir::Instance;
use neuro_num::DType;
use neuro_types::{Ty, fn_sig};

use crate::error::CompileError;
use crate::imports::Unit;
use crate::layout::{Repr, is_pair, is_text, repr};
use crate::scalar::register_type;

/// Which code of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// What a plain call runs: `(arguments) -> result`.
    Plain,
    /// `(arguments, where the residuals' address is put) -> loss`.
    Forward,
    /// `(arguments, residuals)`: fills the gradient slots of the differentiated arguments.
    Reverse,
    /// `(slots) -> handle of the result`: a plain call with arguments from memory.
    PlainEntry,
    /// `(slots) -> handle of the loss`: both sweeps with arguments from memory.
    GradientEntry,
}

/// A piece of code: which of a function's, and whether its arithmetic is checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Target<'db> {
    pub(crate) instance: Instance<'db>,
    pub(crate) role: Role,
    pub(crate) checked: Checked,
}

impl<'db> Target<'db> {
    /// Code of a function without generic parameters.
    pub(crate) fn plain(
        db: &'db dyn Db,
        function: Function<'db>,
        role: Role,
        checked: Checked,
    ) -> Self {
        Self { instance: Instance::plain(db, function), role, checked }
    }

    /// The code with which a program starts.
    pub(crate) fn start(
        db: &'db dyn Db,
        main: Function<'db>,
        checked: Checked,
    ) -> Result<Self, CompileError> {
        let sig = fn_sig(db, main);
        if !sig.params.is_empty() || sig.ret != Ty::Scalar(DType::I32) {
            return Err(CompileError::input(&main.name(db), "it is no start of a program"));
        }
        Ok(Self::plain(db, main, Role::Plain, checked))
    }

    /// The function.
    pub(crate) fn function(self, db: &'db dyn Db) -> Function<'db> {
        self.instance.function(db)
    }

    /// The name, equal for every version of the text: callers find the code by it.
    pub(crate) fn name(self, db: &'db dyn Db) -> String {
        let function = self.function(db);
        let file = function.file(db).path(db);
        let role = match self.role {
            Role::Plain => "",
            Role::Forward => ".forward_sweep",
            Role::Reverse => ".reverse_sweep",
            Role::PlainEntry => ".plain_entry",
            Role::GradientEntry => ".gradient_entry",
        };
        let checked = match self.checked {
            Checked::Yes => " checked",
            Checked::No => "",
        };
        let args = self.instance.args(db);
        let generics = if args.is_empty() {
            String::new()
        } else {
            // Two types may be shown by one name.
            let mut hasher = DefaultHasher::new();
            args.hash(&mut hasher);
            let shown: Vec<String> = args.iter().map(ToString::to_string).collect();
            format!("::<{}> {:x}", shown.join(", "), hasher.finish())
        };
        format!("{file}::{}{generics}{role}{checked}", function.path(db))
    }

    /// The number by which panics name the code.
    pub(crate) fn number(self, db: &'db dyn Db) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name(db).hash(&mut hasher);
        hasher.finish()
    }

    /// The same function's code in another role.
    pub(crate) fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// How the code is called.
    pub(crate) fn signature(self, db: &'db dyn Db, unit: &Unit<'db>) -> Signature {
        let types = self.instance.parameters(db);
        let mut params: Vec<Type> = types.iter().filter_map(|ty| passed(db, ty)).collect();
        match self.role {
            Role::Plain => match repr(db, &self.instance.result(db)) {
                Repr::Nothing => unit.signature(&params, &[]),
                Repr::Register(result) => unit.signature(&params, &[result]),
                Repr::Memory(_) => {
                    params.insert(0, I64);
                    unit.signature(&params, &[])
                }
            },
            Role::Forward => {
                params.push(I64);
                unit.signature(&params, &[I64])
            }
            Role::Reverse => {
                params.push(I64);
                unit.signature(&params, &[])
            }
            Role::PlainEntry | Role::GradientEntry => unit.signature(&[I64], &[I64]),
        }
    }
}

/// What is passed for a value of a type; nothing for what has no value.
pub(crate) fn passed(db: &dyn Db, ty: &Ty) -> Option<Type> {
    match repr(db, ty) {
        Repr::Nothing => None,
        Repr::Register(register) => Some(register),
        Repr::Memory(_) => Some(I64),
    }
}

/// The type of a value in a register; none of what has no value, or lies in memory.
pub(crate) fn value_type(ty: &Ty) -> Option<Type> {
    match ty {
        Ty::Scalar(dtype) => Some(register_type(*dtype)),
        Ty::Char => Some(I32),
        Ty::Ref { .. } if is_pair(ty) || is_text(ty) => None,
        Ty::Tensor(_) | Ty::Ref { .. } => Some(I64),
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Text
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Collection { .. }
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => None,
    }
}
