//! Types as people write them.

use std::fmt;

use crate::{Bound, FnTy, GenericArg, TensorTy, Ty, VarKind};

impl fmt::Display for TensorTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor<{}, {}>", self.elem.name(), self.shape)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Error => f.write_str("_"),
            Ty::Never => f.write_str("never"),
            Ty::Void => f.write_str("void"),
            Ty::Scalar(dtype) => f.write_str(dtype.name()),
            Ty::Char => f.write_str("char"),
            Ty::Text => f.write_str("string"),
            Ty::Tensor(tensor) => tensor.fmt(f),
            Ty::Sparse(sparse) => {
                write!(f, "SparseTensor<{}, {}, {}>", sparse.elem.name(), sparse.rows, sparse.cols)
            }
            Ty::Ref { mutable: true, inner } => write!(f, "&mut {inner}"),
            Ty::Ref { mutable: false, inner } => write!(f, "&{inner}"),
            Ty::Tuple(parts) => {
                f.write_str("(")?;
                separated(f, parts)?;
                f.write_str(")")
            }
            Ty::Array { elem, len } => write!(f, "[{elem}; {len}]"),
            Ty::Slice(elem) => write!(f, "[{elem}]"),
            Ty::Fn(function) => function.fmt(f),
            Ty::Adt { def, args } => applied(f, def.name(), args),
            Ty::Collection { kind, args } => applied(f, kind.name(), args),
            Ty::Param(param) => f.write_str(&param.name),
            Ty::Assoc(assoc) => write!(f, "{}::{}", assoc.of, assoc.name),
            Ty::Dyn(bound) => write!(f, "dyn {bound}"),
            Ty::Opaque(opaque) => {
                f.write_str("impl ")?;
                for (index, bound) in opaque.bounds.iter().enumerate() {
                    let plus = if index == 0 { "" } else { " + " };
                    write!(f, "{plus}{bound}")?;
                }
                Ok(())
            }
            Ty::Var(var) => f.write_str(match var.kind {
                VarKind::General => "_",
                VarKind::Int => "{integer}",
                VarKind::Float => "{float}",
            }),
        }
    }
}

fn separated<T: fmt::Display>(f: &mut fmt::Formatter<'_>, parts: &[T]) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{part}")?;
    }
    Ok(())
}

fn applied<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, args: &[T]) -> fmt::Result {
    f.write_str(name)?;
    if args.is_empty() {
        return Ok(());
    }
    f.write_str("<")?;
    separated(f, args)?;
    f.write_str(">")
}

impl fmt::Display for FnTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        separated(f, &self.params)?;
        write!(f, ") -> {}", self.ret)
    }
}

impl fmt::Display for GenericArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenericArg::Type(ty) => ty.fmt(f),
            GenericArg::Const(extent) => extent.fmt(f),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.of_trait.name())?;
        if self.assoc.is_empty() {
            return Ok(());
        }
        f.write_str("<")?;
        for (index, (name, ty)) in self.assoc.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{name} = {ty}")?;
        }
        f.write_str(">")
    }
}
