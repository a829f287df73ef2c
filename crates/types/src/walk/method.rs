//! Methods. A receiver is looked at through its references; what consumes it needs the value itself.

use neuro_db::{Name, codes};
use neuro_hir::{Arg, BuiltinTrait, ExprId, Item, Receiver, TypeArg};
use neuro_num::{DType, MathFn};

use super::elementwise::transposed_shape;
use super::member::MemberCall;
use super::operator::Operand;
use super::{Context, Why};
use crate::methods::{Found, Which};
use crate::traits::known;
use crate::{
    Callee, Finding, GenericArg, MemberOf, Method, Owner, Place, Remedy, TensorTy, TraitDef, Ty,
    fn_sig,
};
use neuro_hir::similar;

/// Methods of the language that this compiler does not have yet.
const LATER_TENSOR_METHODS: &[&str] = &[
    "max", "min", "sort", "argsort", "topk", "map", "zip", "reduce", "reshape", "permute",
    "flatten", "to", "flat", "hessian", "jacobian", "hvp", "forward", "slice", "len",
];
/// A method call under inference.
struct MethodCall<'a> {
    call: ExprId,
    receiver: ExprId,
    name: &'a Name,
    args: &'a [Arg],
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
            let member = MemberCall { call, receiver, name, type_args, args };
            return self.infer_member(&member, found, row);
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

    /// Calls a method of the program; none if the receiver's type has none of this name. What the language
    /// gives a type of its own comes before what a trait adds to it.
    fn program_method(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        type_args: Option<&[TypeArg]>,
        hint: Option<&Ty>,
    ) -> Option<Ty> {
        let mut on = found.peeled().clone();
        if matches!(on, Ty::Var(_)) && !self.is_of_language(found, method.name) {
            // A literal that only a trait gives the method is of the type that it takes by default.
            let default = self.default_of(&on);
            if !crate::methods::associated(&self.env, &default, method.name).is_empty() {
                on = self.table.finish(&on);
            }
        }
        let mut members = crate::methods::associated(&self.env, &on, method.name);
        let member = members.pop()?;
        if member.of_trait.is_some() && self.is_of_language(found, method.name) {
            return None;
        }
        if !members.is_empty() {
            members.push(member);
            return Some(self.several_traits(method, &on, &members));
        }
        let name = method.name;
        let head = Place::Head(method.call);
        if member.of_trait == Some(TraitDef::Builtin(BuiltinTrait::Drop)) {
            let finding = Finding::new(
                codes::MEMBER,
                head,
                format!("`{name}` runs when a value ends, and is not called by hand"),
            );
            return Some(self.refuse(finding.note("a value ends earlier in a block of its own")));
        }
        let function = match member.function {
            Which::OfBlock(function, _) | Which::OfTrait(function) => function,
            Which::Known(of_trait, index) => {
                return Some(self.known_method(method, found, (of_trait, index), type_args));
            }
        };
        let sig = fn_sig(self.db, function);
        let Some(receiver) = &sig.receiver else {
            self.report(
                Finding::new(
                    codes::MEMBER,
                    head,
                    format!("`{name}` is a function of `{on}`, not a method: it has no receiver"),
                )
                .note(format!("call it as `{on}::{name}(..)`")),
            );
            return Some(Ty::Error);
        };
        self.callees.insert(method.call, Callee::Function(function));
        self.receiver(method, found, receiver);
        let outer = self.method_args(&member, &on);
        let item = Item::Function(function);
        let Some(args) = self.turbofish(method.call, item, name, type_args, &outer) else {
            return Some(Ty::Error);
        };
        Some(self.call_function(method.call, function, args, name, method.args, hint))
    }

    /// What a literal is if nothing says its type.
    fn default_of(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Var(var) if var.is_int() => Ty::Scalar(DType::I32),
            Ty::Var(var) if var.is_float() => Ty::Scalar(DType::F64),
            ty => ty.clone(),
        }
    }

    /// Whether the language gives a type a method of this name.
    fn is_of_language(&self, found: &Ty, name: &str) -> bool {
        let member = MemberOf::of(found).and_then(|of| of.find(name)).is_some();
        member
            || match self.operand(found) {
                Operand::Tensor(_) => {
                    Method::from_name(name).is_some() || LATER_TENSOR_METHODS.contains(&name)
                }
                Operand::Scalar(dtype) => dtype.is_float() && MathFn::from_name(name).is_some(),
                Operand::Number(var) => var.is_float() && MathFn::from_name(name).is_some(),
                Operand::Char | Operand::Text | Operand::Other => false,
            }
    }

    /// Reports a method that several traits have.
    fn several_traits(&mut self, method: &MethodCall<'_>, on: &Ty, members: &[Found<'_>]) -> Ty {
        let name = method.name;
        let mut traits: Vec<&TraitDef> =
            members.iter().filter_map(|member| member.of_trait.as_ref()).collect();
        traits.sort_by_key(|of_trait| of_trait.name().to_owned());
        let listed: Vec<String> =
            traits.iter().map(|of_trait| format!("`{}`", of_trait.name())).collect();
        let first = traits.first().map_or("", |of_trait| of_trait.name());
        let finding = Finding::new(
            codes::AMBIGUOUS_METHOD,
            Place::Head(method.call),
            format!("`{name}` of `{on}` is a method of {}", listed.join(" and of ")),
        );
        let finding = traits.iter().fold(finding, |finding, of_trait| match of_trait {
            TraitDef::Item(def) => finding.elsewhere(
                Owner::Method(def.clone(), name.clone()),
                Place::FunctionName,
                format!("`{}` declares it here", of_trait.name()),
            ),
            TraitDef::Builtin(_) => finding,
        });
        self.refuse(finding.note(format!("say which one is meant: `{first}::{name}(..)`")))
    }

    /// Calls a method that no item declares.
    fn known_method(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        (of_trait, index): (BuiltinTrait, usize),
        type_args: Option<&[TypeArg]>,
    ) -> Ty {
        let Some(known) = known::methods(of_trait).get(index) else { return Ty::Error };
        let on = found.peeled().clone();
        self.callees.insert(method.call, Callee::Known(of_trait, index));
        self.generic_args.insert(method.call, vec![GenericArg::Type(on.clone())]);
        if type_args.is_some() {
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Turbofish(method.call, None),
                format!("`.{}()` takes no type arguments", method.name),
            ));
        }
        let receiver = match known.receiver {
            Receiver::ByRef => on.clone().reference(false),
            Receiver::ByMut => on.clone().reference(true),
            Receiver::ByValue => on.clone(),
        };
        self.receiver(method, found, &receiver);
        let output = self.output(&on, of_trait);
        let params: &[&str] = if known.rhs.is_some() { &["rhs"] } else { &[] };
        if self.plain_arguments(method.call, method.name, params, method.args)
            && let (Some(rhs), Some(arg)) = (known.rhs, method.args.first())
        {
            let why = Why::Argument {
                callee: method.name.clone(),
                param: Name::new_static("rhs"),
                declared: None,
            };
            self.check(arg.value, &rhs.ty(&on, &output), &why);
        }
        known.ret.ty(&on, &output)
    }

    /// Checks that a receiver can be lent or given as a method takes it.
    fn receiver(&mut self, method: &MethodCall<'_>, found: &Ty, wanted: &Ty) {
        let name = method.name;
        match wanted {
            Ty::Ref { mutable: true, .. } => {
                if let Some(finding) = self.not_changeable(method.receiver) {
                    let finding = finding.note(format!(
                        "`.{name}()` takes `&mut self`: it changes what it is called on"
                    ));
                    self.report(finding);
                }
            }
            Ty::Ref { mutable: false, .. } => {}
            _ => {
                let copied = crate::is_copy(self.db, self.env.generics(), found.peeled());
                if matches!(found, Ty::Ref { .. }) && !copied {
                    let described = self.describe(found);
                    self.report(Finding::new(
                        codes::MEMBER,
                        Place::Head(method.call),
                        format!("`.{name}()` consumes what it is called on, and this is only borrowed: {described}"),
                    ));
                }
            }
        }
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
    fn math(&mut self, method: &MethodCall<'_>, function: MathFn, result: &Ty, scalar: &Ty) -> Ty {
        self.callees.insert(method.call, Callee::Method(Method::Math(function)));
        let params: &[&str] = if function.arity() == 2 { &["exponent"] } else { &[] };
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
                        param: "exponent".into(),
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

    fn tensor_method(&mut self, method: &MethodCall<'_>, found: &Ty, tensor: &TensorTy) -> Ty {
        let name = method.name.as_str();
        let known = match Method::from_name(name) {
            Some(Method::Math(function)) => {
                return self.tensor_math(method, function, tensor);
            }
            Some(known) => known,
            None if LATER_TENSOR_METHODS.contains(&name) => {
                return self.refuse(self.later(method));
            }
            None => return self.no_method(method, found, Method::all().map(Method::name)),
        };
        let axis = method.args.iter().any(|arg| arg.label.as_deref() == Some("axis"));
        if axis && matches!(known, Method::Sum | Method::Mean) {
            return self.refuse(Finding::new(
                codes::UNSUPPORTED,
                Place::Head(method.call),
                format!("`.{name}(axis:)` is not supported yet"),
            ));
        }
        self.callees.insert(method.call, Callee::Method(known));
        if !self.method_arguments(method, &[]) {
            return Ty::Error;
        }
        let needs_extents =
            matches!(known, Method::Sum | Method::Mean | Method::Clone | Method::Transpose);
        let what = format!("`.{name}()`");
        if needs_extents && self.dynamic_axis(Place::Head(method.call), &what, tensor) {
            return Ty::Error;
        }
        let problem = self.method_problem(method, known, found, tensor);
        match problem {
            Some(finding) => self.refuse(finding),
            None => method_result(known, tensor),
        }
    }

    /// A function of the table on every element.
    fn tensor_math(&mut self, method: &MethodCall<'_>, function: MathFn, tensor: &TensorTy) -> Ty {
        if !tensor.elem.is_float() {
            return self.refuse(Finding::new(
                codes::MEMBER,
                Place::Head(method.call),
                format!("`.{}()` exists on tensors of floats, not on `{tensor}`", method.name),
            ));
        }
        let result = Ty::Tensor(tensor.clone());
        self.math(method, function, &result, &Ty::Scalar(tensor.elem))
    }

    /// What keeps a tensor from having a method that exists.
    fn method_problem(
        &self,
        method: &MethodCall<'_>,
        known: Method,
        found: &Ty,
        tensor: &TensorTy,
    ) -> Option<Finding> {
        let name = method.name;
        let head = Place::Head(method.call);
        let member = |message: String| Some(Finding::new(codes::MEMBER, head, message));
        let shape = |message: String| Finding::new(codes::SHAPE, head, message);
        match known {
            Method::Sum | Method::Mean if tensor.elem == DType::Bool => member(format!(
                "`.{name}()` does not exist on `{tensor}`: `bool` has no arithmetic"
            )),
            Method::Mean if !tensor.elem.is_float() => {
                member(format!("`.mean()` exists on tensors of floats, not on `{tensor}`"))
            }
            Method::Sum | Method::Mean if tensor.shape.elements() == Some(0) => {
                Some(shape(format!("`{tensor}` has no elements to reduce")))
            }
            Method::Item if tensor.shape.rank() != 0 => Some(
                shape(format!(
                    "`.item()` reads the element of a rank-0 tensor, and this is `{tensor}`"
                ))
                .note("read one element with `t[..]`, or reduce with `.sum()` or `.mean()`"),
            ),
            Method::Transpose | Method::Detach
                if matches!(self.resolved(found), Ty::Ref { .. }) =>
            {
                Some(self.consumes(method, found))
            }
            Method::Transpose if tensor.shape.rank() != 2 => {
                let rank = tensor.shape.rank();
                Some(
                    shape(format!(
                        "`.t()` transposes a matrix (rank 2), and `{tensor}` has rank {rank}"
                    ))
                    .note("`.permute([..])` reorders the axes of any tensor"),
                )
            }
            Method::Backward if !is_loss(tensor) => member(format!(
                "`.backward()` exists on the loss of a `@grad` call, a rank-0 tensor of floats; this is `{tensor}`"
            )),
            Method::Grad | Method::ZeroGrad if !tensor.elem.is_float() => {
                member(format!("only tensors of floats have gradients, and this is `{tensor}`"))
            }
            Method::Grad | Method::ZeroGrad if !self.has_slot(method.receiver) => Some(
                Finding::new(
                    codes::MEMBER,
                    Place::Expr(method.receiver),
                    format!("`.{name}()` needs a tensor that lives on, and this value ends here"),
                )
                .note(
                    "a gradient is kept beside the tensor that was passed to the `@grad` function",
                ),
            ),
            Method::Math(_)
            | Method::Sum
            | Method::Mean
            | Method::Item
            | Method::Clone
            | Method::Transpose
            | Method::Detach
            | Method::Backward
            | Method::Grad
            | Method::ZeroGrad => None,
        }
    }

    /// Whether the receiver is a place, or a reference to one.
    fn has_slot(&self, receiver: ExprId) -> bool {
        self.is_place(receiver) || matches!(self.type_of(receiver), Ty::Ref { .. })
    }

    fn consumes(&self, method: &MethodCall<'_>, found: &Ty) -> Finding {
        let name = method.name;
        let described = self.describe(found);
        let finding = Finding::new(
            codes::MEMBER,
            Place::Head(method.call),
            format!(
                "{described} has no method `.{name}()`: it consumes the tensor, and this one is borrowed"
            ),
        );
        let finding = finding.note("clone it first");
        if self.is_postfix(method.receiver) {
            finding.remedy(Remedy::InsertAfter(
                Place::Expr(method.receiver),
                "clone it first".to_owned(),
                ".clone()".to_owned(),
            ))
        } else {
            finding
        }
    }

    fn later(&self, method: &MethodCall<'_>) -> Finding {
        Finding::new(
            codes::UNSUPPORTED,
            Place::Head(method.call),
            format!("`.{}()` is not supported yet", method.name),
        )
    }

    fn no_method<'a>(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        known: impl Iterator<Item = &'a str>,
    ) -> Ty {
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
        let foreign = foreign_method(method.name).filter(|meant| known.contains(meant));
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
            (None, None) => finding,
        };
        self.refuse(finding)
    }

    fn method_arguments(&mut self, method: &MethodCall<'_>, params: &[&str]) -> bool {
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
        "fabs" => "abs",
        "isnan" | "isNaN" => "is_nan",
        _ => return None,
    })
}

fn is_loss(tensor: &TensorTy) -> bool {
    tensor.elem.is_float() && tensor.shape.rank() == 0
}

fn method_result(method: Method, tensor: &TensorTy) -> Ty {
    match method {
        Method::Sum | Method::Mean | Method::Item => Ty::Scalar(tensor.elem),
        Method::Math(_) | Method::Clone | Method::Detach => Ty::Tensor(tensor.clone()),
        Method::Transpose => match transposed_shape(&tensor.shape) {
            Some(shape) => Ty::Tensor(TensorTy { elem: tensor.elem, shape }),
            None => Ty::Error,
        },
        Method::Backward | Method::ZeroGrad => Ty::Void,
        Method::Grad => Ty::Tensor(tensor.clone()).reference(false),
    }
}
