//! Prints a body so that a test can show it: each local with its number.

use crate::{Arg, Body, Expr, ExprId, FormatPart, IndexArg, Literal, LocalId, RangeEnd, Stmt};

pub(super) fn print(body: &Body) -> String {
    let printer = Printer { body };
    let params: Vec<String> = body.params.iter().map(|param| printer.local(*param)).collect();
    let root = body.root.map_or("-".to_owned(), |root| printer.expr(root, 0));
    format!("|{}| {root}\n", params.join(", "))
}

struct Printer<'a> {
    body: &'a Body,
}

impl Printer<'_> {
    fn local(&self, local: LocalId) -> String {
        format!("{}#{}", self.body.locals[local].name, local.into_raw().into_u32())
    }

    fn list(&self, items: &[ExprId], depth: usize) -> String {
        let items: Vec<String> = items.iter().map(|item| self.expr(*item, depth)).collect();
        items.join(", ")
    }

    fn args(&self, args: &[Arg], depth: usize) -> String {
        let args: Vec<String> = args
            .iter()
            .map(|arg| match &arg.label {
                Some(label) => format!("{label}: {}", self.expr(arg.value, depth)),
                None => self.expr(arg.value, depth),
            })
            .collect();
        args.join(", ")
    }

    fn block(&self, stmts: &[Stmt], tail: Option<ExprId>, depth: usize) -> String {
        let indent = "    ".repeat(depth + 1);
        let mut out = String::from("{\n");
        for stmt in stmts {
            out += &indent;
            match stmt {
                Stmt::Let { local, ty, init } => {
                    let word = if self.body.locals[*local].mutable { "mut" } else { "val" };
                    let ty = ty.as_ref().map(|ty| format!(": {ty:?}")).unwrap_or_default();
                    let init = self.expr(*init, depth + 1);
                    out += &format!("{word} {}{ty} = {init}\n", self.local(*local));
                }
                Stmt::Expr(expr) => out += &format!("{};\n", self.expr(*expr, depth + 1)),
            }
        }
        if let Some(tail) = tail {
            out += &format!("{indent}{}\n", self.expr(tail, depth + 1));
        }
        out + &"    ".repeat(depth) + "}"
    }

    fn expr(&self, id: ExprId, depth: usize) -> String {
        let expr = |id: &ExprId| self.expr(*id, depth);
        let label = |label: &Option<smol_str::SmolStr>| {
            label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default()
        };
        match &self.body.exprs[id] {
            Expr::Missing => "<missing>".to_owned(),
            Expr::Unsupported(unsupported) => format!("<{}>", unsupported.what),
            Expr::Literal(Literal::Int(value, suffix)) => {
                format!("{value}{}", suffix.as_deref().unwrap_or_default())
            }
            Expr::Literal(Literal::Float(digits, suffix)) => {
                format!("{digits}{}", suffix.as_deref().unwrap_or_default())
            }
            Expr::Literal(Literal::Bool(value)) => value.to_string(),
            Expr::Literal(Literal::Char(value)) => format!("{value:?}"),
            Expr::Text(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.part(part, depth)).collect();
                format!("text({})", parts.join(", "))
            }
            Expr::Local(local) => self.local(*local),
            Expr::Name(name) => format!("`{name}`"),
            Expr::Assoc { base, ty: None, name } => format!("{base}::{name}"),
            Expr::Assoc { ty: Some(ty), name, .. } => format!("<{ty:?}>::{name}"),
            Expr::Unary { op, operand } => format!("{op:?}({})", expr(operand)),
            Expr::Binary { op, lhs, rhs } => format!("({} {op:?} {})", expr(lhs), expr(rhs)),
            Expr::Compare { op, lhs, rhs } => format!("({} {op:?} {})", expr(lhs), expr(rhs)),
            Expr::Logic { op, lhs, rhs } => format!("({} {op:?} {})", expr(lhs), expr(rhs)),
            Expr::Borrow { mutable: false, operand } => format!("&{}", expr(operand)),
            Expr::Borrow { mutable: true, operand } => format!("&mut {}", expr(operand)),
            Expr::Deref(operand) => format!("*{}", expr(operand)),
            Expr::Call { callee, args } => format!("{}({})", expr(callee), self.args(args, depth)),
            Expr::BuiltinCall { builtin, args } => {
                format!("{}!({})", builtin.name(), self.args(args, depth))
            }
            Expr::MethodCall { receiver, name, type_args, args } => {
                let types = match type_args.as_slice() {
                    [] => String::new(),
                    types => format!("::{types:?}"),
                };
                format!("{}.{name}{types}({})", expr(receiver), self.args(args, depth))
            }
            Expr::Index { base, args } => {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| match arg {
                        IndexArg::At(at) => expr(at),
                        IndexArg::Range => "..".to_owned(),
                    })
                    .collect();
                format!("{}[{}]", expr(base), args.join(", "))
            }
            Expr::Cast { operand, ty } => format!("({} as {ty:?})", expr(operand)),
            Expr::Array(elements) => format!("[{}]", self.list(elements, depth)),
            Expr::Block { stmts, tail } => self.block(stmts, *tail, depth),
            Expr::If { cond, then, otherwise } => {
                let otherwise = otherwise.as_ref().map(|other| format!(" else {}", expr(other)));
                format!("if {} {}{}", expr(cond), expr(then), otherwise.unwrap_or_default())
            }
            Expr::While { label: name, cond, body } => {
                format!("{}while {} {}", label(name), expr(cond), expr(body))
            }
            Expr::Loop { label: name, body } => format!("{}loop {}", label(name), expr(body)),
            Expr::ForRange { label: name, var, start, end, end_kind, reversed, step, body } => {
                let dots = match end_kind {
                    RangeEnd::Exclusive => "..",
                    RangeEnd::Inclusive => "..=",
                };
                let reversed = if *reversed { " reversed" } else { "" };
                let step = step.as_ref().map(|step| format!(" step {}", expr(step)));
                format!(
                    "{}for {} in {}{dots}{}{reversed}{} {}",
                    label(name),
                    self.local(*var),
                    expr(start),
                    expr(end),
                    step.unwrap_or_default(),
                    expr(body)
                )
            }
            Expr::Return(None) => "return".to_owned(),
            Expr::Return(Some(value)) => format!("return {}", expr(value)),
            Expr::Break { label } => format!("break {}", label.as_deref().unwrap_or_default()),
            Expr::Continue { label } => {
                format!("continue {}", label.as_deref().unwrap_or_default())
            }
            Expr::Assign { op: None, place, value } => format!("{} = {}", expr(place), expr(value)),
            Expr::Assign { op: Some(op), place, value } => {
                format!("{} {op:?}= {}", expr(place), expr(value))
            }
            Expr::Pool { name, body } => {
                format!("pool {}{}", label(name), expr(body))
            }
        }
    }

    fn part(&self, part: &FormatPart, depth: usize) -> String {
        match part {
            FormatPart::Text(text) => format!("{text:?}"),
            FormatPart::Hole { value, spec: None } => self.expr(*value, depth),
            FormatPart::Hole { value, spec: Some(spec) } => {
                let precision = spec.precision.map(|digits| format!(" .{digits}"));
                format!("{} formatted{}", self.expr(*value, depth), precision.unwrap_or_default())
            }
        }
    }
}
