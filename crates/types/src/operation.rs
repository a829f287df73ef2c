//! The language's own methods and constructors of tensors: one table that inference, hover and completion read.

use neuro_num::{DType, MathFn};

use crate::Ty;

/// A method that the language provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// A row of the table of math functions: on floats, and elementwise on float tensors.
    Math(MathFn),
    /// `.sum()`: every element, as a scalar; with `axis:` along an axis.
    Sum,
    /// `.mean()`: the sum divided by the number of elements.
    Mean,
    /// `.max()`: the greatest element.
    Max,
    /// `.min()`: the least element.
    Min,
    /// `.sort()`: the elements in order along an axis.
    Sort,
    /// `.argsort()`: the positions that sort an axis.
    Argsort,
    /// `.topk(k: n)`: the greatest elements of an axis and their positions.
    Topk,
    /// `.item()`: the element of a rank-0 tensor.
    Item,
    /// `.flat(i)`: the element at a position in the order of the rows.
    Flat,
    /// `.clone()`: a tensor of its own with the same elements and empty slots.
    Clone,
    /// `.t()`: the transpose; consumes the receiver.
    Transpose,
    /// `.permute([..])`: the axes in another order; consumes the receiver.
    Permute,
    /// `.reshape([..])`: the elements in another shape; consumes the receiver.
    Reshape,
    /// `.flatten()`: several axes as one; consumes the receiver.
    Flatten,
    /// `.map(f)`: a function of each element.
    Map,
    /// `.zip(other, f)`: a function of each pair of elements.
    Zip,
    /// `.reduce(first, f)`: a fold from the left.
    Reduce,
    /// `.to(device)`: the same tensor on a device; consumes the receiver.
    To,
    /// `.detach()`: the same tensor, cut out of the gradient; consumes the receiver.
    Detach,
    /// `.backward()` on the value of a `@grad` or `@jacobian` call.
    Backward,
    /// `.forward(w: &v)` on such a value: a directional derivative.
    Forward,
    /// `.hvp(w: &v)` on such a value: the Hessian times a direction.
    Hvp,
    /// `.jacobian(x)` on the value of a `@jacobian` call.
    Jacobian,
    /// `.grad()`: borrows the gradient slot.
    Grad,
    /// `.hessian()`: borrows the Hessian slot; `.hessian(w)` and `.hessian(w, b)` on the value of a call.
    Hessian,
    /// `.zero_grad()`: empties the slots.
    ZeroGrad,
    /// `.nnz()` of a sparse tensor: the number of its entries.
    Nnz,
    /// `.values()` of a sparse tensor: its entries, row by row.
    Values,
    /// `.rows()` of a sparse tensor: the row of each entry.
    Rows,
    /// `.cols()` of a sparse tensor: the column of each entry.
    Cols,
    /// `.row_ptr()` of a sparse tensor: where each row begins among its entries.
    RowPtr,
    /// `.to_dense()` of a sparse tensor: the tensor with its zeros.
    ToDense,
    /// `.matvec(&v)` of a sparse tensor: its product with a vector.
    Matvec,
}

/// A row of the table of methods.
struct MethodRow {
    method: Method,
    name: &'static str,
    doc: &'static str,
}

const fn row(method: Method, name: &'static str, doc: &'static str) -> MethodRow {
    MethodRow { method, name, doc }
}

/// The methods of tensors that are no math functions.
const TENSOR_METHODS: &[MethodRow] = &[
    row(Method::Sum, "sum", "the sum of all elements, or of those along `axis:`"),
    row(Method::Mean, "mean", "the mean of all elements, or of those along `axis:`"),
    row(Method::Max, "max", "the greatest of all elements, or of those along `axis:`"),
    row(Method::Min, "min", "the least of all elements, or of those along `axis:`"),
    row(
        Method::Sort,
        "sort",
        "the elements in order along an axis, the last one unless `axis:` says otherwise",
    ),
    row(Method::Argsort, "argsort", "the positions that put an axis in order"),
    row(Method::Topk, "topk", "the `k` greatest elements along an axis, and their positions"),
    row(Method::Item, "item", "the number in a tensor of rank 0"),
    row(Method::Flat, "flat", "the element at a position, counted row by row"),
    row(Method::Clone, "clone", "a copy of its own, without a gradient"),
    row(Method::Transpose, "t", "the transpose of a matrix; consumes it"),
    row(Method::Permute, "permute", "its axes in another order, by position or name; consumes it"),
    row(
        Method::Reshape,
        "reshape",
        "its elements in another shape, of which one extent may be `-1`; consumes it",
    ),
    row(
        Method::Flatten,
        "flatten",
        "its axes as one, or the neighbours that `dims:` lists; consumes it",
    ),
    row(Method::Map, "map", "a function of each element"),
    row(Method::Zip, "zip", "a function of each pair of elements of two tensors of one shape"),
    row(Method::Reduce, "reduce", "a fold of all elements from the left"),
    row(Method::To, "to", "the same tensor on a device; consumes it"),
    row(Method::Detach, "detach", "the same tensor as a constant of every derivative; consumes it"),
    row(
        Method::Backward,
        "backward",
        "runs the derivative of the `@grad` call that gave this loss, and puts each gradient beside its tensor",
    ),
    row(
        Method::Forward,
        "forward",
        "the derivative of the call that gave this value along the directions given by name",
    ),
    row(
        Method::Hvp,
        "hvp",
        "the Hessian of the call that gave this loss times the directions given by name",
    ),
    row(
        Method::Jacobian,
        "jacobian",
        "the Jacobian by a parameter of the call that gave this value",
    ),
    row(
        Method::Grad,
        "grad",
        "the gradient that the last `.backward()` put beside this tensor; panics if there is none",
    ),
    row(
        Method::Hessian,
        "hessian",
        "the Hessian beside this tensor; of the value of a call, that by one or two of its parameters",
    ),
    row(Method::ZeroGrad, "zero_grad", "takes the gradient beside this tensor away"),
];

/// The methods of sparse tensors.
const SPARSE_METHODS: &[MethodRow] = &[
    row(Method::Nnz, "nnz", "the number of entries"),
    row(Method::Values, "values", "the entries, row by row"),
    row(Method::Rows, "rows", "the row of each entry"),
    row(Method::Cols, "cols", "the column of each entry"),
    row(
        Method::RowPtr,
        "row_ptr",
        "where each row begins among the entries, and where the last one ends",
    ),
    row(Method::ToDense, "to_dense", "the tensor with its zeros"),
    row(Method::Matvec, "matvec", "the product with a vector"),
];

impl Method {
    /// Every method.
    pub fn all() -> impl Iterator<Item = Method> {
        let rows = TENSOR_METHODS.iter().chain(SPARSE_METHODS);
        rows.map(|row| row.method).chain(MathFn::all().map(Method::Math))
    }

    /// The methods of tensors.
    pub fn of_tensors() -> impl Iterator<Item = Method> {
        TENSOR_METHODS.iter().map(|row| row.method).chain(MathFn::all().map(Method::Math))
    }

    /// The methods of sparse tensors.
    pub fn of_sparse() -> impl Iterator<Item = Method> {
        SPARSE_METHODS.iter().map(|row| row.method)
    }

    /// The method of tensors of this name.
    pub fn from_name(name: &str) -> Option<Method> {
        Method::of_tensors().find(|method| method.name() == name)
    }

    fn row(self) -> Option<&'static MethodRow> {
        TENSOR_METHODS.iter().chain(SPARSE_METHODS).find(|row| row.method == self)
    }

    /// The name, as it is called.
    pub fn name(self) -> &'static str {
        match self {
            Method::Math(function) => function.name(),
            _ => self.row().map_or("", |row| row.name),
        }
    }

    /// One line of documentation.
    pub fn doc(self) -> &'static str {
        match self {
            Method::Math(function) => function.row().doc,
            _ => self.row().map_or("", |row| row.doc),
        }
    }

    /// Whether values of a type have this method, their shape left aside.
    pub fn exists_on(self, ty: &Ty) -> bool {
        let float = |dtype: Option<DType>| dtype.is_some_and(DType::is_float);
        let elem = ty.as_tensor().map(|tensor| tensor.elem);
        match self {
            Method::Math(_) => float(elem) || float(ty.as_scalar()),
            Method::Mean
            | Method::Backward
            | Method::Forward
            | Method::Hvp
            | Method::Jacobian
            | Method::Grad
            | Method::Hessian
            | Method::ZeroGrad => float(elem),
            Method::Sum
            | Method::Max
            | Method::Min
            | Method::Sort
            | Method::Argsort
            | Method::Topk => elem.is_some_and(|elem| elem != DType::Bool),
            Method::Transpose
            | Method::Permute
            | Method::Reshape
            | Method::Flatten
            | Method::To
            | Method::Detach => matches!(ty, Ty::Tensor(_)),
            Method::Item
            | Method::Flat
            | Method::Clone
            | Method::Map
            | Method::Zip
            | Method::Reduce => elem.is_some(),
            Method::Nnz
            | Method::Values
            | Method::Rows
            | Method::Cols
            | Method::RowPtr
            | Method::ToDense
            | Method::Matvec => matches!(ty.peeled(), Ty::Sparse(_)),
        }
    }

    /// Whether the method takes the tensor that it is called on, so that a borrowed one does not have it.
    pub fn consumes(self) -> bool {
        matches!(
            self,
            Method::Transpose
                | Method::Permute
                | Method::Reshape
                | Method::Flatten
                | Method::To
                | Method::Detach
        )
    }
}

/// An associated function of `Tensor`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TensorConstructor {
    /// `Tensor::zeros()`
    Zeros,
    /// `Tensor::ones()`
    Ones,
    /// `Tensor::identity()`
    Identity,
    /// `Tensor::scalar(x)`
    Scalar,
    /// `Tensor::from([..])`
    From,
    /// `Tensor::random_normal(mean: m, std: s)`
    RandomNormal,
    /// `Tensor::from_fn(|i, j| ..)`
    FromFn,
    /// `Tensor::stack(n, |k| ..)`
    Stack,
    /// `Tensor::select(&mask, a, b)`
    Select,
}

impl TensorConstructor {
    /// Every constructor.
    pub const ALL: [TensorConstructor; 9] = [
        TensorConstructor::Zeros,
        TensorConstructor::Ones,
        TensorConstructor::Identity,
        TensorConstructor::Scalar,
        TensorConstructor::From,
        TensorConstructor::RandomNormal,
        TensorConstructor::FromFn,
        TensorConstructor::Stack,
        TensorConstructor::Select,
    ];

    /// The constructor of this name.
    pub fn from_name(name: &str) -> Option<TensorConstructor> {
        TensorConstructor::ALL.into_iter().find(|constructor| constructor.name() == name)
    }

    /// The name behind `Tensor::`.
    pub fn name(self) -> &'static str {
        match self {
            TensorConstructor::Zeros => "zeros",
            TensorConstructor::Ones => "ones",
            TensorConstructor::Identity => "identity",
            TensorConstructor::Scalar => "scalar",
            TensorConstructor::From => "from",
            TensorConstructor::RandomNormal => "random_normal",
            TensorConstructor::FromFn => "from_fn",
            TensorConstructor::Stack => "stack",
            TensorConstructor::Select => "select",
        }
    }

    /// One line of documentation.
    pub fn doc(self) -> &'static str {
        match self {
            TensorConstructor::Zeros => "a tensor of zeros of the expected type",
            TensorConstructor::Ones => "a tensor of ones of the expected type",
            TensorConstructor::Identity => {
                "the square matrix with 1 on its diagonal and 0 elsewhere"
            }
            TensorConstructor::Scalar => "a tensor of rank 0 that holds a number",
            TensorConstructor::From => "a tensor of the entries of an array literal",
            TensorConstructor::RandomNormal => {
                "a tensor of draws from a normal distribution, the same in every run"
            }
            TensorConstructor::FromFn => {
                "a tensor whose elements are a function of their positions"
            }
            TensorConstructor::Stack => "tensors of one shape along a new first axis",
            TensorConstructor::Select => {
                "the elements of one tensor where a mask is true, and those of another elsewhere"
            }
        }
    }
}
