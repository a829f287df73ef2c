//! The questions that are answered from a snapshot.

use lsp_types as lsp;
use neuro_db::{Db, SourceFile};
use neuro_ide::{Action, Lens, ViewStage, is_project_file};

use crate::documents::document_key;
use crate::job::Snapshot;
use crate::positions::Encoding;
use crate::projects::missing_roots;
use crate::protocol::{
    CommandArgument, DERIVATIVE, DerivativeParams, DerivativeResult, GRADIENT, LineOrigin, RUN,
};
use crate::to_lsp::FileConverter;

/// The file of an open program and its converter; other documents have no answers.
fn open<'s>(
    snapshot: &'s Snapshot,
    uri: &lsp::Url,
    encoding: Encoding,
) -> Option<(SourceFile, FileConverter<'s>)> {
    let (file, converter) = open_document(snapshot, uri, encoding)?;
    (!is_project_file(file.path(&snapshot.db))).then_some((file, converter))
}

/// The file of an open document, which may be that of a project.
fn open_document<'s>(
    snapshot: &'s Snapshot,
    uri: &lsp::Url,
    encoding: Encoding,
) -> Option<(SourceFile, FileConverter<'s>)> {
    let file = snapshot.documents.get(&document_key(uri))?.file;
    Some((file, FileConverter::new(&snapshot.db, file, encoding)))
}

/// All diagnostics of a document.
pub(crate) fn diagnostics(
    snapshot: &Snapshot,
    file: SourceFile,
    encoding: Encoding,
) -> Vec<lsp::Diagnostic> {
    let mut found = file_diagnostics(&snapshot.db, file, encoding);
    if let Some(panic) = snapshot.panics.get(file.path(&snapshot.db)) {
        found.push(FileConverter::new(&snapshot.db, file, encoding).panic(&panic));
    }
    found
}

/// What the compiler finds in a file, and of a project file also which of its roots do not exist.
pub(crate) fn file_diagnostics(
    db: &dyn Db,
    file: SourceFile,
    encoding: Encoding,
) -> Vec<lsp::Diagnostic> {
    let converter = FileConverter::new(db, file, encoding);
    let mut found = neuro_ide::diagnostics(db, file);
    if is_project_file(file.path(db)) {
        found.extend(missing_roots(db, file));
    }
    found.iter().map(|diagnostic| converter.diagnostic(diagnostic)).collect()
}

/// `textDocument/hover`.
pub(crate) fn hover(
    snapshot: &Snapshot,
    params: &lsp::TextDocumentPositionParams,
    encoding: Encoding,
) -> Option<lsp::Hover> {
    let (file, converter) = open(snapshot, &params.text_document.uri, encoding)?;
    let hover = neuro_ide::hover(&snapshot.db, file, converter.offset(params.position))?;
    let value = hover.markdown;
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value,
        }),
        range: Some(converter.range(hover.range)),
    })
}

/// `textDocument/codeLens`.
pub(crate) fn code_lenses(
    snapshot: &Snapshot,
    uri: &lsp::Url,
    encoding: Encoding,
) -> Option<Vec<lsp::CodeLens>> {
    let (file, converter) = open(snapshot, uri, encoding)?;
    let lenses = neuro_ide::lenses(&snapshot.db, file);
    let lens = |lens: &Lens| lsp::CodeLens {
        range: converter.range(lens.range),
        command: Some(command(uri, lens)),
        data: None,
    };
    Some(lenses.iter().map(lens).collect())
}

/// The command of a lens; its argument says all that it needs.
fn command(uri: &lsp::Url, lens: &Lens) -> lsp::Command {
    let command = match lens.action {
        Action::Run => RUN,
        Action::Gradient => GRADIENT,
        Action::DerivativeIr => DERIVATIVE,
    };
    let argument = CommandArgument {
        uri: Some(uri.clone()),
        function: Some(lens.function.clone()),
        ..CommandArgument::default()
    };
    let arguments = serde_json::to_value(argument).ok().map(|argument| vec![argument]);
    lsp::Command { title: lens.action.title().to_owned(), command: command.to_owned(), arguments }
}

/// `textDocument/codeAction`: fixes, and the lenses of the function for clients that show none.
pub(crate) fn code_actions(
    snapshot: &Snapshot,
    uri: &lsp::Url,
    range: lsp::Range,
    encoding: Encoding,
) -> Option<Vec<lsp::CodeActionOrCommand>> {
    let (file, converter) = open_document(snapshot, uri, encoding)?;
    let range = converter.text_range(range);
    let mut actions = Vec::new();
    for fix in neuro_ide::quick_fixes(&snapshot.db, file, range) {
        let edit = |(range, new_text): &(_, String)| lsp::TextEdit {
            range: converter.range(*range),
            new_text: new_text.clone(),
        };
        let edits = fix.edits.iter().map(edit).collect();
        actions.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title: fix.title,
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![converter.diagnostic(&fix.diagnostic)]),
            edit: Some(lsp::WorkspaceEdit::new([(uri.clone(), edits)].into())),
            ..lsp::CodeAction::default()
        }));
    }
    if is_project_file(file.path(&snapshot.db)) {
        return Some(actions);
    }
    let here = neuro_ide::function_at(&snapshot.db, file, range.start());
    let here = here.map(|(function, _)| function.name(&snapshot.db));
    for lens in neuro_ide::lenses(&snapshot.db, file) {
        if here.as_deref() == Some(lens.function.as_str()) {
            let command = command(uri, &lens);
            actions.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
                title: format!("{} `{}`", command.title, lens.function),
                command: Some(command),
                ..lsp::CodeAction::default()
            }));
        }
    }
    Some(actions)
}

/// `textDocument/documentSymbol`.
pub(crate) fn document_symbols(
    snapshot: &Snapshot,
    uri: &lsp::Url,
    encoding: Encoding,
) -> Option<Vec<lsp::DocumentSymbol>> {
    let (file, converter) = open(snapshot, uri, encoding)?;
    let symbol = |symbol: neuro_ide::Symbol| {
        #[expect(deprecated, reason = "the field is deprecated, yet has to be given")]
        lsp::DocumentSymbol {
            name: symbol.name,
            detail: None,
            kind: match symbol.kind {
                neuro_ide::SymbolKind::Function => lsp::SymbolKind::FUNCTION,
                neuro_ide::SymbolKind::Method => lsp::SymbolKind::METHOD,
                neuro_ide::SymbolKind::Constant => lsp::SymbolKind::CONSTANT,
                neuro_ide::SymbolKind::Struct | neuro_ide::SymbolKind::Newtype => {
                    lsp::SymbolKind::STRUCT
                }
                neuro_ide::SymbolKind::Enum => lsp::SymbolKind::ENUM,
                neuro_ide::SymbolKind::Alias => lsp::SymbolKind::CLASS,
                neuro_ide::SymbolKind::Trait => lsp::SymbolKind::INTERFACE,
                neuro_ide::SymbolKind::Impl => lsp::SymbolKind::NAMESPACE,
            },
            tags: None,
            deprecated: None,
            range: converter.range(symbol.range),
            selection_range: converter.range(symbol.name_range),
            children: None,
        }
    };
    Some(neuro_ide::symbols(&snapshot.db, file).into_iter().map(symbol).collect())
}

/// `textDocument/formatting`, and `textDocument/rangeFormatting` with a range: few edits, so that cursors
/// and markers stay where they are. There is one style, so the client's options mean nothing.
pub(crate) fn formatting(
    snapshot: &Snapshot,
    uri: &lsp::Url,
    range: Option<lsp::Range>,
    encoding: Encoding,
) -> Result<Option<Vec<lsp::TextEdit>>, String> {
    let Some((file, converter)) = open(snapshot, uri, encoding) else { return Ok(None) };
    let text = file.text(&snapshot.db);
    let edits = match range {
        Some(range) => neuro_syntax::format_range(text, converter.text_range(range)),
        None => neuro_syntax::format_edits(text),
    };
    let edit = |edit: neuro_syntax::FormatEdit| lsp::TextEdit {
        range: converter.range(edit.range),
        new_text: edit.text,
    };
    let edits = edits.map_err(|error| error.to_string())?;
    Ok(Some(edits.into_iter().map(edit).collect()))
}

/// `neuro/derivative`: the function at a position.
pub(crate) fn derivative(
    snapshot: &Snapshot,
    params: &DerivativeParams,
    encoding: Encoding,
) -> Result<DerivativeResult, String> {
    let (file, converter) =
        open(snapshot, &params.text_document.uri, encoding).ok_or_else(not_open)?;
    let db: &dyn Db = &snapshot.db;
    let (function, _) = neuro_ide::function_at(db, file, converter.offset(params.position))
        .ok_or_else(|| "there is no function at this position".to_owned())?;
    view(&converter, &snapshot.db, function, params.stage.as_deref())
}

/// `neuro.derivative`: the function of a name.
pub(crate) fn derivative_of(
    snapshot: &Snapshot,
    argument: &CommandArgument,
    encoding: Encoding,
) -> Result<DerivativeResult, String> {
    let uri = argument.uri.as_ref().ok_or_else(not_open)?;
    let (file, converter) = open(snapshot, uri, encoding).ok_or_else(not_open)?;
    let name = argument.function.as_deref().unwrap_or("main");
    let function = neuro_ide::find_function(&snapshot.db, file, name)
        .ok_or_else(|| format!("there is no function `{name}`"))?;
    view(&converter, &snapshot.db, function, argument.stage.as_deref())
}

fn not_open() -> String {
    "the document is not open".to_owned()
}

fn view<'db>(
    converter: &FileConverter<'db>,
    db: &'db dyn Db,
    function: neuro_ide::Function<'db>,
    stage: Option<&str>,
) -> Result<DerivativeResult, String> {
    let stage = stage.unwrap_or("derivative");
    let stage =
        ViewStage::from_name(stage).ok_or_else(|| format!("there is no stage `{stage}`"))?;
    let view = neuro_ide::derivative_view(db, function, stage)?;
    let origin = |line: &neuro_ide::ViewLine| LineOrigin {
        line: line.line,
        range: converter.range(line.range),
    };
    Ok(DerivativeResult {
        text: view.text,
        function: function.name(db).to_string(),
        stale: false,
        map: view.lines.iter().map(origin).collect(),
    })
}
