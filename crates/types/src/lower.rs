//! Types as written to types.

use neuro_db::codes::{self, Code};
use neuro_db::{Db, Name, SourceFile};
use neuro_hir::{
    BuiltinType, DimRef, Extent, Item, Path, Resolution, TypeArg, TypeRef, resolve_in,
};
use neuro_num::DType;

use crate::constants::const_value;
use crate::{Shape, TensorTy, Ty};
use neuro_hir::similar;

/// What is wrong with a type as written.
pub(crate) struct TypeProblem {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) note: Option<String>,
}

impl TypeProblem {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), note: None }
    }

    fn unsupported(what: impl std::fmt::Display) -> Self {
        Self::new(codes::UNSUPPORTED, format!("{what} is not supported yet"))
    }

    fn note(mut self, note: String) -> Self {
        self.note = Some(note);
        self
    }
}

/// Where a type is written: an unknown extent means a shape parameter in a header only, and `void` is
/// the type of a result only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    Param,
    Result,
    Constant,
    Body,
}

/// Types of the language that this compiler does not have yet.
const LATER_TYPES: &[&str] = &[
    "f16",
    "bf16",
    "string",
    "Vec",
    "HashMap",
    "BTreeMap",
    "StringBuilder",
    "Option",
    "Result",
    "OrderedF32",
    "OrderedF64",
    "Chars",
    "Device",
    "PoolHandle",
    "SparseTensor",
    "KernelOut",
    "Self",
];

/// Whether a name is a type of the language that this compiler does not have yet.
pub(crate) fn is_later_type(name: &str) -> bool {
    LATER_TYPES.contains(&name)
}

/// The type that is written, or [`Ty::Error`] and the first thing that is wrong with it; nothing is
/// wrong when a syntax error, or a constant with an error of its own, stands there.
pub(crate) fn lower_type(
    db: &dyn Db,
    item: Item<'_>,
    site: Site,
    ty: &TypeRef,
) -> (Ty, Option<TypeProblem>) {
    match lower(db, item, site, ty) {
        Ok(Ty::Void) if site != Site::Result => (Ty::Error, Some(no_value())),
        Ok(ty) => (ty, None),
        Err(problem) => (Ty::Error, problem),
    }
}

/// `Err(None)`: wrong, and reported elsewhere.
type Lowered<T> = Result<T, Option<TypeProblem>>;

fn lower(db: &dyn Db, item: Item<'_>, site: Site, ty: &TypeRef) -> Lowered<Ty> {
    let unsupported = |what: &str| Err(Some(TypeProblem::unsupported(what)));
    match ty {
        TypeRef::Error => Err(None),
        TypeRef::Path(path) => lower_path(db, item, site, path),
        TypeRef::SelfType | TypeRef::SelfAssoc(_) => unsupported("the type `Self`"),
        TypeRef::Ref { mutable, inner } => match (lower(db, item, site, inner)?, &**inner) {
            (Ty::Void, _) => Err(Some(no_value())),
            (inner, _) => Ok(inner.reference(*mutable)),
        },
        TypeRef::Array { .. } => unsupported("an array type"),
        TypeRef::Slice(_) => unsupported("a slice type"),
        TypeRef::Tuple(_) => unsupported("a tuple type"),
        TypeRef::Fn { .. } => unsupported("a function type"),
        TypeRef::Dyn(_) => unsupported("a `dyn` type"),
        TypeRef::Impl(_) => unsupported("an `impl` type"),
    }
}

fn lower_path(db: &dyn Db, item: Item<'_>, site: Site, path: &Path) -> Lowered<Ty> {
    let Ok(resolution) = resolve_in(db, item, path) else {
        return match path.as_name().or_else(|| Some(&path.first()?.name)) {
            Some(name) if path.segments.len() == 1 => Err(Some(lower_name(name))),
            _ => Err(Some(TypeProblem::unsupported(format!("the type `{path}`")))),
        };
    };
    let args = path.last().and_then(|segment| segment.args.as_deref());
    match resolution {
        // What declares it is refused.
        Resolution::Item(
            Item::Struct(_)
            | Item::Enum(_)
            | Item::Newtype(_)
            | Item::Alias(_)
            | Item::Trait(_)
            | Item::Impl(_),
        )
        | Resolution::Generic(..)
        | Resolution::Module(_)
        | Resolution::Unknown
        | Resolution::Variant(..) => Err(None),
        Resolution::Type(BuiltinType::Scalar(name)) if args.is_none() => {
            scalar(name).ok_or_else(|| Some(TypeProblem::unsupported(format!("the type `{name}`"))))
        }
        Resolution::Type(BuiltinType::Tensor) => match args {
            Some([TypeArg::Type(elem), TypeArg::Shape(dims)]) => {
                lower_tensor(db, item, site, elem, dims)
            }
            Some(_) => Err(Some(TypeProblem::unsupported("this form of `Tensor`"))),
            None => Err(Some(TypeProblem::new(
                codes::AMBIGUOUS,
                "`Tensor` needs an element type and a shape, as in `Tensor<f32, [2, 3]>`",
            ))),
        },
        Resolution::Type(ty) => {
            Err(Some(TypeProblem::unsupported(format!("the type `{}`", ty.name()))))
        }
        Resolution::Item(Item::Function(_) | Item::Const(_))
        | Resolution::Trait(_)
        | Resolution::Function(_) => Err(Some(unknown_type(&path.to_string()))),
    }
}

fn scalar(name: &str) -> Option<Ty> {
    if let Some(dtype) = DType::from_name(name) {
        return Some(Ty::Scalar(dtype));
    }
    match name {
        "char" => Some(Ty::Char),
        "void" => Some(Ty::Void),
        _ => None,
    }
}

/// What is said of a name that stands for no type.
fn lower_name(name: &Name) -> TypeProblem {
    match name.as_str() {
        later if is_later_type(later) => TypeProblem::unsupported(format!("the type `{later}`")),
        unknown => unknown_type(unknown),
    }
}

fn no_value() -> TypeProblem {
    TypeProblem::new(
        codes::MISMATCH,
        "`void` is what a function without a value returns; nothing has this type",
    )
}

fn unknown_type(name: &str) -> TypeProblem {
    let known = DType::ALL.iter().map(|dtype| dtype.name()).chain(["char", "Tensor"]);
    let problem = TypeProblem::new(codes::UNDECLARED, format!("there is no type `{name}`"));
    match foreign_type(name).or_else(|| similar(name, known)) {
        Some(meant) => problem.note(format!("did you mean `{meant}`?")),
        None => problem,
    }
}

/// What other languages call a type of this one.
fn foreign_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" => "i32",
        "uint" => "u32",
        "long" => "i64",
        "usize" | "size_t" => "u64",
        "isize" => "i64",
        "float" => "f32",
        "double" => "f64",
        "boolean" | "Bool" => "bool",
        "byte" => "u8",
        _ => return None,
    })
}

fn lower_tensor(
    db: &dyn Db,
    item: Item<'_>,
    site: Site,
    elem: &TypeRef,
    dims: &[DimRef],
) -> Lowered<Ty> {
    let elem = match lower(db, item, site, elem)? {
        Ty::Scalar(dtype) => dtype,
        other => {
            return Err(Some(TypeProblem::new(
                codes::MISMATCH,
                format!("the elements of a tensor are numbers or `bool`, not `{other}`"),
            )));
        }
    };
    let extents =
        dims.iter().map(|dim| lower_dim(db, item, site, dim)).collect::<Lowered<Vec<u64>>>()?;
    let tensor = TensorTy { elem, shape: Shape::new(extents) };
    let bytes = tensor.shape.elements().and_then(|count| count.checked_mul(elem.size() as u64));
    if bytes.is_none_or(|bytes| i64::try_from(bytes).is_err()) {
        return Err(Some(TypeProblem::new(
            codes::SHAPE,
            format!("`{tensor}` has more elements than memory has addresses"),
        )));
    }
    Ok(Ty::Tensor(tensor))
}

fn lower_dim(db: &dyn Db, item: Item<'_>, site: Site, dim: &DimRef) -> Lowered<u64> {
    if let Some(name) = &dim.name {
        return Err(Some(TypeProblem::unsupported(format!("the axis name `{name}`"))));
    }
    match &dim.extent {
        Extent::Known(extent) => Ok(*extent),
        Extent::Name(path) => match path.as_name() {
            Some(name) => named_extent(db, item, site, name),
            None => Err(None),
        },
        // The constant is refused where it is declared.
        Extent::Local(_) => Err(None),
        Extent::Dynamic => {
            Err(Some(TypeProblem::unsupported("an extent known only at run time (`?`)")))
        }
        Extent::Error => Err(None),
    }
}

fn named_extent(db: &dyn Db, item: Item<'_>, site: Site, name: &Name) -> Lowered<u64> {
    if neuro_hir::generic_param(db, item, name).is_some() {
        return Err(None);
    }
    match neuro_hir::resolve(db, item.file(db), name.clone()) {
        Some(Item::Const(constant)) => {
            let constant = const_value(db, constant);
            let Some(value) = constant.value else { return Err(None) };
            value.as_int().and_then(|extent| u64::try_from(extent).ok()).ok_or_else(|| {
                Some(TypeProblem::new(
                    codes::SHAPE,
                    format!(
                        "an extent is an integer from 0 up, and `{name}` is `{value}` of type `{}`",
                        constant.ty
                    ),
                ))
            })
        }
        Some(found) => Err(Some(TypeProblem::new(
            codes::UNDECLARED,
            format!("an extent is a number or a constant, and `{name}` is {}", found.kind()),
        ))),
        None => Err(Some(unknown_extent(db, item, site, name))),
    }
}

fn unknown_extent(db: &dyn Db, item: Item<'_>, site: Site, name: &Name) -> TypeProblem {
    let consts = const_names(db, item.file(db));
    match similar(name, consts.iter().map(Name::as_str)) {
        Some(meant) => {
            TypeProblem::new(codes::UNDECLARED, format!("there is no constant `{name}`"))
                .note(format!("did you mean `{meant}`?"))
        }
        None if matches!(site, Site::Param | Site::Result) => TypeProblem::unsupported(format!(
            "the shape parameter `{name}`"
        ))
        .note(format!("if an extent is meant, declare it outside, as in `const {name}: u64 = 4`")),
        None => TypeProblem::new(codes::UNDECLARED, format!("there is no constant `{name}`")),
    }
}

fn const_names(db: &dyn Db, file: SourceFile) -> Vec<Name> {
    neuro_hir::file_items(db, file).consts().map(|constant| constant.name(db)).collect()
}
