//! Types and paths as written, from the tree.

use neuro_db::Name;
use neuro_syntax::{AstNode, ast};
use text_size::TextRange;

use super::scope::Scopes;
use crate::path_map::{ArgRanges, PathMap, PathRanges, SegmentRanges};
use crate::{Bound, DimRef, Extent, LocalId, Path, Segment, TypeArg, TypeRef, tree};

/// Lowers the types and paths of one header or body.
#[derive(Default)]
pub(crate) struct TypeLowering {
    /// Where the paths stand.
    pub(crate) paths: PathMap,
    /// The locals that are visible, of a body.
    pub(super) scopes: Scopes,
    /// The locals that types name.
    pub(super) uses: Vec<LocalId>,
    /// What no type may hold.
    pub(crate) problems: Vec<(TextRange, &'static str)>,
}

impl TypeLowering {
    /// Notes where paths stand, or only numbers them, as the map does.
    pub(crate) fn noting(paths: PathMap) -> Self {
        Self { paths, ..Self::default() }
    }

    /// A type that may be missing; then the parser has reported it.
    pub(crate) fn lower_opt(&mut self, ty: Option<ast::Type>) -> TypeRef {
        ty.map_or(TypeRef::Error, |ty| self.lower(&ty))
    }

    /// A type.
    pub(crate) fn lower(&mut self, ty: &ast::Type) -> TypeRef {
        match ty {
            ast::Type::Path(path) => match path.path() {
                Some(path) => type_of_path(self.lower_path(&path)),
                None => TypeRef::Error,
            },
            ast::Type::Ref(reference) => TypeRef::Ref {
                mutable: reference.mut_token().is_some(),
                inner: Box::new(self.lower_opt(reference.inner())),
            },
            ast::Type::Array(array) => TypeRef::Array {
                elem: Box::new(self.lower_opt(array.element())),
                len: self.lower_extent(array.len()),
            },
            ast::Type::Slice(slice) => TypeRef::Slice(Box::new(self.lower_opt(slice.element()))),
            ast::Type::Tuple(tuple) => {
                TypeRef::Tuple(tuple.elements().map(|element| self.lower(&element)).collect())
            }
            ast::Type::Fn(function) => TypeRef::Fn {
                params: function.params().map(|param| self.lower(&param)).collect(),
                ret: Box::new(self.lower_opt(function.ret_type())),
            },
            ast::Type::Dyn(object) => match object.bound() {
                Some(bound) => TypeRef::Dyn(self.lower_bound(&bound)),
                None => TypeRef::Error,
            },
            ast::Type::Impl(some) => match some.bound() {
                Some(bound) => TypeRef::Impl(self.lower_bound(&bound)),
                None => TypeRef::Error,
            },
            ast::Type::Paren(paren) => self.lower_opt(paren.inner()),
        }
    }

    /// A bound: a trait and the associated types that it pins.
    pub(crate) fn lower_bound(&mut self, bound: &ast::Bound) -> Bound {
        let path = match bound.path() {
            Some(path) => self.lower_path(&path),
            None => self.no_path(tree::trimmed_range(bound.syntax())),
        };
        let bindings = bound
            .bindings()
            .map(|(name, ty)| (tree::name_ref_text(name), self.lower_opt(ty)))
            .collect();
        Bound { path, bindings }
    }

    /// A path with its arguments.
    pub(crate) fn lower_path(&mut self, path: &ast::Path) -> Path {
        let id = self.paths.reserve();
        let mut segments = Vec::with_capacity(1);
        for segment in path.segments() {
            let args = segment.type_args().map(|list| self.lower_args(&list));
            segments.push(Segment { name: tree::name_ref_text(segment.name()), args });
        }
        if segments.is_empty() {
            segments.push(Segment { name: Name::default(), args: None });
        }
        if self.paths.keeps() {
            self.paths.set(id, path_ranges(path));
        }
        segments.shrink_to_fit();
        Path { id, segments }
    }

    /// A path of one name.
    pub(crate) fn name_path(&mut self, name: Name, range: TextRange) -> Path {
        let id = self.paths.reserve();
        if self.paths.keeps() {
            let segments = vec![SegmentRanges { name: range, ..SegmentRanges::default() }];
            self.paths.set(id, PathRanges { whole: range, segments });
        }
        Path { id, segments: vec![Segment { name, args: None }] }
    }

    /// What stands for a path that a syntax error left out.
    pub(crate) fn no_path(&mut self, range: TextRange) -> Path {
        self.name_path(Name::default(), range)
    }

    /// The arguments of a path or a method.
    pub(crate) fn lower_args(&mut self, list: &ast::TypeArgList) -> Vec<TypeArg> {
        let mut args: Vec<TypeArg> = list.args().map(|arg| self.lower_arg(&arg)).collect();
        args.shrink_to_fit();
        args
    }

    fn lower_arg(&mut self, arg: &ast::TypeArg) -> TypeArg {
        match arg {
            ast::TypeArg::Shape(shape) => {
                let mut dims: Vec<DimRef> = shape.dims().map(|dim| self.lower_dim(&dim)).collect();
                dims.shrink_to_fit();
                TypeArg::Shape(dims)
            }
            ast::TypeArg::Const(literal) => self.lower_const_arg(literal),
            ast::TypeArg::Lifetime(_) => TypeArg::Lifetime,
            ast::TypeArg::Path(path) => {
                let name = path.path().and_then(|path| path.as_single_name());
                let local = name.and_then(|name| self.scopes.find_const(&name.text()));
                match local {
                    Some(local) => {
                        self.uses.push(local);
                        TypeArg::Local(local)
                    }
                    None => TypeArg::Type(self.lower(&ast::Type::Path(path.clone()))),
                }
            }
            ast::TypeArg::Ref(_)
            | ast::TypeArg::Array(_)
            | ast::TypeArg::Slice(_)
            | ast::TypeArg::Tuple(_)
            | ast::TypeArg::Fn(_)
            | ast::TypeArg::Dyn(_)
            | ast::TypeArg::Impl(_)
            | ast::TypeArg::Paren(_) => match arg.ty() {
                Some(ty) => TypeArg::Type(self.lower(&ty)),
                None => TypeArg::Error,
            },
        }
    }

    fn lower_const_arg(&mut self, arg: &ast::ConstArg) -> TypeArg {
        let Some(literal) = arg.literal().and_then(|literal| literal.kind()) else {
            return TypeArg::Error;
        };
        match literal {
            ast::LiteralKind::Int(int) => match int.value() {
                Ok(int) => {
                    let value = i128::from(int.value);
                    TypeArg::Int(if arg.minus_token().is_some() { -value } else { value })
                }
                Err(_) => TypeArg::Error,
            },
            ast::LiteralKind::Float(_) | ast::LiteralKind::Char(_) | ast::LiteralKind::Bool(_) => {
                let range = tree::trimmed_range(arg.syntax());
                self.problems.push((range, "a type argument is a type, an integer or a shape"));
                TypeArg::Error
            }
        }
    }

    fn lower_dim(&mut self, dim: &ast::Dim) -> DimRef {
        DimRef {
            name: dim.axis().map(|axis| Name::from(axis.text())),
            extent: self.lower_extent(dim.extent()),
        }
    }

    fn lower_extent(&mut self, extent: Option<ast::Extent>) -> Extent {
        match extent {
            Some(ast::Extent::Int(token)) => {
                match ast::IntLit::cast(token).map(|literal| literal.value()) {
                    Some(Ok(value)) => Extent::Known(value.value),
                    Some(Err(_)) | None => Extent::Error,
                }
            }
            Some(ast::Extent::Name(name)) => {
                let text = Name::from(name.text());
                match self.scopes.find(&text) {
                    _ if text.is_empty() => Extent::Error,
                    Some(local) => {
                        self.uses.push(local);
                        Extent::Local(local)
                    }
                    None => Extent::Name(self.name_path(text, tree::trimmed_range(name.syntax()))),
                }
            }
            Some(ast::Extent::Dynamic(_)) => Extent::Dynamic,
            None => Extent::Error,
        }
    }
}

/// Where a path and its parts stand.
fn path_ranges(path: &ast::Path) -> PathRanges {
    let whole = tree::trimmed_range(path.syntax());
    let segment = |segment: ast::PathSegment| {
        let whole = tree::trimmed_range(segment.syntax());
        let list = segment.type_args();
        SegmentRanges {
            name: segment.name().map_or(whole, |name| tree::trimmed_range(name.syntax())),
            list: list.as_ref().map(|list| tree::trimmed_range(list.syntax())),
            args: list.as_ref().map(arg_ranges).unwrap_or_default(),
        }
    };
    let mut segments: Vec<SegmentRanges> = path.segments().map(segment).collect();
    if segments.is_empty() {
        segments.push(SegmentRanges { name: whole, ..SegmentRanges::default() });
    }
    PathRanges { whole, segments }
}

/// Where the arguments of a path or a method stand.
pub(crate) fn arg_ranges(list: &ast::TypeArgList) -> Vec<ArgRanges> {
    let ranges = |arg: ast::TypeArg| {
        let dims = match &arg {
            ast::TypeArg::Shape(shape) => {
                shape.dims().map(|dim| tree::trimmed_range(dim.syntax())).collect()
            }
            _ => Vec::new(),
        };
        ArgRanges { whole: tree::trimmed_range(arg.syntax()), dims }
    };
    list.args().map(ranges).collect()
}

/// What a path is as a type.
fn type_of_path(path: Path) -> TypeRef {
    match path.segments.as_slice() {
        _ if path.is_broken() => TypeRef::Error,
        [first] if first.name == "Self" && first.args.is_none() => TypeRef::SelfType,
        [first, _] if first.name == "Self" && first.args.is_none() => TypeRef::SelfAssoc(path),
        _ => TypeRef::Path(path),
    }
}
