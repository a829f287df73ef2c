//! What nothing uses: bindings, imports, items.

use neuro_db::codes::{HIDING_PATTERN, UNUSED_IMPORT, UNUSED_ITEM, UNUSED_VARIABLE};
use neuro_db::{Db, Diagnostic, SourceFile, Span};
use neuro_hir::{
    Binding, Expr, Function, LocalId, body, file_items, import_removal, import_span,
    item_name_range, source_map, unused_imports, unused_items, unused_locals,
};
use neuro_types::{Finding, Place, infer};

/// The bindings of a function that nothing reads.
pub(super) fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let body = body(db, function);
    let diagnostic = |local: LocalId| {
        let map = source_map(db, function);
        let declared = &body.locals[local];
        let name = &declared.name;
        let what = match declared.binding {
            Binding::Const => "constant",
            Binding::Receiver
            | Binding::Loop
            | Binding::Param
            | Binding::ClosureParam
            | Binding::Let
            | Binding::Arm
            | Binding::Failure => "variable",
        };
        let span = Span::in_item(function.file(db), function.ast_id(db), map.local(local));
        let found =
            Diagnostic::new(UNUSED_VARIABLE, span, format!("the {what} `{name}` is never read"));
        // Another name here would be missing where a value is assigned to this one.
        if body.exprs.values().any(|expr| matches!(expr, Expr::Local(used) if *used == local)) {
            return found;
        }
        let text = match map.is_shorthand(local) {
            true => format!("{name}: _"),
            false => format!("_{name}"),
        };
        found.fix("say that it is meant to be unused", span, text)
    };
    // A name that was meant to be something else is told as such.
    let hiding = |local: &LocalId| {
        let findings = &infer(db, function).findings;
        let told = |finding: &Finding| {
            finding.code == HIDING_PATTERN && finding.place == Place::Local(*local)
        };
        findings.iter().any(told)
    };
    let unused = unused_locals(body).into_iter().filter(|local| !hiding(local));
    unused.map(diagnostic).collect()
}

/// The imports and items of a file that nothing needs.
pub(super) fn check_file(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let imports = unused_imports(db, file).iter().filter_map(|import| {
        let (_, binding) = file_items(db, file).imports.get(*import)?;
        let message = format!("the import `{}` is never used", binding.name);
        let found = Diagnostic::new(UNUSED_IMPORT, import_span(db, file, *import)?, message);
        Some(match import_removal(db, file, *import) {
            Some(span) => found.fix("remove it", span, ""),
            None => found,
        })
    });
    let items = unused_items(db, file).iter().map(|item| {
        let span = Span::in_item(file, item.ast_id(db), item_name_range(db, *item));
        let kind = item.kind();
        let kind = kind.split_once(' ').map_or(kind, |(_, kind)| kind);
        Diagnostic::new(UNUSED_ITEM, span, format!("the {kind} `{}` is never used", item.name(db)))
    });
    imports.chain(items).collect()
}
