//! What is known of the word under the cursor.

use std::fmt::Write;

use neuro_db::{Db, SourceFile, Span};
use neuro_grad::{GradientFacts, describe};
use neuro_hir::{
    AttrValue, Binding, Expr, ExprId, Function, LocalId, body, signature, signature_ranges,
    source_map,
};
use neuro_types::{Callee, DiffOrder, Ty, const_value, infer};
use text_size::{TextRange, TextSize};

use crate::function_at;

/// A hover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The words that it is about.
    pub range: TextRange,
    /// What is said, in Markdown.
    pub markdown: String,
}

/// What is known of the word at an offset.
pub fn hover(db: &dyn Db, file: SourceFile, offset: TextSize) -> Option<Hover> {
    let (function, inside) = function_at(db, file, offset)?;
    let (range, markdown) = header_hover(db, function, inside)
        .or_else(|| local_hover(db, function, inside))
        .or_else(|| expression_hover(db, function, inside))?;
    let range = Span::in_item(file, function.ast_id(db), range).absolute(db);
    Some(Hover { range, markdown })
}

/// On the function's name, an attribute or a parameter's name in the header.
fn header_hover<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    at: TextSize,
) -> Option<(TextRange, String)> {
    let ranges = signature_ranges(db, function);
    if ranges.name.contains_inclusive(at) {
        return Some((ranges.name, function_text(db, function)));
    }
    for (attr, ranges) in signature(db, function).attrs.iter().zip(&ranges.attrs) {
        if ranges.name.contains_inclusive(at) {
            return Some((ranges.name, attribute_text(db, function, &attr.name)?));
        }
        for (arg, ranges) in attr.args.iter().zip(&ranges.args) {
            let AttrValue::List(entries) = &arg.value else { continue };
            let entry =
                entries.iter().zip(&ranges.entries).find(|(_, range)| range.contains_inclusive(at));
            if let Some((AttrValue::Name(name), range)) = entry {
                let body = body(db, function);
                let param = body.params.iter().find(|param| body.locals[**param].name == *name)?;
                return Some((*range, local_text(db, function, *param)));
            }
        }
    }
    None
}

fn attribute_text<'db>(db: &'db dyn Db, function: Function<'db>, name: &str) -> Option<String> {
    let info = neuro_syntax::ATTRIBUTES.iter().find(|info| info.name == name)?;
    let mut text = format!("```neuro\n@{name}\n```\n\n{}", info.doc);
    if name == "grad"
        && let Some(facts) = describe(db, function)
    {
        let _ = write!(text, "\n\n{}", facts_text(&facts));
    }
    Some(text)
}

/// The header as written, the documentation and what is known of the derivative.
fn function_text<'db>(db: &'db dyn Db, function: Function<'db>) -> String {
    let ranges = signature_ranges(db, function);
    let file = function.file(db);
    let header =
        TextRange::new(ranges.keyword.start(), ranges.header.end().max(ranges.keyword.start()));
    let header = Span::in_item(file, function.ast_id(db), header).absolute(db);
    let text =
        file.text(db).get(std::ops::Range::<usize>::from(header)).unwrap_or_default().trim_end();
    let mut markdown = format!("```neuro\n{text}\n```");
    if let Some(doc) = &signature(db, function).doc {
        let _ = write!(markdown, "\n\n{doc}");
    }
    if let Some(facts) = describe(db, function) {
        let _ = write!(markdown, "\n\n{}", facts_text(&facts));
    }
    markdown
}

fn facts_text(facts: &GradientFacts) -> String {
    let mut text = format!("```neuro\nloss : {}\n", facts.loss);
    for parameter in &facts.parameters {
        let _ = writeln!(text, "∂loss/∂{} : {}", parameter.name, parameter.gradient);
    }
    for parameter in &facts.parameters {
        let name = &parameter.name;
        let _ = writeln!(text, "∂²loss/∂{name}² : {}", parameter.hessian);
    }
    text.push_str("```");
    if facts.order == DiffOrder::First {
        text.push_str("\nOrder 1: the gradients are computed, the Hessians are not.\n");
    }
    if !facts.constants.is_empty() {
        let names: Vec<String> = facts.constants.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "\nConstant: {}.\n", names.join(", "));
    }
    if let Some(work) = &facts.work {
        let _ = write!(
            text,
            "\nReverse mode: {} operations against {} of the function itself; {} bytes kept between the sweeps.",
            work.derivative_operations, work.primal_operations, work.residual_bytes
        );
        if work.iteration_bytes > 0 {
            let _ =
                write!(text, " Of each iteration of its loops, {} bytes.", work.iteration_bytes);
        }
    }
    text
}

/// On the declaration of a parameter or binding.
fn local_hover<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    at: TextSize,
) -> Option<(TextRange, String)> {
    let map = source_map(db, function);
    let local = map.local_at(at)?;
    Some((map.local(local), local_text(db, function, local)))
}

fn local_text<'db>(db: &'db dyn Db, function: Function<'db>, local: LocalId) -> String {
    let body = body(db, function);
    let declaration = &body.locals[local];
    let ty = infer(db, function).local_ty(local);
    let word = match declaration.binding {
        Binding::Receiver
        | Binding::Param
        | Binding::ClosureParam
        | Binding::Arm
        | Binding::Failure
        | Binding::Loop => "",
        Binding::Const => "const ",
        Binding::Let if declaration.mutable => "mut ",
        Binding::Let => "val ",
    };
    let mut text = format!("```neuro\n{word}{}: {ty}\n```", declaration.name);
    if let Some(gradient) = gradient_text(db, function, local) {
        let _ = write!(text, "\n\n{gradient}");
    }
    text
}

/// What the derivative gives for a parameter.
fn gradient_text<'db>(db: &'db dyn Db, function: Function<'db>, local: LocalId) -> Option<String> {
    let index = body(db, function).params.iter().position(|param| *param == local)?;
    let facts = describe(db, function)?;
    match facts.parameters.iter().find(|parameter| parameter.index == index) {
        Some(parameter) => {
            Some(format!("```neuro\n∂loss/∂{} : {}\n```", parameter.name, parameter.gradient))
        }
        None => Some("A constant of the derivative.".to_owned()),
    }
}

/// On an expression.
fn expression_hover<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    at: TextSize,
) -> Option<(TextRange, String)> {
    let map = source_map(db, function);
    let expr = map.expr_at(at)?;
    let types = infer(db, function);
    let range = map.expr(expr);
    match &body(db, function).exprs[expr] {
        Expr::Missing => None,
        Expr::Local(local) => Some((range, local_text(db, function, *local))),
        Expr::Block { .. } if *types.ty(expr) == Ty::Void => None,
        Expr::MethodCall { name, .. } => {
            Some((map.head(expr), method_text(db, function, expr, name)))
        }
        _ => match types.callees.get(expr) {
            Some(Callee::Function(callee)) => Some((map.head(expr), function_text(db, *callee))),
            Some(Callee::Const(constant)) => {
                let value = const_value(db, *constant).value;
                let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
                let name = constant.name(db);
                Some((range, format!("```neuro\nconst {name}: {}{value}\n```", types.ty(expr))))
            }
            Some(
                Callee::Constructor(_)
                | Callee::Method(_)
                | Callee::ConstParam(_)
                | Callee::Variant(..)
                | Callee::Newtype(_)
                | Callee::Value
                | Callee::Known(..)
                | Callee::Member(_),
            )
            | None => Some((range, format!("```neuro\n{}\n```", types.ty(expr)))),
        },
    }
}

fn method_text<'db>(db: &'db dyn Db, function: Function<'db>, expr: ExprId, name: &str) -> String {
    let types = infer(db, function);
    let mut text = format!("```neuro\n.{name}() : {}\n```", types.ty(expr));
    if let Some(Callee::Method(method)) = types.callees.get(expr) {
        let _ = write!(text, "\n\n{}", sentence(method.doc()));
    }
    text
}

/// A line of a table as a sentence.
fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let rest = letters.as_str().trim_end_matches('.');
    format!("{first}{rest}.")
}
