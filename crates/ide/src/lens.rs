//! The actions that stand above functions.

use neuro_db::{Db, SourceFile};
use neuro_types::diff_spec;
use text_size::TextRange;

use crate::location::{functions, name_range};

/// Something that can be done with a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Runs the program.
    Run,
    /// Runs the derivative at sample inputs and shows the gradients.
    Gradient,
    /// Shows the derivative as graph IR.
    DerivativeIr,
}

impl Action {
    /// What the lens says.
    pub fn title(self) -> &'static str {
        match self {
            Action::Run => "▶ run",
            Action::Gradient => "▶ gradient",
            Action::DerivativeIr => "derivative IR",
        }
    }
}

/// An action above a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The function's name in the text.
    pub range: TextRange,
    /// The function.
    pub function: String,
    /// What it does.
    pub action: Action,
}

/// The lenses of a file: of `main`, and of every function that asks for a derivative. They stay while the
/// bodies are being edited; an action on a program that does not check says so when it is used.
pub fn lenses(db: &dyn Db, file: SourceFile) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for function in functions(db, file) {
        let name = function.name(db);
        let actions: &[Action] = if name == "main" {
            &[Action::Run]
        } else if diff_spec(db, function).spec.is_some() {
            &[Action::Gradient, Action::DerivativeIr]
        } else {
            &[]
        };
        let range = name_range(db, function);
        lenses.extend(actions.iter().map(|action| Lens {
            range,
            function: name.to_string(),
            action: *action,
        }));
    }
    lenses
}
