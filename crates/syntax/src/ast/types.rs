//! Types, paths and shapes.

use super::{AstNode, Bound, Name, NameRef, child, children, choices, nodes, nth_child, token};
use super::{Literal, tokens};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};
use rowan::ast::AstChildren;

nodes! {
    /// `&T`, `&mut T`, `&'a T`.
    RefType = REF_TYPE;
    /// `i32`, `Vec<T>`, `Tensor<f32, [2, 3]>`, `Self::Item`.
    PathType = PATH_TYPE;
    /// `[T; N]`.
    ArrayType = ARRAY_TYPE;
    /// `[T]`.
    SliceType = SLICE_TYPE;
    /// `(A, B)`.
    TupleType = TUPLE_TYPE;
    /// `(A, B) -> R`.
    FnType = FN_TYPE;
    /// `dyn Trait`.
    DynType = DYN_TYPE;
    /// `impl Trait`.
    ImplType = IMPL_TYPE;
    /// `(T)`.
    ParenType = PAREN_TYPE;
    /// `<T, 4, [2, 3]>`, in an expression behind `::`.
    TypeArgList = TYPE_ARG_LIST;
    /// A literal among type arguments.
    ConstArg = CONST_ARG;
    /// A lifetime among type arguments.
    LifetimeArg = LIFETIME_ARG;
    /// `[2, rows: N, ?]`.
    ShapeArg = SHAPE_ARG;
    /// One dimension of a shape.
    Dim = DIM;
    /// `a::b::<T>::c`.
    Path = PATH;
    /// One segment of a path, with its type arguments.
    PathSegment = PATH_SEGMENT;
}

choices! {
    /// A type.
    Type {
        /// A reference.
        Ref(RefType) = REF_TYPE,
        /// A name with its arguments.
        Path(PathType) = PATH_TYPE,
        /// An array.
        Array(ArrayType) = ARRAY_TYPE,
        /// A slice.
        Slice(SliceType) = SLICE_TYPE,
        /// A tuple.
        Tuple(TupleType) = TUPLE_TYPE,
        /// A function type.
        Fn(FnType) = FN_TYPE,
        /// A trait object.
        Dyn(DynType) = DYN_TYPE,
        /// Some type with a bound.
        Impl(ImplType) = IMPL_TYPE,
        /// A type in parentheses.
        Paren(ParenType) = PAREN_TYPE,
    }
    /// One type argument.
    TypeArg {
        /// A reference type.
        Ref(RefType) = REF_TYPE,
        /// A name: a type, or the name of a constant.
        Path(PathType) = PATH_TYPE,
        /// An array type.
        Array(ArrayType) = ARRAY_TYPE,
        /// A slice type.
        Slice(SliceType) = SLICE_TYPE,
        /// A tuple type.
        Tuple(TupleType) = TUPLE_TYPE,
        /// A function type.
        Fn(FnType) = FN_TYPE,
        /// A trait object.
        Dyn(DynType) = DYN_TYPE,
        /// Some type with a bound.
        Impl(ImplType) = IMPL_TYPE,
        /// A type in parentheses.
        Paren(ParenType) = PAREN_TYPE,
        /// A literal.
        Const(ConstArg) = CONST_ARG,
        /// A shape.
        Shape(ShapeArg) = SHAPE_ARG,
        /// A lifetime.
        Lifetime(LifetimeArg) = LIFETIME_ARG,
    }
}

impl TypeArg {
    /// The argument as a type; `None` for a literal, a shape and a lifetime.
    pub fn ty(&self) -> Option<Type> {
        Type::cast(self.syntax().clone())
    }
}

impl RefType {
    /// The word `mut`.
    pub fn mut_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// The lifetime.
    pub fn lifetime_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }

    /// What is referred to.
    pub fn inner(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl PathType {
    /// The path.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The segments of the path.
    pub fn segments(&self) -> impl Iterator<Item = PathSegment> + use<> {
        self.path().into_iter().flat_map(|path| path.segments())
    }

    /// The last segment's name.
    pub fn name(&self) -> Option<NameRef> {
        self.segments().last()?.name()
    }

    /// The type arguments of the last segment.
    pub fn type_args(&self) -> Option<TypeArgList> {
        self.segments().last()?.type_args()
    }
}

impl Path {
    /// The segments, in order.
    pub fn segments(&self) -> AstChildren<PathSegment> {
        children(self.syntax())
    }

    /// The only segment, when there is one and it has no type arguments.
    pub fn as_single_name(&self) -> Option<NameRef> {
        let mut segments = self.segments();
        let first = segments.next()?;
        (segments.next().is_none() && first.type_args().is_none()).then(|| first.name())?
    }
}

impl PathSegment {
    /// The name: an identifier, `self` or `Self`.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The type arguments.
    pub fn type_args(&self) -> Option<TypeArgList> {
        child(self.syntax())
    }
}

impl TypeArgList {
    /// The arguments, in order.
    pub fn args(&self) -> AstChildren<TypeArg> {
        children(self.syntax())
    }

    /// The arguments that are shapes.
    pub fn shapes(&self) -> AstChildren<ShapeArg> {
        children(self.syntax())
    }
}

impl ConstArg {
    /// The minus in front of the number.
    pub fn minus_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::MINUS)
    }

    /// The literal.
    pub fn literal(&self) -> Option<Literal> {
        child(self.syntax())
    }
}

impl LifetimeArg {
    /// The lifetime.
    pub fn lifetime_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }
}

impl ShapeArg {
    /// The dimensions, in order; none for `[]`.
    pub fn dims(&self) -> AstChildren<Dim> {
        children(self.syntax())
    }
}

/// The extent of a dimension, or the length of an array type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// A number; the token is an integer.
    Int(SyntaxToken),
    /// A shape parameter or a constant.
    Name(NameRef),
    /// `?`; the token.
    Dynamic(SyntaxToken),
}

/// The extent among the children of a node.
fn extent(node: &SyntaxNode) -> Option<Extent> {
    if let Some(name) = child(node) {
        return Some(Extent::Name(name));
    }
    tokens(node).find_map(|token| match token.kind() {
        SyntaxKind::INT => Some(Extent::Int(token)),
        SyntaxKind::QUESTION => Some(Extent::Dynamic(token)),
        _ => None,
    })
}

impl Dim {
    /// The name of the axis.
    pub fn axis(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The extent.
    pub fn extent(&self) -> Option<Extent> {
        extent(self.syntax())
    }
}

impl ArrayType {
    /// The type of the elements.
    pub fn element(&self) -> Option<Type> {
        child(self.syntax())
    }

    /// The number of elements.
    pub fn len(&self) -> Option<Extent> {
        extent(self.syntax())
    }
}

impl SliceType {
    /// The type of the elements.
    pub fn element(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl TupleType {
    /// The types of the elements, in order.
    pub fn elements(&self) -> AstChildren<Type> {
        children(self.syntax())
    }
}

impl FnType {
    /// The types of the parameters, in order.
    pub fn params(&self) -> impl Iterator<Item = Type> + use<> {
        self.syntax()
            .children()
            .take_while(|node| node.kind() != SyntaxKind::RET_TYPE)
            .filter_map(Type::cast)
    }

    /// The type of the result.
    pub fn ret_type(&self) -> Option<Type> {
        let ret: SyntaxNode =
            self.syntax().children().find(|node| node.kind() == SyntaxKind::RET_TYPE)?;
        nth_child(&ret, 0)
    }
}

impl DynType {
    /// The trait.
    pub fn bound(&self) -> Option<Bound> {
        child(self.syntax())
    }
}

impl ImplType {
    /// The trait.
    pub fn bound(&self) -> Option<Bound> {
        child(self.syntax())
    }
}

impl ParenType {
    /// The type inside.
    pub fn inner(&self) -> Option<Type> {
        child(self.syntax())
    }
}
