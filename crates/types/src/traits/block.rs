//! An `impl` block as a whole: whether it has the members of its trait, keeps the rules of the traits that the
//! language knows, and is the only one of its kind.

use neuro_db::{Db, Name, SourceFile, codes};
use neuro_hir::{
    BuiltinTrait, Container, Function, Impl, Item, Trait, functions_of, impl_data, similar,
};

use super::prove::prelude_trait;
use super::{impls, known, known_derive, project, prove, stubs, unify};
use crate::items::assoc_names;
use crate::lower::{Env, Site};
use crate::{Def, DefKind, Finding, ImplHeader, Owner, Place, Remedy, TraitDef, Ty, impl_header};

/// What is wrong with a block beyond the types in its header and beyond its methods.
#[salsa::tracked(returns(deref))]
pub(crate) fn block_problems<'db>(db: &'db dyn Db, block: Impl<'db>) -> Vec<Finding> {
    let header = impl_header(db, block);
    let mut found = Vec::new();
    let Some(of_trait) = &header.of_trait else {
        if impl_data(db, block).trait_ref.is_none() {
            found.extend(foreign_type(&header.self_ty));
            if let Some(given) = impl_data(db, block).types.first() {
                found.push(Finding::new(
                    codes::IMPL_MEMBERS,
                    Place::AssocName(0),
                    format!("`{}` belongs to a trait, and this block has none", given.name),
                ));
            }
        }
        return found;
    };
    if header.self_ty == Ty::Error {
        return found;
    }
    if let Some(problem) = rules(db, block, header, of_trait) {
        found.push(problem);
        return found;
    }
    found.extend(earlier(db, block, header, of_trait));
    found.extend(missing(db, block, header, of_trait));
    extra_types(db, block, of_trait, &mut found);
    found.extend(walks(db, block, header, of_trait));
    found
}

/// What is wrong with a trait: its associated types are filled in by the blocks alone.
pub(crate) fn trait_problems<'db>(db: &'db dyn Db, item: Trait<'db>) -> Vec<Finding> {
    let types = neuro_hir::trait_data(db, item).types.iter().enumerate();
    types
        .filter(|(_, assoc)| assoc.ty.is_some())
        .map(|(index, assoc)| {
            Finding::new(
                codes::IMPL_MEMBERS,
                Place::AssocType(index),
                format!("`{}` is filled in by each block, and has no default", assoc.name),
            )
        })
        .collect()
}

/// Methods of a type that the language provides stand in no block without a trait.
fn foreign_type(ty: &Ty) -> Option<Finding> {
    if matches!(ty, Ty::Adt { .. } | Ty::Error) {
        return None;
    }
    let finding = Finding::new(
        codes::IMPL_RULE,
        Place::ImplType,
        format!("`{ty}` is no type of the program, and a trait alone can add methods to it"),
    );
    Some(finding.note(format!("declare a trait with the methods: `impl Trait for {ty}`")))
}

/// The methods that a trait has no body for, by name.
fn required(db: &dyn Db, of_trait: &TraitDef) -> Vec<Name> {
    match of_trait {
        TraitDef::Builtin(known) => known::methods(*known)
            .iter()
            .filter(|method| !method.optional)
            .map(|method| Name::new_static(method.name))
            .collect(),
        TraitDef::Item(def) => {
            let Some(item) = def.as_trait(db) else { return Vec::new() };
            functions_of(db, def.file(), Container::Trait(item))
                .iter()
                .filter(|function| !neuro_hir::signature(db, **function).has_body)
                .map(|function| function.name(db))
                .filter(|name| !name.is_empty())
                .collect()
        }
    }
}

/// The methods that a block lacks.
pub(super) fn missing_methods<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    of_trait: &TraitDef,
) -> Vec<Name> {
    let given = functions_of(db, block.file(db), Container::Impl(block));
    let mut all = required(db, of_trait);
    all.retain(|name| !given.iter().any(|function| function.name(db) == *name));
    all
}

/// All methods of a trait, those with a body too.
fn all_methods(db: &dyn Db, of_trait: &TraitDef) -> Vec<Name> {
    match of_trait {
        TraitDef::Builtin(_) => required(db, of_trait),
        TraitDef::Item(def) => def.as_trait(db).map_or_else(Vec::new, |item| {
            let functions = functions_of(db, def.file(), Container::Trait(item));
            functions.iter().map(|function| function.name(db)).collect()
        }),
    }
}

/// Reports what a block lacks of its trait, all in one, with the text that would be there.
fn missing<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
) -> Option<Finding> {
    let given = functions_of(db, block.file(db), Container::Impl(block));
    let all = all_methods(db, of_trait);
    // A method that is misspelled is told at its name alone.
    let strange: Vec<Name> =
        given.iter().map(|function| function.name(db)).filter(|name| !all.contains(name)).collect();
    let mut methods = missing_methods(db, block, of_trait);
    let candidates = methods.clone();
    let meant: Vec<&str> = strange
        .iter()
        .filter_map(|name| similar(name, candidates.iter().map(Name::as_str)))
        .collect();
    methods.retain(|name| !meant.contains(&name.as_str()));
    let written: Vec<Name> =
        impl_data(db, block).types.iter().map(|given| given.name.clone()).collect();
    let mut types = assoc_names(db, of_trait);
    let declared = types.clone();
    types.retain(|name| !written.contains(name));
    let meant: Vec<&str> = written
        .iter()
        .filter(|name| !declared.contains(name))
        .filter_map(|name| similar(name, declared.iter().map(Name::as_str)))
        .collect();
    types.retain(|name| !meant.contains(&name.as_str()));
    if methods.is_empty() && types.is_empty() {
        return None;
    }
    let listed: Vec<String> = types
        .iter()
        .map(|name| format!("the type `{name}`"))
        .chain(methods.iter().map(|name| format!("`{name}`")))
        .collect();
    let finding = Finding::new(
        codes::IMPL_MEMBERS,
        Place::ImplTrait,
        format!("`{}` lacks {} of `{}`", header.self_ty, listed.join(", "), of_trait.name()),
    );
    let finding = match of_trait {
        TraitDef::Builtin(_) => finding,
        TraitDef::Item(def) => {
            let places = types
                .iter()
                .filter_map(|name| {
                    let index = declared.iter().position(|declared| declared == name)?;
                    Some((Owner::Item(def.clone()), Place::AssocName(index), name))
                })
                .chain(methods.iter().map(|name| {
                    (Owner::Method(def.clone(), name.clone()), Place::FunctionName, name)
                }));
            places.fold(finding, |finding, (owner, place, name)| {
                finding.elsewhere(owner, place, format!("`{name}` is declared here"))
            })
        }
    };
    let text = stubs::text(db, block, header, of_trait, &types, &methods);
    Some(finding.remedy(Remedy::InsertBefore(
        Place::ItemBrace,
        "write what is missing".to_owned(),
        text,
    )))
}

/// Reports associated types that the trait does not have.
fn extra_types<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    of_trait: &TraitDef,
    found: &mut Vec<Finding>,
) {
    let declared = assoc_names(db, of_trait);
    for (index, given) in impl_data(db, block).types.iter().enumerate() {
        if given.name.is_empty() {
            continue;
        }
        if declared.contains(&given.name) {
            if given.ty.is_none() {
                found.push(Finding::new(
                    codes::IMPL_MEMBERS,
                    Place::AssocName(index),
                    format!("`{0}` is filled in here: `type {0} = ..`", given.name),
                ));
            }
            continue;
        }
        let (name, place) = (&given.name, Place::AssocName(index));
        let finding = Finding::new(
            codes::IMPL_MEMBERS,
            place,
            format!("`{name}` is no associated type of `{}`", of_trait.name()),
        );
        found.push(match similar(name, declared.iter().map(Name::as_str)) {
            Some(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned())),
            None => finding,
        });
    }
}

/// The rules of a trait that the language knows, and of where a block stands.
fn rules<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
) -> Option<Finding> {
    let ty = &header.self_ty;
    let name = of_trait.name();
    let refuse = |code, message: String| Finding::new(code, Place::ImplTrait, message);
    let own_type = matches!(ty, Ty::Adt { def, .. } if def.file() == block.file(db));
    let own_trait = matches!(of_trait, TraitDef::Item(def) if def.file() == block.file(db));
    if !own_type && !own_trait {
        let finding = refuse(
            codes::IMPL_RULE,
            format!("neither `{name}` nor `{ty}` is declared in this file"),
        );
        return Some(
            finding.note("a block of a trait stands in the file of its trait or of its type"),
        );
    }
    let TraitDef::Builtin(known) = of_trait else { return None };
    let Ty::Adt { def, .. } = ty else {
        return Some(refuse(
            codes::IMPL_RULE,
            format!("`{name}` is given to structs, enums and newtypes, one by one"),
        ));
    };
    match known {
        BuiltinTrait::Copy | BuiltinTrait::Debug => Some(
            refuse(codes::IMPL_RULE, format!("`{name}` has no methods, and is derived"))
                .note(format!("write `@derive({name})` in front of the struct")),
        ),
        BuiltinTrait::PartialEq | BuiltinTrait::Clone if known_derive(db, def, name) => Some(
            refuse(codes::DUPLICATE, format!("`{ty}` derives `{name}` already"))
                .elsewhere(def.clone(), Place::ItemName, "it is derived here")
                .note("what is derived is not written, and the other way round"),
        ),
        BuiltinTrait::Comparable => {
            let env = block_env(db, block);
            let equal = TraitDef::Builtin(BuiltinTrait::PartialEq);
            prove(&env, ty, &equal).is_err().then(|| {
                let finding = refuse(
                    codes::IMPL_RULE,
                    format!("`{name}` needs `PartialEq`, which `{ty}` does not have"),
                );
                match def.kind() {
                    DefKind::Struct => finding
                        .note(format!("`@derive(PartialEq)`, or write `impl PartialEq for {ty}`")),
                    DefKind::Enum | DefKind::Newtype | DefKind::Trait => {
                        finding.note(format!("write `impl PartialEq for {ty}`"))
                    }
                }
                .elsewhere(
                    def.clone(),
                    Place::ItemName,
                    format!("`{ty}` is declared here"),
                )
            })
        }
        BuiltinTrait::Drop => drop_rules(db, def, ty),
        BuiltinTrait::Add
        | BuiltinTrait::Sub
        | BuiltinTrait::Mul
        | BuiltinTrait::Div
        | BuiltinTrait::Rem
        | BuiltinTrait::BitAnd
        | BuiltinTrait::BitOr
        | BuiltinTrait::BitXor
        | BuiltinTrait::Shl
        | BuiltinTrait::MatMul
        | BuiltinTrait::Neg
        | BuiltinTrait::Not
        | BuiltinTrait::PartialEq
        | BuiltinTrait::Hashable
        | BuiltinTrait::Clone => None,
    }
}

/// `Drop` is for structs that are not copied.
fn drop_rules(db: &dyn Db, def: &Def, ty: &Ty) -> Option<Finding> {
    let refuse = |message: String| Finding::new(codes::IMPL_RULE, Place::ImplTrait, message);
    if known_derive(db, def, "Copy") {
        let finding = refuse(format!("`{ty}` has no `Drop`, since it derives `Copy`"));
        return Some(
            finding
                .elsewhere(def.clone(), Place::ItemName, "it derives `Copy`")
                .note("a copy has no end of its own"),
        );
    }
    match def.kind() {
        DefKind::Struct => None,
        DefKind::Enum | DefKind::Newtype | DefKind::Trait => Some(
            refuse(format!("`Drop` is for structs, and `{ty}` is none"))
                .note("keep a struct with `Drop` in it"),
        ),
    }
}

/// What names mean in the header of a block.
fn block_env<'db>(db: &'db dyn Db, block: Impl<'db>) -> Env<'db> {
    let generics = crate::generics(db, Item::Impl(block));
    Env::new(db, block.module(db), generics, Site::Item)
}

/// Reports a block that gives a type a trait that it has already, by another block.
fn earlier<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
) -> Option<Finding> {
    let ty = &header.self_ty;
    let own = block.file(db);
    let mut files: Vec<SourceFile> = vec![own];
    let type_file = match ty {
        Ty::Adt { def, .. } => Some(def.file()),
        _ => None,
    };
    let trait_file = match of_trait {
        TraitDef::Item(def) => Some(def.file()),
        TraitDef::Builtin(_) => None,
    };
    for file in type_file.into_iter().chain(trait_file) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    for file in files {
        // A block for every type meets those of all types.
        let others = match ty {
            Ty::Param(_) => impls::blocks_of_trait(db, file, of_trait.clone()),
            ty => impls::blocks_giving(db, file, impls::head(ty), of_trait.clone()),
        };
        for other in others {
            // Of two in one file the later one is reported, of two files that of the type.
            let before = if file == own {
                other.ast_id(db).0 < block.ast_id(db).0
            } else {
                type_file == Some(own)
            };
            let there = &impl_header(db, *other).self_ty;
            if *other == block || !before || !unify::overlap(ty, there) {
                continue;
            }
            let name = of_trait.name();
            let message = if there == ty {
                format!("`{ty}` has `{name}` already")
            } else {
                format!("some types are both `{ty}` and `{there}`, and have `{name}` already")
            };
            let finding = Finding::new(codes::DUPLICATE, Place::ImplTrait, message);
            let owner = Owner::block(db, *other, None);
            return Some(finding.elsewhere(owner, Place::ImplTrait, "by this block"));
        }
    }
    None
}

/// What an `IntoIterator` becomes is an iterator over its items.
fn walks<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
) -> Option<Finding> {
    if *of_trait != prelude_trait(db, "IntoIterator") {
        return None;
    }
    let given = |name: &str| header.assoc.iter().find(|(found, _)| found == name).map(|(_, ty)| ty);
    let (iter, item) = (given("Iter")?, given("Item")?);
    if *iter == Ty::Error || *item == Ty::Error {
        return None;
    }
    let index = impl_data(db, block).types.iter().position(|given| given.name == "Iter")?;
    let iterator = prelude_trait(db, "Iterator");
    let env = block_env(db, block);
    let message = match project(&env, iter, &iterator, "Item") {
        Some(found) if found == *item || found == Ty::Error => return None,
        Some(found) => format!("`Iter` gives `{found}`, and `Item` is `{item}`"),
        None => format!("`Iter` is an iterator, and `{iter}` does not have `Iterator`"),
    };
    Some(Finding::new(codes::IMPL_RULE, Place::AssocType(index), message))
}

/// Reports a function that another block of the type without a trait, or a variant, has the name of.
pub(super) fn repeated<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    function: Function<'db>,
) -> Vec<Finding> {
    let name = function.name(db);
    let header = impl_header(db, block);
    let Ty::Adt { def, .. } = &header.self_ty else { return Vec::new() };
    if name.is_empty() {
        return Vec::new();
    }
    let duplicate = |message: String| Finding::new(codes::DUPLICATE, Place::FunctionName, message);
    if let Some(item) = def.as_enum(db) {
        let variants = &neuro_hir::enum_data(db, item).variants;
        if let Some(index) = variants.iter().position(|variant| variant.name == name) {
            let finding = duplicate(format!("`{name}` is a variant of `{}`", def.name()));
            return vec![finding.elsewhere(def.clone(), Place::Variant(index), "it is here")];
        }
    }
    let files = [Some(block.file(db)), Some(def.file()).filter(|file| *file != block.file(db))];
    for file in files.into_iter().flatten() {
        for other in impls::blocks_about(db, file, Some(def.clone())) {
            let before = file != block.file(db) || other.ast_id(db).0 < block.ast_id(db).0;
            let there = impl_header(db, *other);
            if !before || *other == block || neuro_hir::impl_data(db, *other).trait_ref.is_some() {
                continue;
            }
            let functions = functions_of(db, file, Container::Impl(*other));
            if functions.iter().any(|found| found.name(db) == name)
                && unify::overlap(&header.self_ty, &there.self_ty)
            {
                let finding =
                    duplicate(format!("`{}` has a function `{name}` already", def.name()));
                let owner = Owner::block(db, *other, Some(name));
                return vec![finding.elsewhere(owner, Place::FunctionName, "it is here")];
            }
        }
    }
    Vec::new()
}
