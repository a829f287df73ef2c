//! Types as written, from the tree.

use neuro_db::Name;
use neuro_syntax::{AstNode, ast};

use crate::{DimRef, Extent, TypeRef, tree};

/// The name whose application to an element type and a shape is a tensor.
const TENSOR: &str = "Tensor";

/// Lowers the types of one item.
pub(crate) struct TypeLowering<'a> {
    /// Names of the file's items that are not supported yet and already reported, sorted.
    reported: &'a [Name],
    /// The item's generic parameters, which are reported in its header.
    generics: Vec<Name>,
}

impl<'a> TypeLowering<'a> {
    pub(crate) fn new(reported: &'a [Name]) -> Self {
        Self { reported, generics: Vec::new() }
    }

    /// The lowering for a function, whose generic parameters are names too.
    pub(crate) fn of_function(reported: &'a [Name], func: &ast::Func) -> Self {
        let generics = func
            .generics()
            .into_iter()
            .flat_map(|list| list.params())
            .filter_map(|param| match param {
                ast::GenericParam::Type(param) => param.name(),
                ast::GenericParam::Const(param) => param.name(),
                ast::GenericParam::Lifetime(_) => None,
            })
            .map(|name| Name::from(name.text()))
            .collect();
        Self { reported, generics }
    }

    /// Whether a name belongs to an item or a generic parameter that is already reported.
    pub(crate) fn is_reported(&self, name: &str) -> bool {
        self.reported.binary_search_by(|reported| reported.as_str().cmp(name)).is_ok()
            || self.generics.iter().any(|generic| generic == name)
    }

    /// Whether the file has such items at all.
    pub(crate) fn reports_any(&self) -> bool {
        !self.reported.is_empty()
    }

    /// A type that may be missing; then the parser has reported it.
    pub(crate) fn lower_opt(&self, ty: Option<ast::Type>) -> TypeRef {
        ty.map_or(TypeRef::Error, |ty| self.lower(&ty))
    }

    /// A type.
    pub(crate) fn lower(&self, ty: &ast::Type) -> TypeRef {
        let unsupported = || TypeRef::Unsupported(written(ty));
        match ty {
            ast::Type::Path(path) => self.lower_path(path),
            ast::Type::Ref(reference) => match reference.inner() {
                Some(ast::Type::Slice(_) | ast::Type::Dyn(_)) => unsupported(),
                inner => TypeRef::Ref {
                    mutable: reference.mut_token().is_some(),
                    inner: Box::new(self.lower_opt(inner)),
                },
            },
            ast::Type::Array(array) => TypeRef::Array {
                elem: Box::new(self.lower_opt(array.element())),
                len: self.lower_extent(array.len()),
            },
            ast::Type::Paren(paren) => self.lower_opt(paren.inner()),
            ast::Type::Slice(_)
            | ast::Type::Tuple(_)
            | ast::Type::Fn(_)
            | ast::Type::Dyn(_)
            | ast::Type::Impl(_) => unsupported(),
        }
    }

    fn lower_path(&self, path: &ast::PathType) -> TypeRef {
        let mut segments = path.segments();
        let Some(first) = segments.next() else { return TypeRef::Error };
        let name = tree::name_ref_text(first.name());
        if name.is_empty() || self.is_reported(&name) {
            return TypeRef::Error;
        }
        if segments.next().is_some() {
            return TypeRef::Unsupported(written(&ast::Type::Path(path.clone())));
        }
        match first.type_args() {
            None => TypeRef::Name(name),
            Some(args) => self.lower_application(&name, &args),
        }
    }

    /// `name<args>`: a tensor, or a generic type.
    pub(crate) fn lower_application(&self, name: &Name, args: &ast::TypeArgList) -> TypeRef {
        let unsupported = || {
            TypeRef::Unsupported(format!(
                "{name}{}",
                tree::text(args.syntax()).trim_start_matches("::")
            ))
        };
        if name != TENSOR {
            return unsupported();
        }
        let mut args = args.args();
        match (args.next(), args.next(), args.next()) {
            (Some(elem), Some(ast::TypeArg::Shape(shape)), None) => match elem.ty() {
                Some(elem) => TypeRef::Tensor {
                    elem: Box::new(self.lower(&elem)),
                    dims: shape.dims().map(|dim| self.lower_dim(&dim)).collect(),
                },
                None => unsupported(),
            },
            _ => unsupported(),
        }
    }

    /// A type argument of a method call.
    pub(crate) fn lower_arg(&self, arg: &ast::TypeArg) -> TypeRef {
        match arg.ty() {
            Some(ty) => self.lower(&ty),
            None => TypeRef::Unsupported(tree::text(arg.syntax())),
        }
    }

    fn lower_dim(&self, dim: &ast::Dim) -> DimRef {
        DimRef {
            name: dim.axis().map(|axis| Name::from(axis.text())),
            extent: self.lower_extent(dim.extent()),
        }
    }

    fn lower_extent(&self, extent: Option<ast::Extent>) -> Extent {
        match extent {
            Some(ast::Extent::Int(token)) => {
                match ast::IntLit::cast(token).map(|literal| literal.value()) {
                    Some(Ok(value)) => Extent::Known(value.value),
                    Some(Err(_)) | None => Extent::Error,
                }
            }
            Some(ast::Extent::Name(name)) => match Name::from(name.text()) {
                name if name.is_empty() || self.is_reported(&name) => Extent::Error,
                name => Extent::Name(name),
            },
            Some(ast::Extent::Dynamic(_)) => Extent::Dynamic,
            None => Extent::Error,
        }
    }
}

/// The text of a type.
fn written(ty: &ast::Type) -> String {
    tree::text(ty.syntax())
}
