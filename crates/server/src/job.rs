//! A question on its way: asked by a handler, computed on a snapshot, answered or given up.

use std::sync::Arc;

use neuro_db::RootDatabase;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode};

use crate::documents::Documents;
use crate::panics::Panics;

/// What a question may look at: the state after everything that arrived before it.
pub(crate) struct Snapshot {
    /// A handle on the database.
    pub(crate) db: RootDatabase,
    /// The open documents.
    pub(crate) documents: Documents,
    /// Where the last runs panicked.
    pub(crate) panics: Panics,
}

/// Why a question has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The client took it back.
    Cancelled,
    /// The text kept changing.
    ContentModified,
    /// A bug of ours.
    Internal,
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let (code, message) = match failure {
            Failure::Cancelled => (ErrorCode::RequestCancelled, "cancelled"),
            Failure::ContentModified => (ErrorCode::ContentModified, "the text changed meanwhile"),
            Failure::Internal => {
                (ErrorCode::InternalError, "internal error; the server's log has more")
            }
        };
        Error { code, message: message.into(), data: None }
    }
}

/// Who waits for a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Urgency {
    /// Somebody who asked it.
    Asked,
    /// Nobody: it is computed when no other waits.
    Background,
}

/// A question with its place for the answer. `compute` may unwind and be called again.
pub(crate) trait Job: Send {
    /// Computes the answer, or a part of it: where it meets a path of which nothing is known, it is called again when
    /// more is known, and only what it computed last counts.
    fn compute(&mut self, snapshot: &Snapshot);
    /// Gives the computed answer, or says why there is none. Called once, without a snapshot alive.
    fn answer(self: Box<Self>, outcome: Result<(), Failure>);
    /// How the question is taken back.
    fn cancellation(&self) -> &Cancellation;
    /// Who waits for it.
    fn urgency(&self) -> Urgency;
}

struct Question<T, F> {
    compute: F,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, Failure>>,
    cancellation: Cancellation,
}

impl<T: Send, F: FnMut(&Snapshot) -> T + Send> Job for Question<T, F> {
    fn compute(&mut self, snapshot: &Snapshot) {
        self.value = Some((self.compute)(snapshot));
    }

    fn answer(self: Box<Self>, outcome: Result<(), Failure>) {
        let Question { value, reply, .. } = *self;
        let answer = outcome.and_then(|()| value.ok_or(Failure::Internal));
        // The handler is gone when the client cancelled.
        let _ = reply.send(answer);
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn urgency(&self) -> Urgency {
        Urgency::Asked
    }
}

/// A question, where its answer arrives, and the guard that takes it back when dropped.
pub(crate) fn question<T: Send + 'static>(
    compute: impl FnMut(&Snapshot) -> T + Send + 'static,
) -> (Box<dyn Job>, oneshot::Receiver<Result<T, Failure>>, CancelOnDrop) {
    let (reply, answer) = oneshot::channel();
    let cancellation = Cancellation::default();
    let guard = CancelOnDrop(cancellation.clone());
    (Box::new(Question { compute, value: None, reply, cancellation }), answer, guard)
}

/// Whether a question was taken back, and how to stop its computation.
#[derive(Clone, Default)]
pub(crate) struct Cancellation(Arc<Mutex<CancellationState>>);

#[derive(Default)]
struct CancellationState {
    cancelled: bool,
    token: Option<salsa::CancellationToken>,
}

impl Cancellation {
    /// Takes the question back.
    pub(crate) fn cancel(&self) {
        let mut state = self.0.lock();
        state.cancelled = true;
        if let Some(token) = &state.token {
            token.cancel();
        }
    }

    /// Whether it was taken back.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.lock().cancelled
    }

    /// From now on the computation runs on the handle of this token.
    pub(crate) fn attach(&self, token: salsa::CancellationToken) {
        let mut state = self.0.lock();
        if state.cancelled {
            token.cancel();
        }
        state.token = Some(token);
    }
}

/// Takes a question back when its handler is dropped, which is how the transport cancels.
pub(crate) struct CancelOnDrop(Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
