//! Where the blocks of a type or a trait are looked for, and whether a block is about a type.

use neuro_db::{Db, SourceFile};
use neuro_hir::{Impl, Item, Module, Resolution, file_items, resolve_import};

use rustc_hash::FxHashMap;

use crate::{Def, Extent, GenericArg, Shape, TraitDef, Ty, generics, impl_header};

/// The `impl` blocks of a file, in the order of the text.
#[salsa::tracked(returns(deref))]
pub(crate) fn blocks<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Impl<'db>> {
    let items = file_items(db, file).items.iter();
    items
        .filter_map(|item| match item {
            Item::Impl(block) => Some(*block),
            _ => None,
        })
        .collect()
}

/// The blocks of a file that give a trait. A query for each trait, so that the header of another trait's
/// block runs nothing that asks for this one.
#[salsa::tracked(returns(deref))]
pub(crate) fn blocks_of_trait<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    of_trait: TraitDef,
) -> Vec<Impl<'db>> {
    let blocks = blocks(db, file).iter().copied();
    blocks.filter(|block| impl_header(db, *block).of_trait.as_ref() == Some(&of_trait)).collect()
}

/// The blocks of a file by what they are about, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
struct Index<'db> {
    /// Those about a struct, an enum or a newtype.
    named: FxHashMap<Def, Vec<Impl<'db>>>,
    /// Those about other types.
    other: Vec<Impl<'db>>,
    /// Those about every type that has something.
    any: Vec<Impl<'db>>,
}

#[salsa::tracked]
fn index<'db>(db: &'db dyn Db, file: SourceFile) -> Index<'db> {
    let mut index = Index::default();
    for block in blocks(db, file) {
        match &impl_header(db, *block).self_ty {
            Ty::Adt { def, .. } => index.named.entry(def.clone()).or_default().push(*block),
            Ty::Param(_) => index.any.push(*block),
            _ => index.other.push(*block),
        }
    }
    index
}

/// The blocks of a file that can be about a struct, an enum or a newtype; `None` asks for those about other
/// types. A query for each type, so that a block about another type runs nothing that asks for this one.
#[salsa::tracked(returns(deref))]
pub(crate) fn blocks_about<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    asked: Option<Def>,
) -> Vec<Impl<'db>> {
    let index = index(db, file);
    let own = match asked {
        Some(def) => index.named.get(&def),
        None => Some(&index.other),
    };
    own.into_iter().flatten().chain(&index.any).copied().collect()
}

/// The blocks of [`blocks_about`] that give a trait. A query for each of both, so that a block that gives a
/// type another trait runs nothing that asks for this one.
#[salsa::tracked(returns(deref))]
pub(crate) fn blocks_giving<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    asked: Option<Def>,
    of_trait: TraitDef,
) -> Vec<Impl<'db>> {
    let blocks = blocks_about(db, file, asked).iter().copied();
    blocks.filter(|block| impl_header(db, *block).of_trait.as_ref() == Some(&of_trait)).collect()
}

/// The struct, enum or newtype that a type is, for [`blocks_about`].
pub(crate) fn head(ty: &Ty) -> Option<Def> {
    match ty {
        Ty::Adt { def, .. } => Some(def.clone()),
        _ => None,
    }
}

/// The file and those of what it imports, the prelude among them.
#[salsa::tracked(returns(deref))]
fn seen_from(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut files = vec![file];
    let mut add = |found: SourceFile| {
        if !files.contains(&found) {
            files.push(found);
        }
    };
    for import in 0..file_items(db, file).imports.len() {
        match resolve_import(db, file, import) {
            Ok(Resolution::Item(item)) => add(item.file(db)),
            Ok(Resolution::Variant(item, _)) => add(item.file(db)),
            Ok(Resolution::Module(module)) => add(module.file(db)),
            Ok(
                Resolution::Generic(..)
                | Resolution::Type(_)
                | Resolution::Trait(_)
                | Resolution::Function(_)
                | Resolution::Unknown,
            )
            | Err(_) => {}
        }
    }
    add(db.prelude());
    files
}

/// The files in which blocks about a type, or of a trait, are looked for.
pub(crate) fn files<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    ty: &Ty,
    of_trait: Option<&TraitDef>,
) -> Vec<SourceFile> {
    let mut files = seen_from(db, module.file(db)).to_vec();
    let mut add = |file: SourceFile| {
        if !files.contains(&file) {
            files.push(file);
        }
    };
    ty.any(&mut |part| {
        if let Ty::Adt { def, .. } = part {
            add(def.file());
        }
        false
    });
    if let Some(TraitDef::Item(def)) = of_trait {
        add(def.file());
    }
    files
}

/// What a block is applied to when it is about `ty`; none if it is about other types. What is open in `ty`
/// fits everything. A parameter that the type does not mention is an error.
pub(crate) fn about<'db>(db: &'db dyn Db, block: Impl<'db>, ty: &Ty) -> Option<Vec<GenericArg>> {
    let header = impl_header(db, block);
    if header.self_ty == Ty::Error {
        return None;
    }
    let params = &generics(db, Item::Impl(block)).params;
    let mut args: Vec<Option<GenericArg>> = vec![None; params.len()];
    if !fits(&header.self_ty, ty, &mut args) {
        return None;
    }
    let args = args.into_iter().zip(params).map(|(arg, param)| {
        arg.unwrap_or(match param.kind {
            crate::GenericKind::Type { .. } => GenericArg::Type(Ty::Error),
            crate::GenericKind::Const { .. } => GenericArg::Const(Extent::Dynamic),
        })
    });
    Some(args.collect())
}

/// Whether a type is an instance of a pattern, whose parameters are found out.
fn fits(pattern: &Ty, ty: &Ty, args: &mut [Option<GenericArg>]) -> bool {
    match (pattern, ty) {
        (Ty::Param(param), ty) => match args.get_mut(param.index as usize) {
            Some(slot @ None) => {
                *slot = Some(GenericArg::Type(ty.clone()));
                true
            }
            Some(Some(GenericArg::Type(known))) => same(known, ty),
            Some(Some(GenericArg::Const(_))) | None => false,
        },
        (_, Ty::Var(_) | Ty::Error) => true,
        (Ty::Adt { def: a, args: left }, Ty::Adt { def: b, args: right }) => {
            a == b
                && left.len() == right.len()
                && left.iter().zip(right.iter()).all(|pair| match pair {
                    (GenericArg::Type(a), GenericArg::Type(b)) => fits(a, b, args),
                    (GenericArg::Const(a), GenericArg::Const(b)) => fits_extent(a, b, args),
                    (GenericArg::Type(_), GenericArg::Const(_))
                    | (GenericArg::Const(_), GenericArg::Type(_)) => false,
                })
        }
        (Ty::Collection { kind: a, args: left }, Ty::Collection { kind: b, args: right }) => {
            a == b && left.iter().zip(right.iter()).all(|(a, b)| fits(a, b, args))
        }
        (Ty::Ref { mutable: a, inner: left }, Ty::Ref { mutable: b, inner: right }) => {
            a == b && fits(left, right, args)
        }
        (Ty::Tuple(left), Ty::Tuple(right)) => {
            left.len() == right.len()
                && left.iter().zip(right.iter()).all(|(a, b)| fits(a, b, args))
        }
        (Ty::Array { elem: left, len: a }, Ty::Array { elem: right, len: b }) => {
            fits(left, right, args) && fits_extent(a, b, args)
        }
        (Ty::Slice(left), Ty::Slice(right)) => fits(left, right, args),
        (Ty::Tensor(a), Ty::Tensor(b)) => a.elem == b.elem && fits_shape(&a.shape, &b.shape, args),
        (a, b) => a == b,
    }
}

fn fits_shape(pattern: &Shape, shape: &Shape, args: &mut [Option<GenericArg>]) -> bool {
    pattern.rank() == shape.rank()
        && pattern
            .dims()
            .iter()
            .zip(shape.dims())
            .all(|(a, b)| fits_extent(&a.extent, &b.extent, args))
}

fn fits_extent(pattern: &Extent, extent: &Extent, args: &mut [Option<GenericArg>]) -> bool {
    match (pattern, extent) {
        (Extent::Param(param), extent) => match args.get_mut(param.index as usize) {
            Some(slot @ None) => {
                *slot = Some(GenericArg::Const(extent.clone()));
                true
            }
            Some(Some(GenericArg::Const(known))) => {
                known == extent || matches!(extent, Extent::Var(_))
            }
            Some(Some(GenericArg::Type(_))) | None => false,
        },
        (_, Extent::Var(_)) => true,
        (a, b) => a == b,
    }
}

/// Whether two types are or can become the same.
fn same(a: &Ty, b: &Ty) -> bool {
    let open = |ty: &Ty| ty.any(&mut |part| matches!(part, Ty::Var(_) | Ty::Error));
    a == b || open(a) || open(b)
}
