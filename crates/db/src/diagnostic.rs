//! A diagnostic as data. Terminal, JSON and protocol render this same value.

use text_size::{TextRange, TextSize};

use crate::codes::Code;
use crate::{AstId, Db, SourceFile, item_starts};

/// How much a diagnostic weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The program is not accepted.
    Error,
    /// Suspicious, yet accepted.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The lower-case word of the formats.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// A place in a file, relative to an item so that it survives edits elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: SourceFile,
    /// The item that `range` is relative to; none when it is relative to the file's start.
    pub item: Option<AstId>,
    /// The range.
    pub range: TextRange,
}

impl Span {
    /// A place given by its position in the file.
    pub fn in_file(file: SourceFile, range: TextRange) -> Self {
        Self { file, item: None, range }
    }

    /// A place given by its position in an item.
    pub fn in_item(file: SourceFile, item: AstId, range: TextRange) -> Self {
        Self { file, item: Some(item), range }
    }

    /// The range in the file as it is now. Reads item positions: call it only to render.
    pub fn absolute(&self, db: &dyn Db) -> TextRange {
        let start = match self.item {
            Some(AstId(index)) => {
                item_starts(db, self.file).get(index as usize).copied().unwrap_or_default()
            }
            None => TextSize::default(),
        };
        self.range + start
    }
}

/// Another place that belongs to a diagnostic, with what it has to do with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// What happens there.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A replacement of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What comes in its place.
    pub text: String,
}

/// A change that makes a diagnostic go away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What the change does, as a menu entry.
    pub title: String,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
}

/// One finding about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// Its weight.
    pub severity: Severity,
    /// One sentence, in lower case, without a full stop.
    pub message: String,
    /// The offending word.
    pub span: Span,
    /// Places that explain it.
    pub related: Vec<Related>,
    /// More sentences, each a line.
    pub notes: Vec<String>,
    /// Ways out.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic with the severity that its code has, and nothing but a message yet.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.info().severity,
            message: message.into(),
            span,
            related: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Adds a place that explains it.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { message: message.into(), span });
        self
    }

    /// Adds a line of explanation.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a fix made of one replacement.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }] });
        self
    }
}
