//! Functions as they are compiled.
#![expect(missing_docs, reason = "what salsa's attribute expands to is not documented")]

use neuro_db::Db;
use neuro_hir::Function;

use crate::Body;

/// A function together with what it is specialised for: the unit of raising, differentiation and code.
/// Functions have no generic parameters yet, so an instance is its function.
#[salsa::interned(debug)]
pub struct Instance<'db> {
    /// The function.
    #[returns(copy)]
    pub function: Function<'db>,
}

/// The body of an instance.
pub fn instance_body<'db>(db: &'db dyn Db, instance: Instance<'db>) -> &'db Body<'db> {
    crate::body(db, instance.function(db))
}
