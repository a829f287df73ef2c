//! Items, their attributes, members and parameters.

use super::{
    AstChildren, AstNode, Attr, AttrArg, Enum, Field, Func, Impl, Import, ImportEntry, Item,
    Module, Name, NameRef, Node, ParamLabel, Rename, Struct, Token, Type, TypeArgList, Variant,
    child, child_after, children, first_own_token, token,
};
use crate::SyntaxKind;

impl Item {
    /// The keyword that says what the item is.
    pub fn keyword(&self) -> Option<Token> {
        let kind = match self {
            Item::Func(_) => SyntaxKind::FUNC_KW,
            Item::Const(_) => SyntaxKind::CONST_KW,
            Item::Struct(_) => SyntaxKind::STRUCT_KW,
            Item::Enum(_) => SyntaxKind::ENUM_KW,
            Item::Trait(_) => SyntaxKind::TRAIT_KW,
            Item::Impl(_) => SyntaxKind::IMPL_KW,
            Item::Newtype(_) => SyntaxKind::NEWTYPE_KW,
            Item::TypeAlias(_) => SyntaxKind::TYPE_KW,
            Item::Import(_) => SyntaxKind::IMPORT_KW,
            Item::Module(_) => SyntaxKind::MODULE_KW,
        };
        token(self.syntax(), kind)
    }

    /// The declared name; `impl` blocks and imports have none.
    pub fn name(&self) -> Option<Name> {
        match self {
            Item::Impl(_) | Item::Import(_) => None,
            _ => child(self.syntax()),
        }
    }

    /// The attributes.
    pub fn attrs(&self) -> AstChildren<Attr> {
        children(self.syntax())
    }

    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The word `export`.
    pub fn export_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::EXPORT_KW)
    }
}

/// The text of the `///` lines in front of a declaration, without the slashes and one space.
pub(super) fn doc_comment(node: &Node) -> Option<String> {
    let mut lines = Vec::new();
    for element in node.children_with_tokens() {
        match element.into_token() {
            Some(token) if token.kind() == SyntaxKind::DOC_COMMENT => {
                let text = token.text();
                let text = text.strip_prefix("///").unwrap_or(text).trim_end();
                lines.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
            }
            Some(token) if token.kind().is_trivia() => {}
            _ => break,
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

impl Func {
    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The type behind `->`; absent means void.
    pub fn ret_type(&self) -> Option<Type> {
        self.result()?.ty()
    }
}

impl Attr {
    /// The arguments in parentheses.
    pub fn args(&self) -> impl Iterator<Item = AttrArg> + use<> {
        self.attr_arg_list().into_iter().flat_map(|list| list.args())
    }
}

impl Name {
    /// The token: an identifier.
    pub fn token(&self) -> Option<Token> {
        first_own_token(self.syntax())
    }

    /// The name as text; empty when it is missing.
    pub fn text(&self) -> String {
        self.token().map(|token| token.text().to_owned()).unwrap_or_default()
    }
}

impl NameRef {
    /// The token: an identifier, an integer (`t.0`), `self` or `Self`.
    pub fn token(&self) -> Option<Token> {
        first_own_token(self.syntax())
    }

    /// The name as text; empty when it is missing.
    pub fn text(&self) -> String {
        self.token().map(|token| token.text().to_owned()).unwrap_or_default()
    }
}

impl ParamLabel {
    /// The label; `None` for `_`.
    pub fn text(&self) -> Option<String> {
        token(self.syntax(), SyntaxKind::IDENT).map(|token| token.text().to_owned())
    }

    /// Whether the argument must be positional (`_ name: T`).
    pub fn is_positional(&self) -> bool {
        token(self.syntax(), SyntaxKind::UNDERSCORE).is_some()
    }
}

impl Struct {
    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        self.field_list().into_iter().flat_map(|list| list.fields())
    }
}

impl Field {
    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }
}

impl Enum {
    /// The variants, in order.
    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<> {
        self.variant_list().into_iter().flat_map(|list| list.variants())
    }
}

impl Variant {
    /// The text of the documentation comment.
    pub fn doc_comment(&self) -> Option<String> {
        doc_comment(self.syntax())
    }

    /// The payload types of a tuple-like variant.
    pub fn payload(&self) -> impl Iterator<Item = Type> + use<> {
        self.tuple_field_list().into_iter().flat_map(|list| list.types())
    }

    /// The fields of a struct-like variant.
    pub fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        self.field_list().into_iter().flat_map(|list| list.fields())
    }
}

impl Impl {
    /// The type arguments of the trait of `impl Trait<X> for T`.
    pub fn trait_args(&self) -> Option<TypeArgList> {
        self.trait_path()?.segments().last()?.type_args()
    }

    /// The type behind `for`.
    pub fn for_type(&self) -> Option<Type> {
        child_after(self.syntax(), SyntaxKind::FOR_KW)
    }
}

/// The new name of a `RENAME` child.
fn rename(node: &Node) -> Option<Name> {
    child::<Rename>(node)?.name()
}

impl Import {
    /// The segments of the path in front of any braces.
    pub fn path(&self) -> impl Iterator<Item = NameRef> + use<> {
        self.import_path().into_iter().flat_map(|path| path.segments())
    }

    /// The name behind `as`.
    pub fn rename(&self) -> Option<Name> {
        rename(self.syntax())
    }

    /// The entries in braces; `None` without braces.
    pub fn entries(&self) -> Option<AstChildren<ImportEntry>> {
        Some(self.import_list()?.entries())
    }
}

impl ImportEntry {
    /// The name behind `as`.
    pub fn rename(&self) -> Option<Name> {
        rename(self.syntax())
    }
}

impl Module {
    /// The items, in order.
    pub fn items(&self) -> impl Iterator<Item = Item> + use<> {
        self.item_list().into_iter().flat_map(|list| list.items())
    }
}
