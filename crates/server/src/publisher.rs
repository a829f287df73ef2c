//! The one place that publishes diagnostics, so that an older result never follows a newer one.

use std::collections::HashMap;

use lsp_types::{Diagnostic, Url};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;

/// Diagnostics of a document at a version; of a document that was closed, none.
pub(crate) struct Published {
    pub(crate) uri: Url,
    /// Counts the publications of the main loop: of two for one document, the greater is newer.
    pub(crate) order: u64,
    pub(crate) version: Option<i32>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Starts the publisher.
pub(crate) fn start(client: Client) -> UnboundedSender<Published> {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(publish(client, receiver));
    sender
}

async fn publish(client: Client, mut receiver: UnboundedReceiver<Published>) {
    let mut newest = HashMap::<Url, u64>::new();
    while let Some(Published { uri, order, version, diagnostics }) = receiver.recv().await {
        let last = newest.entry(uri.clone()).or_default();
        if order >= *last {
            *last = order;
            client.publish_diagnostics(uri, diagnostics, version).await;
        }
    }
}
