//! What stands between the transport and the handlers: order, panics, the end.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Request, Response};

/// How long an answer that is being written may take after `exit`.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Polls every handler once in the order of arrival, so that what a handler does before its first await
/// happens in that order; answers a panic with an error; ends the process at `exit`, even when the client
/// keeps the input open.
pub(crate) struct Guard<S> {
    inner: S,
    shut_down: Arc<AtomicBool>,
}

impl<S> Guard<S> {
    pub(crate) fn new(inner: S, shut_down: Arc<AtomicBool>) -> Self {
        Self { inner, shut_down }
    }
}

impl<S> Service<Request> for Guard<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Option<Response>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match request.method() {
            "shutdown" => self.shut_down.store(true, Ordering::SeqCst),
            "exit" => {
                let status = i32::from(!self.shut_down.load(Ordering::SeqCst));
                std::thread::spawn(move || {
                    std::thread::sleep(LAST_WORDS);
                    std::process::exit(status);
                });
            }
            _ => {}
        }
        let id = request.id().cloned();
        let internal = move |_| Ok(id.map(|id| Response::from_error(id, Error::internal_error())));
        let answer = AssertUnwindSafe(self.inner.call(request)).catch_unwind();
        let mut answer = answer.map(move |answer| answer.unwrap_or_else(internal)).boxed();
        match answer.poll_unpin(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => std::future::ready(answer).boxed(),
            Poll::Pending => answer,
        }
    }
}
