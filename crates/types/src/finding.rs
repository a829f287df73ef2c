//! What a stage finds wrong in a body, before it has a position.

use neuro_db::codes::Code;
use neuro_db::{Db, Name, SourceFile};
use neuro_hir::{Container, ExprId, Impl, Item, LocalId, PatId, PathId, functions_of};

use crate::Def;

/// Something wrong in an item. Places are ids, so that findings are equal when only positions moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The code.
    pub code: Code,
    /// The sentence.
    pub message: String,
    /// The offending word.
    pub place: Place,
    /// Other places of the item, and what they have to do with it.
    pub related: Vec<(Place, String)>,
    /// Places of the headers of other items.
    pub elsewhere: Vec<(Owner, Place, String)>,
    /// More sentences.
    pub notes: Vec<String>,
    /// A way out.
    pub remedies: Vec<Remedy>,
}

/// An item whose header is spoken of, by what it is called: findings stay equal while items move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A struct, enum, newtype or trait.
    Item(Def),
    /// A method of a trait.
    Method(Def, Name),
    /// An `impl` block, or a function of it.
    Block {
        /// The file.
        file: SourceFile,
        /// The words in front of its members.
        header: Name,
        /// How many blocks of the file with these words stand before it.
        nth: usize,
        /// A function of the block.
        function: Option<Name>,
    },
}

impl From<Def> for Owner {
    fn from(def: Def) -> Self {
        Owner::Item(def)
    }
}

impl Owner {
    /// A block, or a function of it.
    pub fn block<'db>(db: &'db dyn Db, block: Impl<'db>, function: Option<Name>) -> Self {
        let header = block.name(db);
        let file = block.file(db);
        let before = blocks_called(db, file, &header).take_while(|found| *found != block);
        let nth = before.count();
        Owner::Block { file, header, nth, function }
    }

    /// The item, if it is there still.
    pub fn item<'db>(&self, db: &'db dyn Db) -> Option<Item<'db>> {
        let named = |container: Container<'db>, file: SourceFile, name: &Name| {
            let found = functions_of(db, file, container);
            found.iter().find(|function| function.name(db) == *name).copied().map(Item::Function)
        };
        match self {
            Owner::Item(def) => def.item(db),
            Owner::Method(def, name) => {
                let item = def.as_trait(db)?;
                named(Container::Trait(item), def.file(), name)
            }
            Owner::Block { file, header, nth, function } => {
                let block = blocks_called(db, *file, header).nth(*nth)?;
                match function {
                    Some(name) => named(Container::Impl(block), *file, name),
                    None => Some(Item::Impl(block)),
                }
            }
        }
    }
}

/// The blocks of a file that begin with these words.
fn blocks_called<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    header: &Name,
) -> impl Iterator<Item = Impl<'db>> {
    let blocks = crate::traits::impls::blocks(db, file).iter().copied();
    blocks.filter(move |block| block.name(db) == *header)
}

/// A place in an item: in its body, or in its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A whole expression.
    Expr(ExprId),
    /// Only the name of a method call, the operator of an operation, or the callee of a call.
    Head(ExprId),
    /// The type of a parameter of the function that is called there, by its index.
    CalleeParam(ExprId, usize),
    /// A part of the `where` clause of the function that is called there, by its index.
    CalleePredicate(ExprId, usize),
    /// A bound of a generic parameter of the function that is called there, by their numbers.
    CalleeBound(ExprId, usize, usize),
    /// An expression in the body of the function that is called there.
    CalleeBody(ExprId, ExprId),
    /// The closing brace of an expression.
    LastBrace(ExprId),
    /// The closing brace of an item.
    ItemBrace,
    /// The name of a binding.
    Local(LocalId),
    /// The annotation of a binding.
    LocalType(LocalId),
    /// The `val` or `mut` before a binding.
    LocalKeyword(LocalId),
    /// The type that a cast names, or that a turbofish gives.
    WrittenType(ExprId),
    /// The label of an argument, or the field of a struct literal; the value if none is written.
    Label(ExprId),
    /// A pattern.
    Pat(PatId),
    /// The field of a struct pattern.
    PatField(PatId),
    /// What stands at this number between the brackets of an index.
    IndexArg(ExprId, usize),
    /// The type arguments of a method call, or one of them.
    Turbofish(ExprId, Option<usize>),
    /// What a `for` walks, its adapters left out.
    ForSource(ExprId),
    /// The name of an adapter in the head of a `for`.
    ForAdapter(ExprId, usize),
    /// The `enumerate` in the head of a `for`.
    ForEnumerate(ExprId),
    /// The variable of a `for`, or the pair.
    ForBinding(ExprId),
    /// A path of the body.
    BodyPath(PathId, PathPart),
    /// A path of the header.
    HeaderPath(PathId, PathPart),
    /// The name of an item that is no function.
    ItemName,
    /// What a newtype wraps or an alias stands for.
    ItemType,
    /// A generic parameter.
    GenericParam(usize),
    /// The type of a constant parameter.
    GenericParamType(usize),
    /// A part of the `where` clause.
    Predicate(usize),
    /// The parameter that a part of the `where` clause speaks of.
    PredicateName(usize),
    /// The name of a field.
    FieldName(usize),
    /// The type of a field.
    Field(usize),
    /// The name of a variant.
    Variant(usize),
    /// A part of what a variant holds.
    Payload(usize, usize),
    /// The type of an `impl` block.
    ImplType,
    /// The trait of an `impl` block.
    ImplTrait,
    /// The name of an associated type.
    AssocName(usize),
    /// The type that is given to an associated type.
    AssocType(usize),
    /// The receiver of a method.
    Receiver,
    /// A parameter's type in the header, by its index.
    ParamType(usize),
    /// What the reference type of a parameter refers to: its type without the first `&`.
    ParamReferent(usize),
    /// A parameter's name in the header, by its index.
    ParamName(usize),
    /// The return type in the header, or the function's name if there is none.
    ReturnType,
    /// The function's name.
    FunctionName,
    /// The declared type of a constant.
    ConstType,
    /// The header, from the attributes to the return type.
    Header,
    /// An attribute, by its index.
    Attr(usize),
    /// The value of an attribute's argument.
    AttrArg(usize, usize),
    /// The label of an attribute's argument, or the argument if it has none.
    AttrLabel(usize, usize),
    /// An entry of a list that is an argument of an attribute.
    AttrListEntry(usize, usize, usize),
}

/// A part of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathPart {
    /// All of it.
    Whole,
    /// A name.
    Segment(usize),
    /// The arguments of a name, or the name if it has none.
    Args(usize),
    /// An argument of a name.
    Arg(usize, usize),
    /// An axis of a shape that is an argument of a name.
    Dim(usize, usize, usize),
}

/// An edit that makes a finding go away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// Put this text before the place.
    InsertBefore(Place, String, String),
    /// Put this text behind the place.
    InsertAfter(Place, String, String),
    /// Put this text in place of it. The first text of each is the title.
    Replace(Place, String, String),
    /// All of these, which touch different places; the title comes last, and theirs are not shown.
    Several(Vec<Remedy>, String),
    /// Give this rank-0 tensor type, and wrap each number that the function returns.
    WrapResult(String),
    /// Put a text in place of each; the title comes last.
    ReplaceAll(Vec<(Place, String)>, String),
}

impl Remedy {
    /// Puts parentheses around what stands from one place to another, and a text behind them.
    pub(crate) fn parenthesize(
        (first, last): (Place, Place),
        behind: &str,
        title: impl Into<String>,
    ) -> Self {
        let before = Remedy::InsertBefore(first, String::new(), "(".to_owned());
        let behind = Remedy::InsertAfter(last, String::new(), format!("){behind}"));
        Remedy::Several(vec![before, behind], title.into())
    }

    /// Whether it changes how something is declared, and not where it is used.
    pub(crate) fn is_at_declaration(&self) -> bool {
        match self {
            Remedy::InsertBefore(place, ..)
            | Remedy::InsertAfter(place, ..)
            | Remedy::Replace(place, ..) => {
                matches!(
                    place,
                    Place::LocalKeyword(_)
                        | Place::ParamReferent(_)
                        | Place::Receiver
                        | Place::GenericParam(_)
                )
            }
            Remedy::Several(..) | Remedy::WrapResult(_) | Remedy::ReplaceAll(..) => false,
        }
    }
}

impl Finding {
    /// A finding without further explanation.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            place,
            related: Vec::new(),
            elsewhere: Vec::new(),
            notes: Vec::new(),
            remedies: Vec::new(),
        }
    }

    /// Adds a place that explains it.
    #[must_use]
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        self.related.push((place, message.into()));
        self
    }

    /// Adds a place in the header of another item.
    #[must_use]
    pub fn elsewhere(
        mut self,
        item: impl Into<Owner>,
        place: Place,
        message: impl Into<String>,
    ) -> Self {
        self.elsewhere.push((item.into(), place, message.into()));
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }
}
