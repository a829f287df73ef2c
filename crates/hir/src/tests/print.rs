//! Prints a body so that a test can show it: each local with its number.

use std::fmt::Write;

use crate::{
    Adapter, Arg, Body, Bound, Closure, DimRef, Expr, ExprId, Extent, ForBinding, FormatPart, Head,
    HeadSource, IndexArg, Literal, LocalId, Pat, PatId, PatLiteral, Path, RangeEnd, Stmt, TypeArg,
    TypeRef,
};

pub(super) fn print(body: &Body) -> String {
    let printer = Printer { body };
    let params: Vec<String> =
        body.receiver.iter().chain(&body.params).map(|param| printer.local(*param)).collect();
    let root = body.root.map_or("-".to_owned(), |root| printer.expr(root, 0));
    format!("|{}| {root}\n", params.join(", "))
}

/// A type as written.
pub(super) fn type_text(ty: &TypeRef) -> String {
    match ty {
        TypeRef::Error => "<error>".to_owned(),
        TypeRef::Path(path) | TypeRef::SelfAssoc(path) => path_text(path),
        TypeRef::SelfType => "Self".to_owned(),
        TypeRef::Ref { mutable: true, inner } => format!("&mut {}", type_text(inner)),
        TypeRef::Ref { mutable: false, inner } => format!("&{}", type_text(inner)),
        TypeRef::Slice(elem) => format!("[{}]", type_text(elem)),
        TypeRef::Array { elem, len } => format!("[{}; {}]", type_text(elem), extent_text(len)),
        TypeRef::Tuple(elements) => format!("({})", joined(elements, type_text)),
        TypeRef::Fn { params, ret } => {
            format!("({}) -> {}", joined(params, type_text), type_text(ret))
        }
        TypeRef::Dyn(bound) => format!("dyn {}", bound_text(bound)),
        TypeRef::Impl(bound) => format!("impl {}", bound_text(bound)),
    }
}

pub(super) fn bound_text(bound: &Bound) -> String {
    let bindings = joined(&bound.bindings, |(name, ty)| format!("{name} = {}", type_text(ty)));
    match bound.bindings.is_empty() {
        true => path_text(&bound.path),
        false => format!("{}<{bindings}>", path_text(&bound.path)),
    }
}

fn path_text(path: &Path) -> String {
    let segments = path.segments.iter().map(|segment| match &segment.args {
        Some(args) => format!("{}<{}>", segment.name, joined(args, arg_text)),
        None => segment.name.to_string(),
    });
    segments.collect::<Vec<_>>().join("::")
}

fn arg_text(arg: &TypeArg) -> String {
    match arg {
        TypeArg::Type(ty) => type_text(ty),
        TypeArg::Local(local) => format!("#{}", local.into_raw().into_u32()),
        TypeArg::Int(value) => value.to_string(),
        TypeArg::Shape(dims) => format!("[{}]", joined(dims, dim_text)),
        TypeArg::Lifetime => "'_".to_owned(),
        TypeArg::Error => "<error>".to_owned(),
    }
}

fn dim_text(dim: &DimRef) -> String {
    let name = dim.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    name + &extent_text(&dim.extent)
}

fn extent_text(extent: &Extent) -> String {
    match extent {
        Extent::Known(value) => value.to_string(),
        Extent::Name(path) => path_text(path),
        Extent::Local(local) => format!("#{}", local.into_raw().into_u32()),
        Extent::Dynamic => "?".to_owned(),
        Extent::Error => "<error>".to_owned(),
    }
}

fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(text).collect();
    items.join(", ")
}

struct Printer<'a> {
    body: &'a Body,
}

impl Printer<'_> {
    fn local(&self, local: LocalId) -> String {
        format!("{}#{}", self.body.locals[local].name, local.into_raw().into_u32())
    }

    fn list(&self, items: &[ExprId], depth: usize) -> String {
        joined(items, |item| self.expr(*item, depth))
    }

    fn args(&self, args: &[Arg], depth: usize) -> String {
        joined(args, |arg| match &arg.label {
            Some(label) => format!("{label}: {}", self.expr(arg.value, depth)),
            None => self.expr(arg.value, depth),
        })
    }

    fn block(&self, stmts: &[Stmt], tail: Option<ExprId>, depth: usize) -> String {
        let indent = "    ".repeat(depth + 1);
        let mut out = String::from("{\n");
        for stmt in stmts {
            let _ = writeln!(out, "{indent}{}", self.stmt(stmt, depth + 1));
        }
        if let Some(tail) = tail {
            let _ = writeln!(out, "{indent}{}", self.expr(tail, depth + 1));
        }
        out + &"    ".repeat(depth) + "}"
    }

    fn stmt(&self, stmt: &Stmt, depth: usize) -> String {
        let annotated = |ty: &Option<Box<TypeRef>>| {
            ty.as_ref().map(|ty| format!(": {}", type_text(ty))).unwrap_or_default()
        };
        match stmt {
            Stmt::Let { pat, ty, init } => {
                let mutable = self.body.locals.iter().any(|(local, declared)| {
                    declared.mutable && self.body.bound(*pat) == Some(local)
                });
                let word = if mutable { "mut" } else { "val" };
                let init = self.expr(*init, depth);
                format!("{word} {}{} = {init}", self.pat(*pat), annotated(ty))
            }
            Stmt::LetElse { pat, ty, init, failure, otherwise } => {
                let failure = failure.map(|pat| format!(" |{}|", self.pat(pat)));
                format!(
                    "val {}{} = {} else{} {}",
                    self.pat(*pat),
                    annotated(ty),
                    self.expr(*init, depth),
                    failure.unwrap_or_default(),
                    self.expr(*otherwise, depth)
                )
            }
            Stmt::Const { local, ty, value } => {
                let value = self.expr(*value, depth);
                format!("const {}: {} = {value}", self.local(*local), type_text(ty))
            }
            Stmt::Expr(expr) => format!("{};", self.expr(*expr, depth)),
        }
    }

    fn pat(&self, pat: PatId) -> String {
        let pats = |pats: &[PatId]| joined(pats, |pat| self.pat(*pat));
        match &self.body.pats[pat] {
            Pat::Missing => "<missing>".to_owned(),
            Pat::Wildcard => "_".to_owned(),
            Pat::Bind(local) => self.local(*local),
            Pat::Literal(literal) => literal_text(literal),
            Pat::Range { start, end, end_kind } => {
                format!("{}{}{}", literal_text(start), dots(*end_kind), literal_text(end))
            }
            Pat::Tuple(elements) => format!("({})", pats(elements)),
            Pat::Array { elements, rest: None } => format!("[{}]", pats(elements)),
            Pat::Array { elements, rest: Some(rest) } => {
                let rest = rest.local.map(|local| self.local(local)).unwrap_or_default();
                format!("[{}, ..{rest}]", pats(elements))
            }
            Pat::Variant { path, elements } => format!("{}({})", path_text(path), pats(elements)),
            Pat::Struct { path, fields, rest } => {
                let fields =
                    joined(fields, |field| format!("{}: {}", field.name, self.pat(field.pat)));
                let rest = if *rest { ", .." } else { "" };
                format!("{} {{ {fields}{rest} }}", path_text(path))
            }
            Pat::Path(path) => format!("`{}`", path_text(path)),
            Pat::Or(alternatives) => {
                let texts: Vec<String> = alternatives.iter().map(|pat| self.pat(*pat)).collect();
                texts.join(" | ")
            }
        }
    }

    fn closure(&self, closure: &Closure, depth: usize) -> String {
        let params = joined(&closure.params, |param| {
            let ty = param.ty.as_ref().map(|ty| format!(": {}", type_text(ty)));
            self.local(param.local) + &ty.unwrap_or_default()
        });
        let ret = closure.ret.as_ref().map(|ty| format!(" -> {}", type_text(ty)));
        let captures = joined(&closure.captures, |local| self.local(*local));
        format!(
            "{}[{captures}] |{params}|{} {}",
            if closure.moves { "move " } else { "" },
            ret.unwrap_or_default(),
            self.expr(closure.body, depth)
        )
    }

    fn head(&self, head: &Head, depth: usize) -> String {
        let expr = |id: &ExprId| self.expr(*id, depth);
        let mut out = match &head.source {
            HeadSource::Range { start, end, end_kind } => {
                format!("{}{}{}", expr(start), dots(*end_kind), expr(end))
            }
            HeadSource::Expr(source) => expr(source),
        };
        for adapter in &head.adapters {
            out += &match adapter {
                Adapter::Rev => " reversed".to_owned(),
                Adapter::Step(step) => format!(" step {}", expr(step)),
                Adapter::Map(function) => format!(" map {}", expr(function)),
                Adapter::Filter(function) => format!(" filter {}", expr(function)),
            };
        }
        if head.enumerate { out + " counted" } else { out }
    }

    fn expr(&self, id: ExprId, depth: usize) -> String {
        let expr = |id: &ExprId| self.expr(*id, depth);
        let maybe = |id: &Option<ExprId>| id.as_ref().map(expr).unwrap_or_default();
        let label = |label: &Option<smol_str::SmolStr>| {
            label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default()
        };
        match &self.body.exprs[id] {
            Expr::Missing => "<missing>".to_owned(),
            Expr::Literal(Literal::Int(value, suffix)) => {
                format!("{value}{}", suffix.unwrap_or_default())
            }
            Expr::Literal(Literal::Float(digits, suffix)) => {
                format!("{digits}{}", suffix.as_deref().unwrap_or_default())
            }
            Expr::Literal(Literal::Bool(value)) => value.to_string(),
            Expr::Literal(Literal::Char(value)) => format!("{value:?}"),
            Expr::Text(parts) => format!("text({})", joined(parts, |part| self.part(part, depth))),
            Expr::Local(local) => self.local(*local),
            Expr::Path(path) => format!("`{}`", path_text(path)),
            Expr::Field { base, name } => format!("{}.{name}", expr(base)),
            Expr::TupleField { base, index } => format!("{}.{index}", expr(base)),
            Expr::Tuple(elements) => format!("({})", self.list(elements, depth)),
            Expr::StructLit { path, fields, base } => {
                let mut fields: Vec<String> = fields
                    .iter()
                    .map(|field| format!("{}: {}", field.name, expr(&field.value)))
                    .collect();
                fields.extend(base.as_ref().map(|base| format!("..{}", expr(base))));
                format!("`{}` {{ {} }}", path_text(path), fields.join(", "))
            }
            Expr::Closure(closure) => self.closure(closure, depth),
            Expr::Range { start, end, end_kind } => {
                format!("({}{}{})", maybe(start), dots(*end_kind), maybe(end))
            }
            Expr::Try(operand) => format!("{}?", expr(operand)),
            Expr::Coalesce { lhs, rhs } => format!("({} ?? {})", expr(lhs), expr(rhs)),
            Expr::Pipeline { value, function } => {
                format!("({} |> {})", expr(value), expr(function))
            }
            Expr::Compose { first, second } => format!("({} >> {})", expr(first), expr(second)),
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
                let types = match type_args {
                    None => String::new(),
                    Some(types) => format!("::<{}>", joined(types, arg_text)),
                };
                format!("{}.{name}{types}({})", expr(receiver), self.args(args, depth))
            }
            Expr::Index { base, args } => {
                let args = joined(args, |arg| match arg {
                    IndexArg::At(at) => expr(at),
                    IndexArg::Range { start, end, end_kind } => {
                        format!("{}{}{}", maybe(start), dots(*end_kind), maybe(end))
                    }
                });
                format!("{}[{args}]", expr(base))
            }
            Expr::Cast { operand, ty } => format!("({} as {})", expr(operand), type_text(ty)),
            Expr::Array(elements) => format!("[{}]", self.list(elements, depth)),
            Expr::Block { stmts, tail } => self.block(stmts, *tail, depth),
            Expr::If { cond, then, otherwise } => {
                let otherwise = otherwise.as_ref().map(|other| format!(" else {}", expr(other)));
                format!("if {} {}{}", expr(cond), expr(then), otherwise.unwrap_or_default())
            }
            Expr::Match { scrutinee, arms } => {
                let indent = "    ".repeat(depth + 1);
                let mut out = format!("match {} {{\n", expr(scrutinee));
                for arm in arms {
                    let guard = arm.guard.map(|guard| format!(" if {}", expr(&guard)));
                    let body = self.expr(arm.body, depth + 1);
                    let guard = guard.unwrap_or_default();
                    let _ = writeln!(out, "{indent}{}{guard} => {body}", self.pat(arm.pat));
                }
                out + &"    ".repeat(depth) + "}"
            }
            Expr::While { label: name, cond, body } => {
                format!("{}while {} {}", label(name), expr(cond), expr(body))
            }
            Expr::Loop { label: name, body } => format!("{}loop {}", label(name), expr(body)),
            Expr::For { label: name, binding, head, body } => {
                let binding = match binding {
                    ForBinding::One(local) => self.local(*local),
                    ForBinding::Pair(a, b) => format!("({}, {})", self.local(*a), self.local(*b)),
                };
                let head = self.head(head, depth);
                format!("{}for {binding} in {head} {}", label(name), expr(body))
            }
            Expr::Return(value) => format!("return {}", maybe(value)).trim_end().to_owned(),
            Expr::Break { label, value } => {
                let text =
                    format!("break {} {}", label.as_deref().unwrap_or_default(), maybe(value));
                text.trim_end().to_owned()
            }
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

fn dots(end_kind: RangeEnd) -> &'static str {
    match end_kind {
        RangeEnd::Exclusive => "..",
        RangeEnd::Inclusive => "..=",
    }
}

fn literal_text(literal: &PatLiteral) -> String {
    let sign = |negative: &bool| if *negative { "-" } else { "" };
    match literal {
        PatLiteral::Int { negative, value, suffix } => {
            format!("{}{value}{}", sign(negative), suffix.as_deref().unwrap_or_default())
        }
        PatLiteral::Float { negative, digits, suffix } => {
            format!("{}{digits}{}", sign(negative), suffix.as_deref().unwrap_or_default())
        }
        PatLiteral::Char(value) => format!("{value:?}"),
        PatLiteral::Bool(value) => value.to_string(),
        PatLiteral::Text(Some(text)) => format!("{text:?}"),
        PatLiteral::Text(None) => "<text>".to_owned(),
        PatLiteral::Error => "<error>".to_owned(),
    }
}
