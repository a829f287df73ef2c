//! Types, paths and shapes.
//!
//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.

use crate::ast::*;

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
    /// `a::b::<T>::c`.
    Path = PATH;
    /// One segment of a path, with its type arguments.
    PathSegment = PATH_SEGMENT;
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

impl RefType {
    /// The lifetime.
    pub fn lifetime_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }

    /// The word `mut`.
    pub fn mut_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MUT_KW)
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
}

impl ArrayType {
    /// The type of the elements.
    pub fn element(&self) -> Option<Type> {
        child(self.syntax())
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
    pub fn params(&self) -> AstChildren<Type> {
        children(self.syntax())
    }

    /// `-> R`.
    pub fn result(&self) -> Option<RetType> {
        child(self.syntax())
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

impl Path {
    /// The segments, in order.
    pub fn segments(&self) -> AstChildren<PathSegment> {
        children(self.syntax())
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
}

impl ConstArg {
    /// The minus in front of the number.
    pub fn minus_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MINUS)
    }

    /// The literal.
    pub fn literal(&self) -> Option<Literal> {
        child(self.syntax())
    }
}

impl LifetimeArg {
    /// The lifetime.
    pub fn lifetime_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }
}

impl ShapeArg {
    /// The dimensions, in order; none for `[]`.
    pub fn dims(&self) -> AstChildren<Dim> {
        children(self.syntax())
    }
}

impl Dim {
    /// The name of the axis.
    pub fn axis(&self) -> Option<Name> {
        child(self.syntax())
    }
}
