//! Methods. A receiver is looked at through its references; what consumes it needs the value itself.

use neuro_db::{Name, codes};
use neuro_hir::{Arg, ExprId, TypeArg};
use neuro_num::{DType, MathFn};

use super::member::MemberCall;
use super::operator::Operand;
use super::{Context, Why};
use crate::unclear::Missed;
use crate::{Callee, Finding, MemberOf, Method, Place, Remedy, Ty};
use neuro_hir::similar;

/// A method call under inference.
pub(super) struct MethodCall<'a> {
    pub(super) call: ExprId,
    pub(super) receiver: ExprId,
    pub(super) name: &'a Name,
    pub(super) args: &'a [Arg],
}

impl Context<'_> {
    pub(super) fn infer_method(
        &mut self,
        call: ExprId,
        receiver: ExprId,
        name: &Name,
        type_args: Option<&[TypeArg]>,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        let found = self.infer(receiver, None);
        let result = self.call_method(call, receiver, name, &found, type_args, args, hint);
        self.infer_arguments(args);
        result
    }

    /// Calls a method on a value of type `found`: one of the program comes first, then those of the language.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call has these parts, written or as a stage of `|>`"
    )]
    pub(super) fn call_method(
        &mut self,
        call: ExprId,
        receiver: ExprId,
        name: &Name,
        found: &Ty,
        type_args: Option<&[TypeArg]>,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        if let Some(absorbed) = self.absorbed(found) {
            return absorbed;
        }
        let found = &self.settled(receiver, found);
        if *found == Ty::Error || name.is_empty() {
            return Ty::Error;
        }
        let method = MethodCall { call, receiver, name, args };
        if let Some(ty) = self.program_method(&method, found, type_args, hint) {
            return ty;
        }
        let member = MemberOf::of(found).and_then(|of| of.find(name));
        if let Some(row) = member {
            let member = MemberCall { call, receiver, name, type_args, args, hint };
            return self.infer_member(&member, found, row);
        }
        if let Ty::Sparse(sparse) = found.peeled() {
            return self.sparse_method(&method, found, sparse);
        }
        let result = match self.operand(found) {
            Operand::Tensor(tensor) => self.tensor_method(&method, found, &tensor),
            Operand::Scalar(dtype) => self.scalar_method(&method, found, Some(dtype)),
            Operand::Number(_) => self.scalar_method(&method, found, None),
            Operand::Char | Operand::Text | Operand::Other => {
                let mut known = crate::methods::associated_names(&self.env, found.peeled());
                let rows = MemberOf::of(found).into_iter().flat_map(MemberOf::rows);
                known.extend(rows.map(|row| Name::new_static(row.name)));
                self.no_method(&method, found, known.iter().map(Name::as_str))
            }
        };
        let known = self.callees.get(call).is_some();
        if type_args.is_some() && known {
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Head(call),
                format!("`.{name}()` takes no type arguments"),
            ));
        }
        result
    }

    fn scalar_method(&mut self, method: &MethodCall<'_>, found: &Ty, dtype: Option<DType>) -> Ty {
        let name = method.name.as_str();
        let float = match (self.resolved(found), dtype) {
            (Ty::Var(id), _) => id.is_float(),
            (_, dtype) => dtype.is_some_and(DType::is_float),
        };
        if let Some(function) = MathFn::from_name(name) {
            if float {
                let ty = match dtype {
                    Some(dtype) => Ty::Scalar(dtype),
                    None => self.resolved(found),
                };
                return self.math(method, function, &ty, &ty);
            }
            let described = self.describe(found);
            let finding = Finding::new(
                codes::MEMBER,
                Place::Head(method.call),
                format!("`.{name}()` exists on floats, not on {described}"),
            );
            let finding = match dtype {
                None => self.float_literal(finding, method.receiver),
                Some(_) => finding,
            };
            self.give_up(found);
            return self.refuse(finding);
        }
        let mut known: Vec<&str> =
            if float { MathFn::all().map(MathFn::name).collect() } else { Vec::new() };
        let rows = MemberOf::of(found).into_iter().flat_map(MemberOf::rows);
        known.extend(rows.map(|row| row.name));
        self.no_method(method, found, known.into_iter())
    }

    /// A function of the table; `scalar` is the type that its further arguments have.
    pub(super) fn math(
        &mut self,
        method: &MethodCall<'_>,
        function: MathFn,
        result: &Ty,
        scalar: &Ty,
    ) -> Ty {
        self.callees.insert(method.call, Callee::Method(Method::Math(function)));
        let params = function.row().params;
        if !self.method_arguments(method, params) {
            return result.clone();
        }
        if let Some(arg) = method.args.first() {
            let found = self.infer(arg.value, None);
            match (self.resolved(scalar), self.resolved(&found)) {
                (open @ Ty::Var(_), Ty::Scalar(dtype)) => {
                    self.literal_operand((method.receiver, &open), dtype);
                }
                (open @ Ty::Var(_), other @ Ty::Var(_)) => {
                    self.join_numbers(method.receiver, &open, arg.value, &other);
                }
                (Ty::Var(_), _) => {
                    let ty = self.table.finish(scalar);
                    let why = Why::Argument {
                        callee: function.name().into(),
                        param: params.first().copied().unwrap_or_default().into(),
                        declared: None,
                    };
                    self.expect(arg.value, &found, &ty, &why);
                }
                (ty, _) => {
                    let why = Why::Argument {
                        callee: function.name().into(),
                        param: params.first().copied().unwrap_or_default().into(),
                        declared: None,
                    };
                    self.expect(arg.value, &found, &ty, &why);
                }
            }
        }
        self.resolved(result)
    }

    pub(super) fn no_method<'a>(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        known: impl Iterator<Item = &'a str>,
    ) -> Ty {
        if self.may_have(found, Missed::Function(method.name)) {
            self.give_up(found);
            return Ty::Error;
        }
        let described = self.describe(found);
        self.give_up(found);
        let head = Place::Head(method.call);
        let finding = Finding::new(
            codes::MEMBER,
            head,
            format!("{described} has no method `.{}()`", method.name),
        );
        let field = match found.peeled() {
            Ty::Adt { def, .. } => {
                self.fields_of(def).into_iter().find(|field| field.name == *method.name)
            }
            _ => None,
        };
        let known: Vec<&str> = known.collect();
        if known.contains(&MathFn::Exp.name())
            && let Some(instead) = other_math(method.name)
        {
            return self.refuse(match instead {
                "" => finding,
                instead => finding.note(format!("it is written `{instead}`")),
            });
        }
        let foreign = foreign_method(method.name).filter(|meant| known.contains(meant));
        if field.is_none()
            && foreign.is_none()
            && let Some(finding) = self.in_place_of(&finding, method, found)
        {
            return self.refuse(finding);
        }
        let finding = match (field, foreign.or_else(|| similar(method.name, known))) {
            (Some(field), _) if matches!(field.ty, Ty::Fn(_)) => finding.note(format!(
                "the field `{}` holds a function: call it with `(x.{})(..)`",
                field.name, field.name
            )),
            (Some(field), _) => finding
                .note(format!("`{}` is a field, and is read without parentheses", field.name)),
            (None, Some(meant)) => finding
                .note(format!("did you mean `.{meant}()`?"))
                .remedy(Remedy::Replace(head, format!("change to `{meant}`"), meant.to_owned())),
            (None, None) => {
                let finding = self.obtainable(finding, method.name, found);
                match finding.notes.is_empty() {
                    true => self.what_there_is(finding, method.name, found),
                    false => finding,
                }
            }
        };
        self.refuse(finding)
    }

    pub(super) fn method_arguments(&mut self, method: &MethodCall<'_>, params: &[&str]) -> bool {
        let name = Name::from(format!(".{}()", method.name));
        self.plain_arguments(method.call, &name, params, method.args)
    }
}

/// What other languages call a method of this one.
fn foreign_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "append" | "add" | "push_back" | "emplace_back" => "push",
        "pop_back" => "pop",
        "length" | "size" | "count" => "len",
        "put" | "set" => "insert",
        "contains" | "has" | "has_key" | "containsKey" => "contains_key",
        "delete" | "erase" => "remove",
        "substring" | "substr" => "slice",
        "copy" => "clone",
        "transpose" | "T" => "t",
        "average" | "avg" => "mean",
        "ln" => "log",
        "ln_1p" => "log1p",
        "exp_m1" => "expm1",
        "fabs" => "abs",
        "arcsin" => "asin",
        "arccos" => "acos",
        "arctan" => "atan",
        "arctan2" => "atan2",
        "powf" | "powi" | "power" => "pow",
        "fmin" | "minimum" => "min",
        "fmax" | "maximum" => "max",
        "isnan" | "isNaN" => "is_nan",
        _ => return None,
    })
}

/// How a function of mathematics is written that the language has no method for, as far as it can be: a method
/// that is merely spelt like it computes something else.
fn other_math(name: &str) -> Option<&'static str> {
    Some(match name {
        "log10" => "x.log() / (10.0).log()",
        "exp10" => "(10.0).pow(x)",
        "cbrt" => "x.abs().pow(1.0 / 3.0).copysign(x)",
        "sec" => "1.0 / x.cos()",
        "csc" => "1.0 / x.sin()",
        "cot" => "1.0 / x.tan()",
        "sech" => "1.0 / x.cosh()",
        "csch" => "1.0 / x.sinh()",
        "coth" => "1.0 / x.tanh()",
        "asinh" | "arcsinh" => "(x + (x * x + 1.0).sqrt()).log()",
        "acosh" | "arccosh" => "(x + (x * x - 1.0).sqrt()).log()",
        "atanh" | "arctanh" => "0.5 * (x.log1p() - (-x).log1p())",
        "erfc" => "1.0 - x.erf()",
        "rsqrt" => "1.0 / x.sqrt()",
        "recip" => "1.0 / x",
        "square" => "x * x",
        "sign" | "signum" | "sgn" => "(1.0).copysign(x)",
        "fract" => "x - x.trunc()",
        "fmod" => "x % y",
        "clamp" | "clip" => "x.max(low).min(high)",
        "relu" => "x.max(0.0)",
        "sigmoid" | "logistic" => "1.0 / (1.0 + (-x).exp())",
        "softplus" => "(1.0 + x.exp()).log()",
        "erfinv" | "gamma" | "tgamma" | "lgamma" | "digamma" | "rint" | "sinc" | "sinpi"
        | "cospi" | "tanpi" | "logit" | "softmax" | "hypot3" | "mod" => "",
        _ => return None,
    })
}
