//! What each kind of expression is.

use neuro_db::Name;
use neuro_db::codes;
use neuro_hir::{Expr, ExprId, ForBinding, Item, Literal, LocalId, Path, Resolution, resolve_in};

use super::{Context, Type};
use crate::{Callee, Finding, Place, Remedy, Ty};
use neuro_hir::similar;

impl Context<'_> {
    /// The type of an expression where nothing must be met. `hint` is a type that would be welcome: it
    /// says what a constructor builds.
    pub(super) fn infer(&mut self, expr: ExprId, hint: Option<&Ty>) -> Type {
        if let Some(ty) = self.exprs.get(expr) {
            return ty.clone();
        }
        // A chain such as `a + b + c` or `x.f().g()` is walked from its innermost part outwards: its
        // length must not become the depth of a recursion.
        let mut chain = Vec::new();
        let mut first = expr;
        while let Some(inner) = self.leftmost(first) {
            chain.push(inner);
            first = inner;
        }
        for inner in chain.into_iter().rev() {
            self.infer_one(inner, None);
        }
        self.infer_one(expr, hint)
    }

    /// The part that an expression begins with, if its type depends on nothing around it.
    fn leftmost(&self, expr: ExprId) -> Option<ExprId> {
        let inner = match self.expr(expr) {
            Expr::Binary { lhs, .. } | Expr::Logic { lhs, .. } => *lhs,
            Expr::MethodCall { receiver, .. } => *receiver,
            Expr::Cast { operand, .. } => *operand,
            Expr::Index { base, .. } => *base,
            Expr::Call { callee, .. } if !matches!(self.expr(*callee), Expr::Path(_)) => *callee,
            _ => return None,
        };
        self.exprs.get(inner).is_none().then_some(inner)
    }

    fn infer_one(&mut self, expr: ExprId, hint: Option<&Ty>) -> Type {
        let ty = match self.expr(expr) {
            Expr::Binary { op, lhs, rhs } => self.infer_binary(expr, *op, *lhs, *rhs),
            Expr::Missing => self.infer_unclear(),
            Expr::Field { base, .. } | Expr::TupleField { base, .. } => {
                self.later_field(expr, *base)
            }
            Expr::Tuple(_) => self.later_expr(expr, "tuples"),
            Expr::StructLit { path, .. } => self.infer_struct_literal(expr, path),
            Expr::Closure(_) => self.later_expr(expr, "closures"),
            Expr::Range { .. } => self.later_expr(expr, "a range as a value"),
            Expr::Try(_) => self.later_expr(expr, "the operator `?`"),
            Expr::Coalesce { .. } => self.later_expr(expr, "the operator `??`"),
            Expr::Pipeline { .. } => self.later_expr(expr, "the operator `|>`"),
            Expr::Compose { .. } => self.later_expr(expr, "the operator `>>`"),
            Expr::Match { .. } => self.later_expr(expr, "`match`"),
            Expr::Literal(literal) => self.infer_literal(expr, literal, None),
            Expr::Text(parts) => {
                self.infer_holes(parts);
                self.refuse(Finding::new(
                    codes::UNSUPPORTED,
                    Place::Expr(expr),
                    "text that is not printed at once is not supported yet",
                ))
            }
            Expr::Local(local) => self.infer_local(*local),
            Expr::Path(path) => self.infer_path(expr, path),
            Expr::Unary { op, operand } => self.infer_unary(expr, *op, *operand),
            Expr::Compare { op, lhs, rhs } => self.infer_compare(expr, *op, *lhs, *rhs),
            Expr::Logic { op, lhs, rhs } => self.infer_logic(*op, *lhs, *rhs),
            Expr::Borrow { mutable, operand } => self.infer_borrow(expr, *mutable, *operand, hint),
            Expr::Deref(operand) => self.infer_deref(expr, *operand),
            Expr::Call { callee, args } => self.infer_call(expr, *callee, args, hint),
            Expr::BuiltinCall { builtin, args } => self.infer_builtin(expr, *builtin, args),
            Expr::MethodCall { receiver, name, type_args, args } => {
                self.infer_method(expr, *receiver, name, type_args.is_some(), args)
            }
            Expr::Index { base, args } => self.infer_index(expr, *base, args),
            Expr::Cast { operand, ty } => self.infer_cast(expr, *operand, ty),
            Expr::Array(entries) => match hint {
                Some(Ty::Tensor(tensor)) => self.tensor_literal(expr, tensor.elem, &tensor.shape.0),
                // What is expected is wrong already.
                Some(Ty::Error) => self.infer_array_entry(expr),
                _ => self.infer_array(expr, entries),
            },
            Expr::Block { stmts, tail } => self.infer_block(stmts, *tail, hint),
            Expr::If { cond, then, otherwise } => {
                self.infer_if(expr, *cond, *then, *otherwise, hint)
            }
            Expr::While { label, cond, body } => self.infer_while(label, *cond, *body),
            Expr::Loop { label, body } => self.infer_loop(label, *body),
            Expr::For { binding: ForBinding::One(var), head, label, body } => {
                match head.as_plain_range() {
                    Some(range) => self.infer_for(label, *var, &range, *body),
                    None => self.later_for(expr),
                }
            }
            Expr::For { .. } => self.later_for(expr),
            Expr::Return(value) => self.infer_return(expr, *value),
            Expr::Break { value: Some(_), .. } => self.later_expr(expr, "`break` with a value"),
            Expr::Break { label, value: None } => self.infer_jump(expr, "break", label.as_ref()),
            Expr::Continue { label } => self.infer_jump(expr, "continue", label.as_ref()),
            Expr::Assign { op: None, place, value } => self.infer_assign(*place, *value),
            Expr::Assign { op: Some(op), place, value } => {
                self.infer_compound(expr, *op, *place, *value)
            }
            Expr::Pool { body, .. } => {
                self.infer_discarded(*body);
                Type::VOID
            }
        };
        self.record(expr, ty)
    }

    /// The type of an expression whose value is dropped: branches need not agree.
    pub(super) fn infer_discarded(&mut self, expr: ExprId) -> Type {
        let ty = match self.expr(expr) {
            Expr::Block { stmts, tail } => {
                let mut diverges = self.infer_stmts(stmts);
                if let Some(tail) = tail {
                    diverges |= self.infer_discarded(*tail).is(&Ty::Never);
                }
                if diverges { Type::NEVER } else { Type::VOID }
            }
            Expr::If { cond, then, otherwise } => {
                self.check_condition(*cond, "if");
                let then = self.infer_discarded(*then);
                let otherwise = otherwise.map(|otherwise| self.infer_discarded(otherwise));
                match otherwise {
                    Some(otherwise) if then.is(&Ty::Never) && otherwise.is(&Ty::Never) => {
                        Type::NEVER
                    }
                    _ => Type::VOID,
                }
            }
            _ => return self.infer(expr, None),
        };
        self.record(expr, ty)
    }

    fn infer_local(&mut self, local: LocalId) -> Type {
        Type::Known(self.locals.get(local).cloned().unwrap_or(Ty::Error))
    }

    /// A name or path that is not called.
    fn infer_path(&mut self, expr: ExprId, path: &Path) -> Type {
        match resolve_in(self.db, self.item, path) {
            Ok(Resolution::Item(Item::Const(constant))) => {
                self.callees.insert(expr, Callee::Const(constant));
                self.consts.push((expr, constant));
                Type::Known(crate::const_value(self.db, constant).ty.clone())
            }
            Ok(Resolution::Item(Item::Function(function))) => {
                self.callees.insert(expr, Callee::Function(function));
                let name = path.last_name();
                self.refuse(
                    Finding::new(
                        codes::UNSUPPORTED,
                        Place::Expr(expr),
                        format!("the function `{name}` as a value is not supported yet"),
                    )
                    .note(format!("to call it, write `{name}(..)`")),
                )
            }
            Ok(Resolution::Function(_)) => {
                self.refuse_later(Place::Expr(expr), "a function of the language as a value")
            }
            Ok(resolution) if self.is_refused(resolution) => self.infer_unclear(),
            Ok(Resolution::Type(_) | Resolution::Trait(_)) | Err(_) => match path.as_name() {
                Some(name) => self.undeclared(expr, name),
                None => self.unknown_path(expr, path, "as a value "),
            },
            Ok(_) => Type::ERROR,
        }
    }

    /// Whether what a path stands for is refused where it is declared.
    pub(super) fn is_refused(&self, resolution: Resolution<'_>) -> bool {
        match resolution {
            Resolution::Item(Item::Function(_) | Item::Const(_))
            | Resolution::Type(_)
            | Resolution::Trait(_)
            | Resolution::Function(_) => false,
            Resolution::Item(
                Item::Struct(_)
                | Item::Enum(_)
                | Item::Newtype(_)
                | Item::Alias(_)
                | Item::Trait(_)
                | Item::Impl(_),
            )
            | Resolution::Variant(..)
            | Resolution::Module(_)
            | Resolution::Generic(..)
            | Resolution::Unknown => true,
        }
    }

    /// A path of several parts, or with type arguments, that is not typed yet or stands for nothing.
    pub(super) fn unknown_path(&mut self, expr: ExprId, path: &Path, how: &str) -> Type {
        if let Some(first) = path.first()
            && let Some(resolution) =
                neuro_hir::resolve_name(self.db, self.item.module(self.db), first.name.clone())
            && self.is_refused(resolution)
        {
            return self.infer_unclear();
        }
        match path.segments.as_slice() {
            [base, name] => self.refuse(Finding::new(
                codes::UNSUPPORTED,
                Place::Expr(expr),
                format!("`{}::{}` {how}is not supported yet", base.name, name.name),
            )),
            [_] => self.refuse_later(Place::Expr(expr), "explicit type arguments"),
            _ => self.refuse_later(Place::Expr(expr), "a path into a module"),
        }
    }

    /// `S { .. }`.
    fn infer_struct_literal(&mut self, expr: ExprId, path: &Path) -> Type {
        match resolve_in(self.db, self.item, path) {
            Ok(resolution) if self.is_refused(resolution) => self.infer_unclear(),
            _ => self.later_expr(expr, "struct literals"),
        }
    }

    /// Reports a name that stands for nothing.
    pub(super) fn undeclared(&mut self, expr: ExprId, name: &Name) -> Type {
        let place = Place::Expr(expr);
        if matches!(name.as_str(), "Some" | "None" | "Ok" | "Err" | "einsum") {
            return self.refuse(Finding::new(
                codes::UNSUPPORTED,
                place,
                format!("`{name}` is not supported yet"),
            ));
        }
        let mut known: Vec<Name> =
            self.body.locals.iter().map(|(_, local)| local.name.clone()).collect();
        for item in &neuro_hir::file_items(self.db, self.item.file(self.db)).items {
            known.push(item.name(self.db));
        }
        known.extend(["print", "println", "panic", "assert", "unreachable"].map(Name::new_static));
        let finding = Finding::new(codes::UNDECLARED, place, format!("`{name}` is not declared"));
        let finding = match similar(name, known.iter().map(Name::as_str)) {
            Some(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned())),
            None => finding,
        };
        self.refuse(finding)
    }

    /// How messages call an expression.
    pub(super) fn subject(&self, expr: ExprId) -> String {
        match self.expr(expr) {
            Expr::Local(local) => match self.body.locals[*local].name.as_str() {
                "" => "this".to_owned(),
                name => format!("`{name}`"),
            },
            Expr::Path(path) => format!("`{path}`"),
            Expr::Literal(Literal::Int(value, None)) => format!("`{value}`"),
            Expr::Call { callee, .. } => match self.expr(*callee) {
                Expr::Path(path) if path.segments.len() == 1 => format!("`{path}(..)`"),
                _ => "this call".to_owned(),
            },
            Expr::MethodCall { name, .. } => format!("`.{name}()`"),
            _ => "this".to_owned(),
        }
    }
}
