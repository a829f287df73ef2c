//! What an op's text says beside its name, operands and types. [`attributes`] and [`from_text`] are inverses.

use neuro_num::{BinOp, CmpOp, MathFn, Overflow, Scalar, UnOp};

use crate::{Dense, OpKind, Type};

/// One attribute's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// Present or not.
    Flag,
    /// A list of axes.
    Axes(Vec<usize>),
    /// A text.
    Text(String),
}

/// The names under which the regions of an op are printed, in order.
pub(crate) fn region_names(kind: &OpKind) -> &'static [&'static str] {
    match kind {
        OpKind::If => &["then", "else"],
        OpKind::While => &["test", "do"],
        OpKind::Const(_)
        | OpKind::Dense(_)
        | OpKind::Unary { .. }
        | OpKind::Binary { .. }
        | OpKind::Math(_)
        | OpKind::Compare(_)
        | OpKind::Select
        | OpKind::Convert(_)
        | OpKind::Broadcast { .. }
        | OpKind::Reshape { .. }
        | OpKind::Detach
        | OpKind::Transpose { .. }
        | OpKind::Sum { .. }
        | OpKind::MatMul { .. }
        | OpKind::Element
        | OpKind::Scatter { .. }
        | OpKind::Update { .. }
        | OpKind::Pack { .. }
        | OpKind::Push { .. }
        | OpKind::Pop { .. }
        | OpKind::Assert { .. } => &[],
    }
}

/// The attributes of an op, in the order of their text. What the types already say is left out.
pub(crate) fn attributes(kind: &OpKind) -> Vec<(&'static str, Attribute)> {
    let trap = |overflow: Overflow| match overflow {
        Overflow::Trap => Some(("trap", Attribute::Flag)),
        Overflow::Wrap => None,
    };
    let flag = |name, set: bool| set.then_some((name, Attribute::Flag));
    match kind {
        OpKind::Unary { overflow, .. } | OpKind::Binary { overflow, .. } => {
            trap(*overflow).into_iter().collect()
        }
        OpKind::Broadcast { axes, .. } => vec![("axes", Attribute::Axes(axes.to_vec()))],
        OpKind::Transpose { perm } => vec![("perm", Attribute::Axes(perm.to_vec()))],
        OpKind::Sum { axes, overflow } => {
            let axes = ("axes", Attribute::Axes(axes.to_vec()));
            std::iter::once(axes).chain(trap(*overflow)).collect()
        }
        OpKind::MatMul { transpose_lhs, transpose_rhs, overflow } => {
            let flags = [
                flag("transpose_lhs", *transpose_lhs),
                flag("transpose_rhs", *transpose_rhs),
                trap(*overflow),
            ];
            flags.into_iter().flatten().collect()
        }
        OpKind::Push { frame } | OpKind::Pop { frame, .. } => {
            vec![("frame", Attribute::Axes(vec![*frame as usize]))]
        }
        OpKind::Assert { message } => vec![("message", Attribute::Text(message.to_string()))],
        OpKind::Const(_)
        | OpKind::Dense(_)
        | OpKind::Math(_)
        | OpKind::Compare(_)
        | OpKind::Select
        | OpKind::Convert(_)
        | OpKind::Reshape { .. }
        | OpKind::Detach
        | OpKind::Element
        | OpKind::Scatter { .. }
        | OpKind::Update { .. }
        | OpKind::Pack { .. }
        | OpKind::If
        | OpKind::While => Vec::new(),
    }
}

/// What the text of an op says.
pub(crate) struct OpText<'t> {
    pub(crate) name: &'t str,
    pub(crate) attributes: Vec<(String, Attribute)>,
    /// The numbers of a constant.
    pub(crate) literals: Vec<Scalar>,
    /// The result types.
    pub(crate) types: &'t [Type],
}

/// The op that a text names.
pub(crate) fn from_text(mut text: OpText<'_>) -> Result<OpKind, String> {
    let kind = kind_from_text(&mut text)?;
    match text.attributes.first() {
        Some((name, _)) => Err(format!("{} has no attribute `{name}`", text.name)),
        None => Ok(kind),
    }
}

fn kind_from_text(text: &mut OpText<'_>) -> Result<OpKind, String> {
    let name = text.name;
    if let Some(op) = UnOp::ALL.into_iter().find(|op| op.name() == name) {
        return Ok(OpKind::Unary { op, overflow: text.overflow() });
    }
    if let Some(op) = BinOp::ALL.into_iter().find(|op| op.name() == name) {
        return Ok(OpKind::Binary { op, overflow: text.overflow() });
    }
    if let Some(op) = CmpOp::ALL.into_iter().find(|op| op.name() == name) {
        return Ok(OpKind::Compare(op));
    }
    if let Some(function) = MathFn::from_name(name) {
        return Ok(OpKind::Math(function));
    }
    Ok(match name {
        "const" => match text.literals.as_slice() {
            [value] => OpKind::Const(*value),
            _ => return Err("const has one value".to_owned()),
        },
        "dense" => Dense::new(text.ty()?.clone(), std::mem::take(&mut text.literals))
            .map(OpKind::Dense)
            .ok_or("dense has as many values as its type has elements")?,
        "select" => OpKind::Select,
        "convert" => OpKind::Convert(text.ty()?.dtype),
        "broadcast" => {
            OpKind::Broadcast { dims: text.ty()?.dims.clone(), axes: text.axes("axes")?.into() }
        }
        "reshape" => OpKind::Reshape { dims: text.ty()?.dims.clone() },
        "transpose" => OpKind::Transpose { perm: text.axes("perm")?.into() },
        "sum" => OpKind::Sum { axes: text.axes("axes")?.into(), overflow: text.overflow() },
        "matmul" => OpKind::MatMul {
            transpose_lhs: text.flag("transpose_lhs"),
            transpose_rhs: text.flag("transpose_rhs"),
            overflow: text.overflow(),
        },
        "element" => OpKind::Element,
        "scatter" => OpKind::Scatter { dims: text.ty()?.dims.clone() },
        "update" => OpKind::Update { add: false },
        "accumulate" => OpKind::Update { add: true },
        "push" => OpKind::Push { frame: text.frame()? },
        "pop" => OpKind::Pop { frame: text.frame()?, types: text.types.to_vec() },
        "pack" => OpKind::Pack { dims: text.ty()?.dims.clone() },
        "detach" => OpKind::Detach,
        "assert" => match text.take("message") {
            Some(Attribute::Text(message)) => OpKind::Assert { message: message.into() },
            _ => return Err("assert has a message".to_owned()),
        },
        "if" => OpKind::If,
        "while" => OpKind::While,
        _ => return Err(format!("there is no op `{name}`")),
    })
}

impl OpText<'_> {
    fn take(&mut self, name: &str) -> Option<Attribute> {
        let position = self.attributes.iter().position(|(have, _)| have == name)?;
        Some(self.attributes.remove(position).1)
    }

    fn flag(&mut self, name: &str) -> bool {
        self.take(name).is_some()
    }

    fn overflow(&mut self) -> Overflow {
        if self.flag("trap") { Overflow::Trap } else { Overflow::Wrap }
    }

    fn axes(&mut self, name: &str) -> Result<Vec<usize>, String> {
        match self.take(name) {
            Some(Attribute::Axes(axes)) => Ok(axes),
            _ => Err(format!("{} needs the list `{name}`", self.name)),
        }
    }

    fn frame(&mut self) -> Result<u32, String> {
        match self.axes("frame")?.as_slice() {
            [frame] => u32::try_from(*frame).map_err(|_| "a frame's number has 32 bits".to_owned()),
            _ => Err(format!("{} has one frame", self.name)),
        }
    }

    fn ty(&self) -> Result<&Type, String> {
        self.types.first().ok_or_else(|| format!("{} needs a type", self.name))
    }
}
