//! Where the places of an item are.

use neuro_db::{Db, Diagnostic, Edit, Fix, Related, Span};
use neuro_hir::{
    ExprId, GenericsRanges, Item, PathId, PathMap, SignatureRanges, SourceMap, const_source_map,
    source_map,
};
use neuro_syntax::{SyntaxKind, SyntaxNode};
use text_size::{TextRange, TextSize};

use crate::{Callee, Finding, PathPart, Place, Remedy, generic_params, infer};

/// Where the places of an item are.
pub(super) struct Places<'db> {
    db: &'db dyn Db,
    item: Item<'db>,
    source: SyntaxNode,
    /// Where the expressions stand that places speak of; none in an item without any.
    map: Option<&'db SourceMap>,
    /// The start of the item.
    start: Span,
}

impl<'db> Places<'db> {
    /// The places of an item, its body included.
    pub(super) fn new(db: &'db dyn Db, item: Item<'db>) -> Self {
        let map = match item {
            Item::Function(function) => Some(source_map(db, function)),
            Item::Const(constant) => Some(const_source_map(db, constant)),
            Item::Struct(_)
            | Item::Enum(_)
            | Item::Newtype(_)
            | Item::Alias(_)
            | Item::Trait(_)
            | Item::Impl(_) => None,
        };
        Self {
            db,
            item,
            source: SyntaxNode::new_root(item.source(db).0.clone()),
            map,
            start: Span::in_item(item.file(db), item.ast_id(db), TextRange::default()),
        }
    }

    /// The places of a condition of a `where` clause.
    pub(super) fn of_condition(db: &'db dyn Db, item: Item<'db>, predicate: usize) -> Self {
        let mut places = Self::new(db, item);
        places.map = generics_ranges(db, item)
            .and_then(|ranges| ranges.predicates.get(predicate))
            .map(|ranges| &ranges.source_map);
        places
    }

    pub(super) fn render(&self, finding: &Finding) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::new(finding.code, self.span(finding.place), finding.message.clone());
        diagnostic.related = finding
            .related
            .iter()
            .map(|(place, message)| Related { message: message.clone(), span: self.span(*place) })
            .collect();
        for (def, place, message) in &finding.elsewhere {
            let Some(item) = def.item(self.db) else { continue };
            let span = Places::new(self.db, item).span(*place);
            diagnostic.related.push(Related { message: message.clone(), span });
        }
        diagnostic.notes.clone_from(&finding.notes);
        diagnostic.fixes = finding.remedies.iter().map(|remedy| self.fix(remedy)).collect();
        diagnostic
    }

    fn fix(&self, remedy: &Remedy) -> Fix {
        let (title, edit) = match remedy {
            Remedy::InsertBefore(place, title, text) => (title, self.before(*place, text)),
            Remedy::InsertAfter(place, title, text) => (title, self.behind(*place, text)),
            Remedy::Replace(place, title, text) => {
                (title, Edit { span: self.span(*place), text: text.clone() })
            }
            Remedy::Several(parts, title) => {
                let edits = parts.iter().flat_map(|part| self.fix(part).edits).collect();
                return Fix { title: title.clone(), edits };
            }
            Remedy::WrapResult(ty) => return self.wrap_result(ty),
            Remedy::ReplaceAll(texts, title) => {
                let edits = texts
                    .iter()
                    .map(|(place, text)| Edit { span: self.span(*place), text: text.clone() });
                return Fix { title: title.clone(), edits: edits.collect() };
            }
        };
        Fix { title: title.clone(), edits: vec![edit] }
    }

    fn before(&self, place: Place, text: &str) -> Edit {
        let span = self.span(place);
        let mut start = span.range.start();
        let mut text = text;
        // Lines in front of a brace that stands at the beginning of its own line.
        if let (Place::LastBrace(_) | Place::ItemBrace, Some(lines)) =
            (place, text.strip_prefix('\n'))
        {
            let indent = self.indent_before(start);
            if let Some(indent) = indent {
                start -= indent;
                text = lines;
            }
        }
        Edit { span: Span { range: TextRange::empty(start), ..span }, text: text.to_owned() }
    }

    /// How wide the blanks are in front of a place, if nothing else stands before it in its line.
    fn indent_before(&self, at: TextSize) -> Option<TextSize> {
        let text = self.source.text().slice(TextRange::up_to(at)).to_string();
        let line = text.rsplit_once('\n')?.1;
        line.trim().is_empty().then(|| TextSize::of(line))
    }

    fn behind(&self, place: Place, text: &str) -> Edit {
        let span = self.span(place);
        let range = TextRange::empty(span.range.end());
        Edit { span: Span { range, ..span }, text: text.to_owned() }
    }

    fn wrap_result(&self, ty: &str) -> Fix {
        let mut edits = vec![Edit { span: self.span(Place::ReturnType), text: ty.to_owned() }];
        if let Item::Function(function) = self.item {
            for value in neuro_hir::body(self.db, function).results() {
                edits.push(self.before(Place::Expr(value), "Tensor::scalar("));
                edits.push(self.behind(Place::Expr(value), ")"));
            }
        }
        Fix { title: format!("return `{ty}`"), edits }
    }

    fn span(&self, place: Place) -> Span {
        match place {
            Place::CalleeParam(call, _)
            | Place::CalleePredicate(call, _)
            | Place::CalleeBound(call, ..)
            | Place::CalleeBody(call, _) => self
                .of_callee(call, place)
                .unwrap_or_else(|| Span { range: self.expr(call), ..self.start }),
            place => Span { range: self.range(place), ..self.start },
        }
    }

    /// A place in the header of the function that is called.
    fn of_callee(&self, call: ExprId, place: Place) -> Option<Span> {
        let Item::Function(function) = self.item else { return None };
        let Callee::Function(callee) = infer(self.db, function).callees.get(call)? else {
            return None;
        };
        let header = neuro_hir::signature_ranges(self.db, *callee);
        if let Place::CalleeBound(_, number, bound) = place {
            let item = Item::Function(*callee);
            let (owner, place) = generic_params::bound_place(self.db, item, number, bound)?;
            return Some(Places::new(self.db, owner).span(place));
        }
        let range = match place {
            Place::CalleeBody(_, expr) => source_map(self.db, *callee).expr(expr),
            Place::CalleeParam(_, index) => header.params.get(index)?.ty,
            Place::CalleePredicate(_, index) => header.generics.predicates.get(index)?.whole,
            _ => return None,
        };
        Some(Span::in_item(callee.file(self.db), callee.ast_id(self.db), range))
    }

    fn expr(&self, expr: ExprId) -> TextRange {
        self.map.map(|map| map.expr(expr)).unwrap_or_default()
    }

    fn range(&self, place: Place) -> TextRange {
        self.of_body(place).or_else(|| self.of_header(place)).unwrap_or_else(|| self.name())
    }

    /// A place of the body; none if the place is none, or the item has no body.
    fn of_body(&self, place: Place) -> Option<TextRange> {
        let map = self.map?;
        Some(match place {
            Place::Expr(expr)
            | Place::CalleeParam(expr, _)
            | Place::CalleePredicate(expr, _)
            | Place::CalleeBound(expr, ..)
            | Place::CalleeBody(expr, _) => map.expr(expr),
            Place::LastBrace(expr) => last_char(map.expr(expr)),
            Place::Head(expr) => map.head(expr),
            Place::Local(local) => map.local(local),
            Place::LocalType(local) => map.local_type(local),
            Place::LocalKeyword(local) => self.keyword_before(map.local(local)),
            Place::WrittenType(expr) => map.written_type(expr).unwrap_or_else(|| map.expr(expr)),
            Place::Label(expr) => map.label(expr).unwrap_or_else(|| map.expr(expr)),
            Place::Pat(pat) => map.pat(pat),
            Place::PatField(pat) => map.field(pat).unwrap_or_else(|| map.pat(pat)),
            Place::IndexArg(expr, arg) => {
                map.index_arg(expr, arg).unwrap_or_else(|| map.head(expr))
            }
            Place::Turbofish(expr, arg) => {
                let Some(ranges) = map.turbofish(expr) else { return Some(map.head(expr)) };
                let arg = arg.and_then(|arg| ranges.args.get(arg));
                arg.map_or(ranges.list, |arg| arg.whole)
            }
            Place::ForSource(expr) => {
                map.for_head(expr).map_or_else(|| map.expr(expr), |head| head.source)
            }
            Place::ForAdapter(expr, index) => {
                let head = map.for_head(expr)?;
                head.adapters.get(index).copied().unwrap_or(head.whole)
            }
            Place::ForEnumerate(expr) => {
                let head = map.for_head(expr)?;
                head.enumerate.unwrap_or(head.whole)
            }
            Place::ForBinding(expr) => map.for_head(expr)?.binding,
            Place::BodyPath(path, part) => path_part(map.paths(), path, part),
            _ => return None,
        })
    }

    /// A place of the header; none if the item has no such part.
    fn of_header(&self, place: Place) -> Option<TextRange> {
        match place {
            Place::HeaderPath(path, part) => Some(path_part(self.header_paths(), path, part)),
            Place::GenericParam(index) => {
                self.generics()?.params.get(index).map(|param| param.name)
            }
            Place::GenericParamType(index) => {
                self.generics()?.params.get(index).map(|param| param.ty)
            }
            Place::Predicate(index) => {
                self.generics()?.predicates.get(index).map(|predicate| predicate.whole)
            }
            Place::PredicateName(index) => {
                self.generics()?.predicates.get(index).map(|predicate| predicate.name)
            }
            Place::ItemName => Some(self.name()),
            Place::ItemBrace => {
                let mut tokens =
                    std::iter::successors(self.source.last_token(), |token| token.prev_token());
                let brace = tokens.find(|token| token.kind() == SyntaxKind::R_BRACE)?;
                Some(brace.text_range())
            }
            place => match self.item {
                Item::Function(function) => {
                    function_place(neuro_hir::signature_ranges(self.db, function), place)
                }
                Item::Struct(item) => {
                    let ranges = neuro_hir::struct_ranges(self.db, item);
                    match place {
                        Place::AttrArg(attr, arg) => {
                            let args = &ranges.item.attrs.get(attr)?.args;
                            args.get(arg).map(|argument| argument.value)
                        }
                        Place::FieldName(index) => ranges.fields.get(index).map(|field| field.name),
                        Place::Field(index) => ranges.fields.get(index).map(|field| field.ty),
                        _ => None,
                    }
                }
                Item::Enum(item) => {
                    let ranges = neuro_hir::enum_ranges(self.db, item);
                    match place {
                        Place::Variant(index) => {
                            ranges.variants.get(index).map(|variant| variant.name)
                        }
                        Place::Payload(index, part) => {
                            let variant = ranges.variants.get(index)?;
                            variant.payload.get(part).map(|field| field.ty)
                        }
                        _ => None,
                    }
                }
                Item::Newtype(item) => Some(neuro_hir::newtype_ranges(self.db, item).ty),
                Item::Alias(item) => Some(neuro_hir::alias_ranges(self.db, item).ty),
                Item::Const(item) => Some(neuro_hir::const_ranges(self.db, item).ty),
                Item::Trait(item) => {
                    let ranges = neuro_hir::trait_ranges(self.db, item);
                    match place {
                        Place::AssocName(index) => ranges.types.get(index).map(|ty| ty.name),
                        Place::AssocType(index) => ranges.types.get(index).map(|ty| ty.ty),
                        _ => None,
                    }
                }
                Item::Impl(block) => {
                    let ranges = neuro_hir::impl_ranges(self.db, block);
                    match place {
                        Place::ImplType => Some(ranges.self_ty),
                        Place::ImplTrait => ranges.trait_ref,
                        Place::AssocName(index) => ranges.types.get(index).map(|ty| ty.name),
                        Place::AssocType(index) => ranges.types.get(index).map(|ty| ty.ty),
                        _ => None,
                    }
                }
            },
        }
    }

    fn header_paths(&self) -> &'db PathMap {
        let db = self.db;
        match self.item {
            Item::Function(function) => &neuro_hir::signature_ranges(db, function).paths,
            Item::Const(item) => &neuro_hir::const_ranges(db, item).paths,
            Item::Struct(item) => &neuro_hir::struct_ranges(db, item).paths,
            Item::Enum(item) => &neuro_hir::enum_ranges(db, item).paths,
            Item::Newtype(item) => &neuro_hir::newtype_ranges(db, item).paths,
            Item::Alias(item) => &neuro_hir::alias_ranges(db, item).paths,
            Item::Trait(item) => &neuro_hir::trait_ranges(db, item).paths,
            Item::Impl(block) => &neuro_hir::impl_ranges(db, block).paths,
        }
    }

    fn generics(&self) -> Option<&'db GenericsRanges> {
        generics_ranges(self.db, self.item)
    }

    /// The item's name.
    fn name(&self) -> TextRange {
        neuro_hir::item_name_range(self.db, self.item)
    }

    /// The `val` or `mut` before a name, or the name if neither stands there.
    fn keyword_before(&self, name: TextRange) -> TextRange {
        let name_token = self.source.token_at_offset(name.start()).right_biased();
        let keyword = std::iter::successors(name_token, |token| token.prev_token())
            .skip(1)
            .find(|token| !token.kind().is_trivia())
            .filter(|token| matches!(token.kind(), SyntaxKind::VAL_KW | SyntaxKind::MUT_KW));
        keyword.map_or(name, |keyword| keyword.text_range())
    }
}

fn generics_ranges<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<&'db GenericsRanges> {
    Some(match item {
        Item::Function(function) => &neuro_hir::signature_ranges(db, function).generics,
        Item::Struct(item) => &neuro_hir::struct_ranges(db, item).generics,
        Item::Enum(item) => &neuro_hir::enum_ranges(db, item).generics,
        Item::Trait(item) => &neuro_hir::trait_ranges(db, item).generics,
        Item::Impl(block) => &neuro_hir::impl_ranges(db, block).generics,
        Item::Const(_) | Item::Newtype(_) | Item::Alias(_) => return None,
    })
}

fn path_part(paths: &PathMap, path: PathId, part: PathPart) -> TextRange {
    match part {
        PathPart::Whole => paths.whole(path),
        PathPart::Segment(segment) => paths.segment(path, segment),
        PathPart::Args(segment) => paths.arg_list(path, segment),
        PathPart::Arg(segment, arg) => paths.arg(path, segment, arg),
        PathPart::Dim(segment, arg, dim) => paths.dim(path, segment, arg, dim),
    }
}

/// The last character of a range.
fn last_char(range: TextRange) -> TextRange {
    let width = TextSize::of('}').min(range.len());
    TextRange::new(range.end() - width, range.end())
}

/// A place of a function's header; none if it has no such part.
fn function_place(header: &SignatureRanges, place: Place) -> Option<TextRange> {
    let argument = |attr: usize, arg: usize| header.attrs.get(attr)?.args.get(arg);
    match place {
        Place::ParamType(index) => header.params.get(index).map(|param| param.ty),
        Place::ParamReferent(index) => {
            let ty = header.params.get(index)?.ty;
            let ampersand = TextSize::of('&').min(ty.len());
            Some(TextRange::new(ty.start() + ampersand, ty.end()))
        }
        Place::ParamName(index) => header.params.get(index).map(|param| param.name),
        Place::Receiver => header.receiver,
        Place::ReturnType => Some(header.ret_or_name()),
        Place::FunctionName => Some(header.name),
        Place::Header => Some(header.header),
        Place::Attr(attr) => header.attrs.get(attr).map(|attr| attr.whole),
        Place::AttrArg(attr, arg) => argument(attr, arg).map(|argument| argument.value),
        Place::AttrLabel(attr, arg) => {
            argument(attr, arg).map(|argument| argument.label.unwrap_or(argument.whole))
        }
        Place::AttrListEntry(attr, arg, entry) => {
            let argument = argument(attr, arg)?;
            Some(argument.entries.get(entry).copied().unwrap_or(argument.value))
        }
        _ => None,
    }
}
