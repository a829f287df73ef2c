//! The methods of the traits that the language knows. No item declares them, so this table does.

use neuro_hir::{BuiltinTrait, Receiver};
use neuro_num::DType;

use crate::Ty;

/// A type in the signature of such a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownTy {
    /// `Self`
    Own,
    /// `&Self`
    OwnRef,
    /// `Self::Output`
    Output,
    /// `bool`
    Bool,
    /// `u64`
    U64,
    /// Nothing.
    Nothing,
}

/// A method of such a trait.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct KnownMethod {
    /// The name.
    pub(crate) name: &'static str,
    /// What it is called on.
    pub(crate) receiver: Receiver,
    /// Its parameter, which is called `rhs`.
    pub(crate) rhs: Option<KnownTy>,
    /// Its result.
    pub(crate) ret: KnownTy,
    /// Whether a block may leave it out: each comparison calls its own method, and one that is never used
    /// need not be there.
    pub(crate) optional: bool,
}

impl KnownTy {
    /// The type, where `own` is `Self`.
    pub(crate) fn ty(self, own: &Ty, output: &Ty) -> Ty {
        match self {
            KnownTy::Own => own.clone(),
            KnownTy::OwnRef => own.clone().reference(false),
            KnownTy::Output => output.clone(),
            KnownTy::Bool => Ty::BOOL,
            KnownTy::U64 => Ty::Scalar(DType::U64),
            KnownTy::Nothing => Ty::Void,
        }
    }
}

const fn binary(name: &'static str) -> [KnownMethod; 1] {
    [KnownMethod {
        name,
        receiver: Receiver::ByValue,
        rhs: Some(KnownTy::Own),
        ret: KnownTy::Output,
        optional: false,
    }]
}

const fn prefix(name: &'static str) -> [KnownMethod; 1] {
    [KnownMethod {
        name,
        receiver: Receiver::ByValue,
        rhs: None,
        ret: KnownTy::Output,
        optional: false,
    }]
}

const fn comparison(name: &'static str) -> KnownMethod {
    KnownMethod {
        name,
        receiver: Receiver::ByRef,
        rhs: Some(KnownTy::OwnRef),
        ret: KnownTy::Bool,
        optional: true,
    }
}

const fn plain(name: &'static str, receiver: Receiver, ret: KnownTy) -> [KnownMethod; 1] {
    [KnownMethod { name, receiver, rhs: None, ret, optional: false }]
}

static ADD: [KnownMethod; 1] = binary("add");
static SUB: [KnownMethod; 1] = binary("sub");
static MUL: [KnownMethod; 1] = binary("mul");
static DIV: [KnownMethod; 1] = binary("div");
static REM: [KnownMethod; 1] = binary("rem");
static BIT_AND: [KnownMethod; 1] = binary("bitand");
static BIT_OR: [KnownMethod; 1] = binary("bitor");
static BIT_XOR: [KnownMethod; 1] = binary("bitxor");
static SHL: [KnownMethod; 1] = binary("shl");
static MAT_MUL: [KnownMethod; 1] = binary("matmul");
static NEG: [KnownMethod; 1] = prefix("neg");
static NOT: [KnownMethod; 1] = prefix("not");
static PARTIAL_EQ: [KnownMethod; 2] = [comparison("eq"), comparison("ne")];
static COMPARABLE: [KnownMethod; 4] =
    [comparison("lt"), comparison("le"), comparison("gt"), comparison("ge")];
static HASHABLE: [KnownMethod; 1] = plain("hash", Receiver::ByRef, KnownTy::U64);
static DROP: [KnownMethod; 1] = plain("drop", Receiver::ByMut, KnownTy::Nothing);
static CLONE: [KnownMethod; 1] = plain("clone", Receiver::ByRef, KnownTy::Own);

/// The methods of a trait.
pub(crate) fn methods(known: BuiltinTrait) -> &'static [KnownMethod] {
    match known {
        BuiltinTrait::Add => &ADD,
        BuiltinTrait::Sub => &SUB,
        BuiltinTrait::Mul => &MUL,
        BuiltinTrait::Div => &DIV,
        BuiltinTrait::Rem => &REM,
        BuiltinTrait::BitAnd => &BIT_AND,
        BuiltinTrait::BitOr => &BIT_OR,
        BuiltinTrait::BitXor => &BIT_XOR,
        BuiltinTrait::Shl => &SHL,
        BuiltinTrait::MatMul => &MAT_MUL,
        BuiltinTrait::Neg => &NEG,
        BuiltinTrait::Not => &NOT,
        BuiltinTrait::PartialEq => &PARTIAL_EQ,
        BuiltinTrait::Comparable => &COMPARABLE,
        BuiltinTrait::Hashable => &HASHABLE,
        BuiltinTrait::Drop => &DROP,
        BuiltinTrait::Clone => &CLONE,
        BuiltinTrait::Copy | BuiltinTrait::Debug => &[],
    }
}

/// The traits that come with a trait.
pub(crate) fn implied(known: BuiltinTrait) -> Option<BuiltinTrait> {
    match known {
        BuiltinTrait::Comparable => Some(BuiltinTrait::PartialEq),
        BuiltinTrait::Copy => Some(BuiltinTrait::Clone),
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
        | BuiltinTrait::Drop
        | BuiltinTrait::Clone
        | BuiltinTrait::Debug => None,
    }
}
