//! Where panics happen, as positions in the text. Looked up outside of the code and its hash, so that a
//! comment above a function recompiles nothing.

use std::sync::Arc;

use neuro_db::{Db, Span, line_index};
use neuro_grad::Site;
use neuro_hir::source_map;
use neuro_runtime as rt;

/// The position of the first character of each site's expression.
pub(crate) fn positions(db: &dyn Db, sites: &[Site<'_>]) -> Arc<[rt::Site]> {
    sites.iter().map(|site| position(db, *site)).collect()
}

fn position(db: &dyn Db, Site { function, expr }: Site<'_>) -> rt::Site {
    let file = function.file(db);
    let range = source_map(db, function).expr(expr);
    let offset = Span::in_item(file, function.ast_id(db), range).absolute(db).start();
    let text = file.text(db);
    let line = line_index(db, file).line_col(offset).line;
    let before = text.get(..usize::from(offset)).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(start..).unwrap_or_default().chars().count() as u32;
    rt::Site { file: Arc::from(file.path(db).as_str()), line: line + 1, column: column + 1 }
}
