//! A language client over real pipes: frames, requests, notifications, and nothing that would hide a fault of
//! the server.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::neurc;
use serde_json::{Value, json};

/// Longer than any answer takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A session with a server of its own.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    arrived: Receiver<Value>,
    /// What arrived and was not asked for yet.
    inbox: VecDeque<Value>,
    next_id: i64,
    versions: i64,
    /// What the server says that it can do.
    capabilities: Value,
}

/// What the server sends, message by message.
fn read_messages(output: impl Read, mut on_message: impl FnMut(Value)) {
    let mut output = BufReader::new(output);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line).expect("the header is text") == 0 {
                return;
            }
            let line = line.strip_suffix("\r\n").expect("header lines end in CRLF");
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        output.read_exact(&mut body).expect("as long as the header says");
        on_message(serde_json::from_slice(&body).expect("messages are JSON"));
    }
}

impl Session {
    /// A server process that has been told nothing yet.
    pub fn silent() -> Self {
        let mut child = Command::new(neurc())
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("neurc starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, arrived) = channel();
        std::thread::spawn(move || {
            // The test may be over.
            read_messages(stdout, |message| drop(sender.send(message)));
        });
        Self {
            child,
            stdin,
            arrived,
            inbox: VecDeque::new(),
            next_id: 0,
            versions: 0,
            capabilities: Value::Null,
        }
    }

    /// An initialized session with these parameters of `initialize` besides the usual ones.
    pub fn with(params: Value) -> Self {
        let mut session = Self::silent();
        let mut all = json!({ "processId": std::process::id(), "capabilities": {} });
        for (name, value) in params.as_object().expect("an object") {
            all[name] = value.clone();
        }
        session.capabilities = session.request("initialize", all)["capabilities"].take();
        session.notify("initialized", json!({}));
        session
    }

    /// An initialized session of a client that shows runs itself.
    pub fn start() -> Self {
        Self::with(json!({ "initializationOptions": { "showsRuns": true } }))
    }

    /// A session whose client counts in `encoding`.
    pub fn counting_in(encoding: &str) -> Self {
        Self::with(json!({
            "capabilities": { "general": { "positionEncodings": [encoding] } },
        }))
    }

    /// Whether the server says that it can do something, as `hoverProvider`.
    pub fn offers(&self, capability: &str) -> bool {
        !matches!(self.capabilities[capability], Value::Null | Value::Bool(false))
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    /// Sends a body of any kind in a frame.
    pub fn send_body(&mut self, body: &str) {
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send_body(&message.to_string());
    }

    /// Sends a request; its answer is waited for elsewhere.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send_body(&message.to_string());
        self.next_id
    }

    /// The first message that satisfies the condition, taken out of the inbox.
    fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        let mut seen = 0;
        loop {
            while seen < self.inbox.len() {
                if wanted(&self.inbox[seen]) {
                    return self.inbox.remove(seen).expect("it is there");
                }
                seen += 1;
            }
            match self.arrived.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) => self.inbox.push_back(message),
                Err(RecvTimeoutError::Timeout) => panic!("no {what} in time: {:?}", self.inbox),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the server ended before {what}: {:?}", self.child.wait())
                }
            }
        }
    }

    /// The answer to a request: its result or its error.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let mut answer = self.take(&format!("answer to request {id}"), |message| {
            message["id"] == id && message.get("method").is_none()
        });
        match answer.get_mut("error").map(Value::take) {
            Some(error) => Err(error),
            None => Ok(answer["result"].take()),
        }
    }

    /// A request with its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The parameters of the next notification of this kind that satisfies the condition.
    pub fn wait(&mut self, method: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.take(method, |message| message["method"] == method && wanted(&message["params"]))
            ["params"]
            .take()
    }

    /// Whether a message of this kind has arrived and was not asked for.
    pub fn has_arrived(&mut self, method: &str) -> bool {
        self.inbox.extend(self.arrived.try_iter());
        self.inbox.iter().any(|message| message["method"] == method)
    }

    /// Opens a document. Versions count through the session, so that none is ever used twice.
    pub fn open(&mut self, uri: &str, text: &str) -> i64 {
        self.versions += 1;
        let document = json!({
            "uri": uri, "languageId": "neuro", "version": self.versions, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.versions
    }

    /// Sends changes as one notification; gives the version after them.
    pub fn change(&mut self, uri: &str, changes: Value) -> i64 {
        self.versions += 1;
        let document = json!({ "uri": uri, "version": self.versions });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
        self.versions
    }

    /// Replaces a whole document.
    pub fn replace(&mut self, uri: &str, text: &str) -> i64 {
        self.change(uri, json!([{ "text": text }]))
    }

    /// The diagnostics published for a version.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let mut params = self.wait("textDocument/publishDiagnostics", |params| {
            params["uri"] == uri && params["version"] == version
        });
        match params["diagnostics"].take() {
            Value::Array(diagnostics) => diagnostics,
            other => panic!("diagnostics are no list: {other}"),
        }
    }

    /// What is known of a position, as Markdown.
    pub fn hover(&mut self, uri: &str, position: Value) -> Option<String> {
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        let hover = self.request("textDocument/hover", params);
        hover["contents"]["value"].as_str().map(str::to_owned)
    }

    /// The lenses of a document: title, function, line.
    pub fn lenses(&mut self, uri: &str) -> Vec<(String, String, u64)> {
        let lenses =
            self.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let lens = |lens: &Value| {
            let command = &lens["command"];
            let line = lens["range"]["start"]["line"].as_u64().expect("a line");
            (text(&command["title"]), text(&command["arguments"][0]["function"]), line)
        };
        lenses.as_array().expect("a list").iter().map(lens).collect()
    }

    /// Executes a command.
    pub fn command(&mut self, command: &str, argument: Value) -> Value {
        let params = json!({ "command": command, "arguments": [argument] });
        self.request("workspace/executeCommand", params)
    }

    /// Starts a run; gives its number.
    pub fn run(&mut self, command: &str, argument: Value) -> u64 {
        self.command(command, argument)["run"].as_u64().expect("the number of the run")
    }

    /// Waits for the end of a run.
    pub fn finished(&mut self, run: u64) -> Value {
        self.wait("neuro/runFinished", |params| params["run"] == run)
    }

    /// What a run that has ended printed to a stream.
    pub fn output(&mut self, run: u64, stream: &str) -> String {
        let mut text = String::new();
        self.inbox.retain(|message| {
            let params = &message["params"];
            let ours = message["method"] == "neuro/runOutput"
                && params["run"] == run
                && params["stream"] == stream;
            if ours {
                text += params["text"].as_str().expect("a text");
            }
            !ours
        });
        text
    }

    /// Closes the server's standard input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process.
    pub fn ended(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child of ours") {
                return status;
            }
            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A position.
pub fn at(line: usize, character: usize) -> Value {
    json!({ "line": line, "character": character })
}

/// Where a word stands for the `nth` time, counted from 0, in a text of ASCII.
pub fn position_of(text: &str, word: &str, nth: usize) -> Value {
    let (offset, _) = text.match_indices(word).nth(nth).expect("the word is there");
    let before = &text[..offset];
    let line = before.matches('\n').count();
    at(line, offset - before.rfind('\n').map_or(0, |newline| newline + 1))
}

/// The range of a word's `nth` occurrence.
pub fn range_of(text: &str, word: &str, nth: usize) -> Value {
    let start = position_of(text, word, nth);
    let mut end = start.clone();
    end["character"] =
        json!(start["character"].as_u64().expect("a column") as usize + word.chars().count());
    json!({ "start": start, "end": end })
}
