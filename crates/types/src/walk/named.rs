//! Arguments of the language's own methods: some by position, some by label.

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Expr, ExprId, similar};

use super::{Context, Why};
use crate::{Finding, Place, Remedy, Ty};

/// The arguments that something takes.
#[derive(Clone, Copy)]
pub(super) struct Takes {
    /// Those without a label, in order.
    pub(super) plain: &'static [&'static str],
    /// Those with a label, in any order; each may be left out.
    pub(super) labels: &'static [&'static str],
}

/// The arguments that are given.
pub(super) struct Given {
    /// Those without a label.
    pub(super) plain: Vec<ExprId>,
    labelled: Vec<(&'static str, ExprId)>,
}

impl Given {
    /// The argument of a label.
    pub(super) fn get(&self, label: &str) -> Option<ExprId> {
        self.labelled.iter().find(|(found, _)| *found == label).map(|(_, value)| *value)
    }
}

impl Context<'_> {
    /// Sorts the arguments of a call; none after a report.
    pub(super) fn named_arguments(
        &mut self,
        call: ExprId,
        shown: &str,
        takes: Takes,
        args: &[Arg],
    ) -> Option<Given> {
        let mut given = Given { plain: Vec::new(), labelled: Vec::new() };
        for arg in args {
            let Some(label) = &arg.label else {
                given.plain.push(arg.value);
                continue;
            };
            let place = Place::Label(arg.value);
            let Some(known) = takes.labels.iter().find(|known| *known == label) else {
                self.report(unknown_label(place, shown, label, takes));
                return None;
            };
            if given.get(known).is_some() {
                self.report(Finding::new(
                    codes::ARGUMENTS,
                    place,
                    format!("`{label}:` is given twice in this call of `{shown}`"),
                ));
                return None;
            }
            given.labelled.push((known, arg.value));
        }
        if given.plain.len() == takes.plain.len() {
            return Some(given);
        }
        // What stands without its label.
        let free: Vec<&&str> =
            takes.labels.iter().filter(|label| given.get(label).is_none()).collect();
        if let (Some(extra), [label, others @ ..]) =
            (given.plain.get(takes.plain.len()), free.as_slice())
            && given.plain.len() == takes.plain.len() + 1
        {
            let place = Place::Expr(*extra);
            let or: String = others.iter().map(|other| format!(" or `{other}:`")).collect();
            self.report(
                Finding::new(
                    codes::ARGUMENTS,
                    place,
                    format!("`{shown}` takes this argument with its label, `{label}:`{or}"),
                )
                .remedy(Remedy::InsertBefore(
                    place,
                    "write the label".to_owned(),
                    format!("{label}: "),
                )),
            );
            return None;
        }
        let superfluous = given.plain.get(takes.plain.len());
        let finding = Finding::new(
            codes::ARGUMENTS,
            superfluous.map_or(Place::Head(call), |arg| Place::Expr(*arg)),
            format!(
                "`{shown}` takes {}, and this call gives {}",
                counted(takes.plain.len()),
                given.plain.len()
            ),
        );
        let finding = match takes.labels {
            [] => finding,
            labels => {
                let labels: Vec<String> =
                    labels.iter().map(|label| format!("`{label}:`")).collect();
                finding.note(format!("those with a label are {}", labels.join(", ")))
            }
        };
        self.report(finding);
        None
    }

    /// A truth value that is known while compiling.
    pub(super) fn constant_truth(&mut self, value: ExprId, callee: &str, param: &'static str) {
        let why = Why::Argument {
            callee: Name::from(callee),
            param: Name::new_static(param),
            declared: None,
        };
        let before = self.findings.len();
        self.check(value, &Ty::BOOL, &why);
        let known = match self.expr(value) {
            Expr::Literal(_) => true,
            Expr::Local(local) => self.const_of(*local).is_some(),
            Expr::Path(_) => matches!(self.callees.get(value), Some(crate::Callee::Const(_))),
            _ => false,
        };
        if !known && self.findings.len() == before && self.absorbed(&self.type_of(value)).is_none()
        {
            self.report(Finding::new(
                codes::CONSTANT,
                Place::Expr(value),
                format!("`{param}:` of `{callee}` is `true`, `false` or a constant"),
            ));
        }
    }
}

fn unknown_label(place: Place, shown: &str, label: &Name, takes: Takes) -> Finding {
    let finding =
        Finding::new(codes::ARGUMENTS, place, format!("`{shown}` has no argument `{label}:`"));
    match similar(label, takes.labels.iter().copied()) {
        Some(meant) => finding.note(format!("did you mean `{meant}:`?")).remedy(Remedy::Replace(
            place,
            format!("change to `{meant}`"),
            meant.to_owned(),
        )),
        None if takes.labels.is_empty() => finding,
        None => {
            let labels: Vec<String> =
                takes.labels.iter().map(|label| format!("`{label}:`")).collect();
            finding.note(format!("those with a label are {}", labels.join(", ")))
        }
    }
}

fn counted(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
