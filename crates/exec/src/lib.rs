//! The door to the worker: starting it, feeding it texts, asking for runs, limiting and ending them.
//!
//! Owns the protocol between a front end and the worker process ([`ToWorker`], [`FromWorker`]), its
//! frames ([`write_frame`], [`FrameReader`]), and the front end's side of it ([`Worker`]).
//!
//! Never compiles and never runs anything of the user's in this process: what happens inside the worker
//! belongs to `neuro-worker`, which is the only other user of the protocol.
//!
//! Start at [`Worker`], then [`RunRequest`] and [`Event`].

mod float;
mod frame;
mod process;
mod protocol;
mod report;
mod worker;

pub use float::Float;
pub use frame::{FrameReader, write_frame};
pub use protocol::{
    Event, Failure, FailureKind, FromWorker, IrStage, Limits, RunId, RunKind, RunRequest, Stream,
    ToWorker,
};
pub use report::gradient_report;
pub use worker::{Launch, Run, Worker};
