//! Types, paths and shapes.

use super::{
    ArrayType, AstChildren, AstNode, Dim, FnType, NameRef, Node, Path, PathSegment, PathType,
    ShapeArg, Token, Type, TypeArg, TypeArgList, child, children,
};
use crate::SyntaxKind;

impl TypeArg {
    /// The argument as a type; `None` for a literal, a shape and a lifetime.
    pub fn ty(&self) -> Option<Type> {
        Type::cast(self.syntax().clone())
    }
}

impl PathType {
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
    /// The only segment, when there is one and it has no type arguments.
    pub fn as_single_name(&self) -> Option<NameRef> {
        let mut segments = self.segments();
        let first = segments.next()?;
        (segments.next().is_none() && first.type_args().is_none()).then(|| first.name())?
    }
}

impl TypeArgList {
    /// The arguments that are shapes.
    pub fn shapes(&self) -> AstChildren<ShapeArg> {
        children(self.syntax())
    }
}

/// The extent of a dimension, or the length of an array type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// A number; the token is an integer.
    Int(Token),
    /// A shape parameter or a constant.
    Name(NameRef),
    /// `?`; the token.
    Dynamic(Token),
}

/// The extent among the children of a node.
fn extent(node: &Node) -> Option<Extent> {
    if let Some(name) = child(node) {
        return Some(Extent::Name(name));
    }
    let token = node.find_token(|kind| matches!(kind, SyntaxKind::INT | SyntaxKind::QUESTION))?;
    Some(match token.kind() {
        SyntaxKind::INT => Extent::Int(token),
        _ => Extent::Dynamic(token),
    })
}

impl Dim {
    /// The extent.
    pub fn extent(&self) -> Option<Extent> {
        extent(self.syntax())
    }
}

impl ArrayType {
    /// The number of elements.
    pub fn len(&self) -> Option<Extent> {
        extent(self.syntax())
    }
}

impl FnType {
    /// The type of the result.
    pub fn ret_type(&self) -> Option<Type> {
        self.result()?.ty()
    }
}
