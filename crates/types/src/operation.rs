//! The language's own methods and constructors: one table that inference, hover and completion read.

use neuro_num::MathFn;

use crate::Ty;

/// A method that the language provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// A row of the table of math functions: on floats, and elementwise on float tensors.
    Math(MathFn),
    /// `.sum()`: every element, as a scalar.
    Sum,
    /// `.mean()`: the sum divided by the number of elements, as a scalar.
    Mean,
    /// `.item()`: the element of a rank-0 tensor.
    Item,
    /// `.clone()`: a tensor of its own with the same elements and empty slots.
    Clone,
    /// `.t()`: the transpose; consumes the receiver.
    Transpose,
    /// `.detach()`: the same tensor, cut out of the gradient; consumes the receiver.
    Detach,
    /// `.backward()` on the value of a `@grad` call.
    Backward,
    /// `.grad()`: borrows the gradient slot.
    Grad,
    /// `.zero_grad()`: empties the slots.
    ZeroGrad,
}

/// A row of the table of methods.
struct MethodRow {
    method: Method,
    name: &'static str,
    doc: &'static str,
}

/// The methods of tensors that are no math functions.
const TENSOR_METHODS: &[MethodRow] = &[
    MethodRow { method: Method::Sum, name: "sum", doc: "the sum of all elements, as a number" },
    MethodRow { method: Method::Mean, name: "mean", doc: "the mean of all elements, as a number" },
    MethodRow { method: Method::Item, name: "item", doc: "the number in a tensor of rank 0" },
    MethodRow {
        method: Method::Clone,
        name: "clone",
        doc: "a copy of its own, without a gradient",
    },
    MethodRow {
        method: Method::Transpose,
        name: "t",
        doc: "the transpose of a matrix; consumes it",
    },
    MethodRow {
        method: Method::Detach,
        name: "detach",
        doc: "the same tensor as a constant of every derivative; consumes it",
    },
    MethodRow {
        method: Method::Backward,
        name: "backward",
        doc: "runs the derivative of the `@grad` call that gave this loss, and puts each gradient beside its tensor",
    },
    MethodRow {
        method: Method::Grad,
        name: "grad",
        doc: "the gradient that the last `.backward()` put beside this tensor; panics if there is none",
    },
    MethodRow {
        method: Method::ZeroGrad,
        name: "zero_grad",
        doc: "takes the gradient beside this tensor away",
    },
];

impl Method {
    /// Every method.
    pub fn all() -> impl Iterator<Item = Method> {
        TENSOR_METHODS.iter().map(|row| row.method).chain(MathFn::all().map(Method::Math))
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Method> {
        Method::all().find(|method| method.name() == name)
    }

    fn row(self) -> Option<&'static MethodRow> {
        TENSOR_METHODS.iter().find(|row| row.method == self)
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
        let float = |dtype: Option<neuro_num::DType>| dtype.is_some_and(neuro_num::DType::is_float);
        let elem = ty.as_tensor().map(|tensor| tensor.elem);
        match self {
            Method::Math(_) => float(elem) || float(ty.as_scalar()),
            Method::Mean | Method::Backward | Method::Grad | Method::ZeroGrad => float(elem),
            Method::Sum => elem.is_some_and(|elem| elem != neuro_num::DType::Bool),
            Method::Transpose | Method::Detach => matches!(ty, Ty::Tensor(_)),
            Method::Item | Method::Clone => elem.is_some(),
        }
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
}

impl TensorConstructor {
    /// Every constructor.
    pub const ALL: [TensorConstructor; 5] = [
        TensorConstructor::Zeros,
        TensorConstructor::Ones,
        TensorConstructor::Identity,
        TensorConstructor::Scalar,
        TensorConstructor::From,
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
        }
    }
}
