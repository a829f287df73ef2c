//! What an item mentions, read off its tree without asking what anything means.

use neuro_db::{Db, Name};
use neuro_syntax::{AstNode, SyntaxKind, ast};
use rowan::GreenNodeData;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{Item, green};

/// What an item mentions; of what it holds, nothing, since the functions that stand in it are items themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mentions {
    /// The names, sorted.
    pub(crate) names: Box<[Name]>,
    /// The paths of several parts, without their arguments, each once, in the order of the text.
    pub(crate) paths: Box<[Vec<Name>]>,
}

/// What an item mentions. Both are found in one walk.
#[salsa::tracked]
pub(crate) fn mentions<'db>(db: &'db dyn Db, item: Item<'db>) -> Mentions {
    let mut names = FxHashSet::default();
    let mut paths: indexmap::IndexSet<Vec<Name>, FxBuildHasher> = indexmap::IndexSet::default();
    let root = &*item.source(db).0;
    green::walk(root, &mut |kind, node| {
        match kind {
            SyntaxKind::NAME_REF => names.extend(green::ident(node)),
            // A bare name in a pattern may be a variant.
            SyntaxKind::IDENT_PAT => {
                names.extend(green::children(node, SyntaxKind::NAME).filter_map(green::ident));
            }
            SyntaxKind::PATH => paths.extend(qualified(node)),
            _ => {}
        }
        !ast::Func::can_cast(kind) || std::ptr::eq(node, root)
    });
    let mut names: Box<[Name]> = names.into_iter().map(Name::from).collect();
    names.sort_unstable();
    Mentions { names, paths: paths.into_iter().collect() }
}

/// The names of a path, if it has several parts.
fn qualified(path: &GreenNodeData) -> Option<Vec<Name>> {
    let segments = green::children(path, SyntaxKind::PATH_SEGMENT);
    segments.clone().nth(1)?;
    let name = |segment| {
        let name = green::children(segment, SyntaxKind::NAME_REF).next();
        name.map(green::name_ref).unwrap_or_default()
    };
    Some(segments.map(name).collect())
}
