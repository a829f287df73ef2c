//! Types as written to types.

use neuro_db::codes::{self, Code};
use neuro_db::{Db, Name, SourceFile};
use neuro_hir::{DimRef, Extent as Written, Item, TypeRef};
use neuro_num::DType;

use crate::constants::const_value;
use crate::{Dim, Extent, Shape, TensorTy, Ty};
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
    file: SourceFile,
    site: Site,
    ty: &TypeRef,
) -> (Ty, Option<TypeProblem>) {
    match lower(db, file, site, ty) {
        Ok(Ty::Void) if site != Site::Result => (Ty::Error, Some(no_value())),
        Ok(ty) => (ty, None),
        Err(problem) => (Ty::Error, problem),
    }
}

/// `Err(None)`: wrong, and reported elsewhere.
type Lowered<T> = Result<T, Option<TypeProblem>>;

fn lower(db: &dyn Db, file: SourceFile, site: Site, ty: &TypeRef) -> Lowered<Ty> {
    match ty {
        TypeRef::Error => Err(None),
        TypeRef::Name(name) => lower_name(name).map_err(Some),
        TypeRef::Ref { mutable, inner } => match lower(db, file, site, inner)? {
            Ty::Void => Err(Some(no_value())),
            inner => Ok(inner.reference(*mutable)),
        },
        TypeRef::Tensor { elem, dims } => lower_tensor(db, file, site, elem, dims),
        TypeRef::Array { .. } => Err(Some(TypeProblem::unsupported("an array type"))),
        TypeRef::Unsupported(text) => {
            Err(Some(TypeProblem::unsupported(format!("the type `{text}`"))))
        }
    }
}

fn lower_name(name: &Name) -> Result<Ty, TypeProblem> {
    if let Some(dtype) = DType::from_name(name) {
        return Ok(Ty::Scalar(dtype));
    }
    match name.as_str() {
        "char" => Ok(Ty::Char),
        "void" => Ok(Ty::Void),
        "Tensor" => Err(TypeProblem::new(
            codes::AMBIGUOUS,
            "`Tensor` needs an element type and a shape, as in `Tensor<f32, [2, 3]>`",
        )),
        later if is_later_type(later) => {
            Err(TypeProblem::unsupported(format!("the type `{later}`")))
        }
        unknown => Err(unknown_type(unknown)),
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
    file: SourceFile,
    site: Site,
    elem: &TypeRef,
    dims: &[DimRef],
) -> Lowered<Ty> {
    let elem = match lower(db, file, site, elem)? {
        Ty::Scalar(dtype) => dtype,
        other => {
            return Err(Some(TypeProblem::new(
                codes::MISMATCH,
                format!("the elements of a tensor are numbers or `bool`, not `{other}`"),
            )));
        }
    };
    let mut names: Vec<&Name> = Vec::new();
    for name in dims.iter().filter_map(|dim| dim.name.as_ref()) {
        if names.contains(&name) {
            let message = format!("two axes of one shape are called `{name}`");
            return Err(Some(TypeProblem::new(codes::SHAPE, message)));
        }
        names.push(name);
    }
    let dims =
        dims.iter().map(|dim| lower_dim(db, file, site, dim)).collect::<Lowered<Vec<Dim>>>()?;
    let tensor = TensorTy { elem, shape: Shape::of(dims) };
    if !fits_memory(&tensor) {
        return Err(Some(TypeProblem::new(
            codes::SHAPE,
            format!("`{tensor}` has more elements than memory has addresses"),
        )));
    }
    Ok(Ty::Tensor(tensor))
}

/// Whether the elements have addresses, as far as their number is known.
fn fits_memory(tensor: &TensorTy) -> bool {
    let known = tensor.shape.dims().iter().filter_map(|dim| dim.extent.known());
    let size = tensor.elem.size() as u64;
    let bytes = known.into_iter().try_fold(size, |product, extent| product.checked_mul(extent));
    bytes.is_some_and(|bytes| i64::try_from(bytes).is_ok())
}

fn lower_dim(db: &dyn Db, file: SourceFile, site: Site, dim: &DimRef) -> Lowered<Dim> {
    let extent = match &dim.extent {
        Written::Known(extent) => Extent::Known(*extent),
        Written::Name(name) => Extent::Known(named_extent(db, file, site, name)?),
        Written::Dynamic => Extent::Dynamic,
        Written::Error => return Err(None),
    };
    Ok(Dim { name: dim.name.clone(), extent })
}

fn named_extent(db: &dyn Db, file: SourceFile, site: Site, name: &Name) -> Lowered<u64> {
    match neuro_hir::resolve(db, file, name.clone()) {
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
        Some(Item::Function(_)) => Err(Some(TypeProblem::new(
            codes::UNDECLARED,
            format!("an extent is a number or a constant, and `{name}` is a function"),
        ))),
        None => Err(Some(unknown_extent(db, file, site, name))),
    }
}

fn unknown_extent(db: &dyn Db, file: SourceFile, site: Site, name: &Name) -> TypeProblem {
    let consts = const_names(db, file);
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
