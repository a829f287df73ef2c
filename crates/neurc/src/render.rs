//! How findings and results look.

mod excerpt;
pub(crate) mod github;
pub(crate) mod gradient;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod positions;
pub(crate) mod sarif;
pub(crate) mod short;
