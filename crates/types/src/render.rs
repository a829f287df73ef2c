//! From findings to diagnostics: the only place of this crate that knows positions.

use neuro_db::codes::UNSUPPORTED;
use neuro_db::{Db, Diagnostic, Edit, Fix, Related, Span};
use neuro_hir::{Const, Container, ExprId, Function, Item, SignatureRanges, SourceMap};
use neuro_syntax::{SyntaxKind, SyntaxNode};
use text_size::{TextRange, TextSize};

use crate::{Callee, Finding, Place, Remedy, const_inference, diff_spec, fn_sig, infer};

/// What is wrong with the types of a function: its header, what `@grad` asks of it, its body.
#[salsa::tracked(returns(deref))]
pub fn diagnostics<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    if !is_typed(db, function) {
        return Vec::new();
    }
    let mut all = render(db, function, &fn_sig(db, function).findings);
    all.extend(render(db, function, &diff_spec(db, function).findings));
    all.extend(render(db, function, &infer(db, function).findings));
    all.sort_by_key(|diagnostic| diagnostic.span.range.start());
    all
}

/// What is wrong with a constant.
#[salsa::tracked(returns(deref))]
pub fn const_diagnostics<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Diagnostic> {
    let places = Places {
        db,
        source: SyntaxNode::new_root(constant.source(db).0.clone()),
        map: neuro_hir::const_source_map(db, constant),
        start: Span::in_item(constant.file(db), constant.ast_id(db), TextRange::default()),
        function: None,
    };
    let findings = &const_inference(db, constant).findings;
    findings.iter().map(|finding| places.render(finding)).collect()
}

/// What is wrong with the types of an item.
pub fn item_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    let (what, keyword) = match item {
        Item::Function(function) => return diagnostics(db, function).to_vec(),
        Item::Const(constant) => return const_diagnostics(db, constant).to_vec(),
        Item::Struct(item) => ("structs are", neuro_hir::struct_ranges(db, item).item.keyword),
        Item::Enum(item) => ("enums are", neuro_hir::enum_ranges(db, item).item.keyword),
        Item::Newtype(item) => ("newtypes are", neuro_hir::newtype_ranges(db, item).item.keyword),
        Item::Alias(item) => ("type aliases are", neuro_hir::alias_ranges(db, item).item.keyword),
        Item::Trait(item) => ("traits are", neuro_hir::trait_ranges(db, item).item.keyword),
        Item::Impl(item) => ("`impl` blocks are", neuro_hir::impl_ranges(db, item).item.keyword),
    };
    let span = Span::in_item(item.file(db), item.ast_id(db), keyword);
    vec![Diagnostic::new(UNSUPPORTED, span, format!("{what} not supported yet"))]
}

/// Whether functions that stand where this one does are typed yet; where they are not, what they stand in is
/// refused.
pub fn is_typed<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    match function.container(db) {
        Container::Module(module) => module.inline(db).is_empty(),
        Container::Impl(_) | Container::Trait(_) => false,
    }
}

/// Findings of a function as diagnostics. Runs again after every edit above the function or in it, so a
/// query that calls it should do nothing else.
pub fn render<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    findings: &[Finding],
) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return Vec::new();
    }
    let places = Places {
        db,
        source: SyntaxNode::new_root(function.source(db).0.clone()),
        map: neuro_hir::source_map(db, function),
        start: Span::in_item(function.file(db), function.ast_id(db), TextRange::default()),
        function: Some((function, neuro_hir::signature_ranges(db, function))),
    };
    findings.iter().map(|finding| places.render(finding)).collect()
}

/// Where the places of an item are.
struct Places<'db> {
    db: &'db dyn Db,
    source: SyntaxNode,
    map: &'db SourceMap,
    /// The start of the item.
    start: Span,
    /// None for a constant.
    function: Option<(Function<'db>, &'db SignatureRanges)>,
}

impl Places<'_> {
    fn render(&self, finding: &Finding) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::new(finding.code, self.span(finding.place), finding.message.clone());
        diagnostic.related = finding
            .related
            .iter()
            .map(|(place, message)| Related { message: message.clone(), span: self.span(*place) })
            .collect();
        diagnostic.notes.clone_from(&finding.notes);
        diagnostic.fixes = finding.remedies.iter().map(|remedy| self.fix(remedy)).collect();
        diagnostic
    }

    fn fix(&self, remedy: &Remedy) -> Fix {
        let (span, title, text) = match remedy {
            Remedy::InsertBefore(place, title, text) => {
                let span = self.span(*place);
                (Span { range: TextRange::empty(span.range.start()), ..span }, title, text)
            }
            Remedy::InsertAfter(place, title, text) => {
                let span = self.span(*place);
                (Span { range: TextRange::empty(span.range.end()), ..span }, title, text)
            }
            Remedy::Replace(place, title, text) => (self.span(*place), title, text),
        };
        Fix { title: title.clone(), edits: vec![Edit { span, text: text.clone() }] }
    }

    fn span(&self, place: Place) -> Span {
        match place {
            Place::CalleeParam(call, index) => self
                .callee_param(call, index)
                .unwrap_or(Span { range: self.map.expr(call), ..self.start }),
            place => Span { range: self.range(place), ..self.start },
        }
    }

    /// A parameter's type in the header of the function that is called.
    fn callee_param(&self, call: ExprId, index: usize) -> Option<Span> {
        let (function, _) = self.function?;
        let Callee::Function(callee) = infer(self.db, function).callees.get(call)? else {
            return None;
        };
        let range = neuro_hir::signature_ranges(self.db, *callee).params.get(index)?.ty;
        Some(Span::in_item(callee.file(self.db), callee.ast_id(self.db), range))
    }

    fn range(&self, place: Place) -> TextRange {
        match place {
            Place::Expr(expr) | Place::CalleeParam(expr, _) => self.map.expr(expr),
            Place::Head(expr) => self.map.head(expr),
            Place::Pat(pat) => self.map.pat(pat),
            Place::Local(local) => self.map.local(local),
            Place::LocalType(local) => self.map.local_type(local),
            Place::LocalKeyword(local) => self.keyword_before(self.map.local(local)),
            Place::WrittenType(expr) => {
                self.map.written_type(expr).unwrap_or_else(|| self.map.expr(expr))
            }
            Place::ConstType => self.const_type(),
            Place::ParamType(_)
            | Place::ParamReferent(_)
            | Place::ParamName(_)
            | Place::Generics
            | Place::ReturnType
            | Place::FunctionName
            | Place::Header
            | Place::Attr(_)
            | Place::AttrArg(..)
            | Place::AttrLabel(..)
            | Place::AttrListEntry(..) => self
                .function
                .and_then(|(_, header)| header_range(header, place))
                .unwrap_or_default(),
        }
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

    /// The declared type of a constant, or its name if there is none.
    fn const_type(&self) -> TextRange {
        let significant = |kind| {
            self.source
                .children()
                .find(|child: &SyntaxNode| kind == child.kind())
                .map(|child| child.text_range())
        };
        let tokens =
            || self.source.children_with_tokens().filter(|child| !child.kind().is_trivia());
        let after_colon = tokens().skip_while(|child| child.kind() != SyntaxKind::COLON).nth(1);
        after_colon
            .map(|ty| ty.text_range())
            .or_else(|| significant(SyntaxKind::NAME))
            .unwrap_or_else(|| TextRange::empty(TextSize::default()))
    }
}

/// A place of a header; none if the header has no such part.
fn header_range(header: &SignatureRanges, place: Place) -> Option<TextRange> {
    let argument = |attr: usize, arg: usize| header.attrs.get(attr)?.args.get(arg);
    match place {
        Place::ParamType(index) => header.params.get(index).map(|param| param.ty),
        Place::ParamReferent(index) => {
            let ty = header.params.get(index)?.ty;
            let ampersand = TextSize::of('&').min(ty.len());
            Some(TextRange::new(ty.start() + ampersand, ty.end()))
        }
        Place::ParamName(index) => header.params.get(index).map(|param| param.name),
        Place::Generics => header.generics.list.or(header.generics.where_word),
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
        Place::Expr(_)
        | Place::Head(_)
        | Place::CalleeParam(..)
        | Place::Pat(_)
        | Place::Local(_)
        | Place::LocalType(_)
        | Place::LocalKeyword(_)
        | Place::WrittenType(_)
        | Place::ConstType => None,
    }
}
