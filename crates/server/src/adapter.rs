//! The handlers: each sends what arrived to the main loop before it awaits anything, so that edits and
//! questions keep their order.

use std::sync::OnceLock;

use crossbeam_channel::Sender;
use lsp_types as lsp;
use neuro_ide::{PROJECT_FILE, is_project_file};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::{Client, LanguageServer};

use crate::capabilities::capabilities;
use crate::documents::document_key;
use crate::job::{Failure, Snapshot, question};
use crate::main_loop::{self, Message, Session};
use crate::positions::Encoding;
use crate::protocol::{
    COMMANDS, CommandArgument, DERIVATIVE, DerivativeParams, DerivativeResult, GRADIENT,
    InitializationOptions, RESTART_WORKER, RUN, STOP,
};
use crate::requests;

/// How often the client's process is looked for.
const PARENT_POLL: std::time::Duration = std::time::Duration::from_secs(2);

/// The protocol's side of the session.
pub(crate) struct Adapter {
    client: Client,
    started: OnceLock<Started>,
}

struct Started {
    main_loop: Sender<Message>,
    encoding: Encoding,
    /// Whether the client can be asked to tell changes of files.
    tells_files: bool,
}

impl Adapter {
    pub(crate) fn new(client: Client) -> Self {
        Self { client, started: OnceLock::new() }
    }

    /// Hands a notification to the main loop.
    fn tell(&self, message: Message) {
        if let Some(started) = self.started.get() {
            // The main loop ends only with the process.
            let _ = started.main_loop.send(message);
        }
    }

    /// Asks a question of the state as it is now.
    async fn ask<T: Send + 'static>(
        &self,
        mut compute: impl FnMut(&Snapshot, Encoding) -> T + Send + 'static,
    ) -> Result<T> {
        let started = self.started.get().ok_or(Failure::Internal)?;
        let encoding = started.encoding;
        let (job, answer, _cancel_on_drop) = question(move |snapshot| compute(snapshot, encoding));
        started.main_loop.send(Message::Ask { job, attempt: 0 }).map_err(|_| Failure::Internal)?;
        Ok(answer.await.map_err(|_| Failure::Internal)??)
    }

    /// `neuro/derivative`.
    pub(crate) async fn derivative(&self, params: DerivativeParams) -> Result<DerivativeResult> {
        self.ask(move |snapshot, encoding| requests::derivative(snapshot, &params, encoding))
            .await?
            .map_err(failed_request)
    }

    async fn run(&self, argument: CommandArgument, gradient: bool) -> Result<Option<Value>> {
        let (reply, answer) = oneshot::channel();
        self.tell(Message::Run { argument, gradient, reply });
        let run = answer.await.map_err(|_| Failure::Internal)?.map_err(failed_request)?;
        Ok(Some(json!({ "run": run })))
    }
}

/// An answer that says why there is none.
fn failed_request(message: String) -> Error {
    Error {
        code: tower_lsp::jsonrpc::ErrorCode::ServerError(-32803),
        message: message.into(),
        data: None,
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Adapter {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let encoding = Encoding::negotiate(&params.capabilities);
        let workspace = params.capabilities.workspace.as_ref();
        let files = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        let tells_files = files.and_then(|files| files.dynamic_registration) == Some(true);
        let options =
            params.initialization_options.map(serde_json::from_value::<InitializationOptions>);
        let options = match options {
            Some(Ok(options)) => options,
            Some(Err(error)) => {
                eprintln!("neurc lsp: initialization options are not understood: {error}");
                InitializationOptions::default()
            }
            None => InitializationOptions::default(),
        };
        let session = Session { client: self.client.clone(), encoding, options };
        let main_loop = main_loop::start(session, tokio::runtime::Handle::current());
        // A second `initialize` is refused by the transport.
        let _ = self.started.set(Started { main_loop, encoding, tells_files });
        if let Some(parent) = params.process_id {
            watch_parent(parent);
        }
        Ok(lsp::InitializeResult {
            capabilities: capabilities(encoding),
            server_info: Some(lsp::ServerInfo {
                name: "neurc".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        if !self.started.get().is_some_and(|started| started.tells_files) {
            return;
        }
        let pattern = |pattern: String| json!({ "globPattern": pattern });
        let patterns = [pattern(format!("**/{PROJECT_FILE}")), pattern("**/*.nr".to_owned())];
        let watched = json!({ "watchers": patterns });
        let registration = lsp::Registration {
            id: "projects".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: Some(watched),
        };
        if let Err(error) = self.client.register_capability(vec![registration]).await {
            eprintln!("neurc lsp: changes of files are not told: {error}");
        }
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        if params.changes.iter().any(|change| is_project_file(change.uri.path())) {
            self.tell(Message::ProjectsChanged);
        }
        let changed = params.changes.iter().filter(|change| change.uri.path().ends_with(".nr"));
        let paths: Vec<String> = changed.map(|change| document_key(&change.uri)).collect();
        if !paths.is_empty() {
            self.tell(Message::FilesChanged { paths });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.tell(Message::RestartWorker);
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.tell(Message::Open { uri, version, text });
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.tell(Message::Change { uri, version, changes: params.content_changes });
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        self.tell(Message::Close { uri: params.text_document.uri });
    }

    async fn did_save(&self, _: lsp::DidSaveTextDocumentParams) {
        // A client that does not tell changes of project files tells at least this.
        if self.started.get().is_some_and(|started| !started.tells_files) {
            self.tell(Message::ProjectsChanged);
        }
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let params = params.text_document_position_params;
        self.ask(move |snapshot, encoding| requests::hover(snapshot, &params, encoding)).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        let uri = params.text_document.uri;
        self.ask(move |snapshot, encoding| requests::code_lenses(snapshot, &uri, encoding)).await
    }

    async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        let (uri, range) = (params.text_document.uri, params.range);
        self.ask(move |snapshot, encoding| requests::code_actions(snapshot, &uri, range, encoding))
            .await
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let uri = params.text_document.uri;
        let symbols = self
            .ask(move |snapshot, encoding| requests::document_symbols(snapshot, &uri, encoding))
            .await?;
        Ok(symbols.map(lsp::DocumentSymbolResponse::Nested))
    }

    async fn formatting(
        &self,
        params: lsp::DocumentFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let uri = params.text_document.uri;
        self.ask(move |snapshot, encoding| requests::formatting(snapshot, &uri, None, encoding))
            .await?
            .map_err(failed_request)
    }

    async fn range_formatting(
        &self,
        params: lsp::DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let (uri, range) = (params.text_document.uri, Some(params.range));
        self.ask(move |snapshot, encoding| requests::formatting(snapshot, &uri, range, encoding))
            .await?
            .map_err(failed_request)
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let argument = params.arguments.into_iter().next().unwrap_or_else(|| json!({}));
        let argument: CommandArgument = serde_json::from_value(argument).map_err(|error| {
            Error::invalid_params(format!("the argument is not understood: {error}"))
        })?;
        match params.command.as_str() {
            RUN => self.run(argument, false).await,
            GRADIENT => self.run(argument, true).await,
            STOP => {
                self.tell(Message::Stop { argument });
                Ok(None)
            }
            RESTART_WORKER => {
                self.tell(Message::RestartWorker);
                Ok(None)
            }
            DERIVATIVE => {
                let view = self
                    .ask(move |snapshot, encoding| {
                        requests::derivative_of(snapshot, &argument, encoding)
                    })
                    .await?
                    .map_err(failed_request)?;
                serde_json::to_value(view).map(Some).map_err(|_| Failure::Internal.into())
            }
            other => {
                let known = COMMANDS.join(", ");
                Err(Error::invalid_params(format!(
                    "there is no command `{other}`; there are {known}"
                )))
            }
        }
    }
}

/// Ends the process when the client's process is gone: nobody else would.
fn watch_parent(parent: u32) {
    let Some(parent) = i32::try_from(parent).ok().and_then(rustix::process::Pid::from_raw) else {
        return;
    };
    std::thread::spawn(move || {
        while !matches!(rustix::process::test_kill_process(parent), Err(rustix::io::Errno::SRCH)) {
            std::thread::sleep(PARENT_POLL);
        }
        std::process::exit(1);
    });
}
