//! After every edit, what an incremental check says is what a fresh one says: diagnostics with all their parts, and
//! the types that hovers show. The edits take, copy and swap tokens and lines in the files of a program, add and
//! take files, and mostly go back again, so that programs stay nearly right.

use std::collections::BTreeMap;
use std::fmt::Write;

use neuro_db::{RootDatabase, SourceFile, Span};
use neuro_syntax::AstNode;
use neuro_tests::{Random, root, workspace};

/// Edits of each program in a run of the gate, and with `NEURO_FULL_SWEEPS`.
const SAMPLE: usize = 8;
const FULL: usize = 500;
/// Hovers after each edit.
const HOVERS: usize = 4;

/// Items of every kind in modules that need each other.
const GEOMETRY: [(&str, &str); 4] = [
    (
        "main.nr",
        "\
import figures::{Figure, Named, Disc, Bar, SIDES}
import tools::thrice
import tools::inner::{Count, twice}

newtype Score = i64

struct Board<T, const N: u32> {
    cells: [T; N],
    used: u64,
}

impl<T, const N: u32> Board<T, N> {
    func first(&self) -> &T { &self.cells[0] }
    func room(&self) -> u64 { (N as u64) - self.used }
}

func sum_of(figures: &[f64]) -> f64 {
    mut sum = 0.0
    for figure in figures { sum += figure }
    sum
}

func longest<A: Named, B: Named>(a: &A, b: &B) -> f64 { thrice(a.length() + b.length()) }

func shown(figure: &dyn Figure) -> string { \"{figure.name()}: {figure.area():.2}\" }

func grown(x: f64) -> Option<f64> { if x > 1.0 { Some(x * 2.0) } else { None } }

@grad
func misfit(w: &mut Tensor<f64, [SIDES]>) -> Tensor<f64, []> {
    val square = w * w
    Tensor::scalar(square.sum() * twice(0.5))
}

func main() -> i32 {
    val disc = Disc { radius: 2.0 }
    val bar = Bar { width: 1.0, height: 4.0 }
    println(shown(&disc) + shown(&bar))
    val board = Board { cells: [1, 2, 3], used: 2 }
    val best = longest(&disc, &bar)
    val scale = |x: f64| x * best
    mut w: Tensor<f64, [SIDES]> = Tensor::ones()
    val l = misfit(&mut w)
    l.backward()
    w -= 0.1 * w.grad()
    val counted: Count = Count::start(3).next()
    val known = [1.0, 2.0]
    val grown = grown(scale(l.item())) ?? sum_of(&known)
    match counted {
        Count::Done => 0,
        Count::At(n) if n > 2 => *board.first() + n,
        Count::At(n) => n + Score(5).0 as i32 + board.room() as i32 + grown as i32,
    }
}
",
    ),
    (
        "figures.nr",
        "\
export const SIDES: i32 = 4

export trait Figure {
    func area(&self) -> f64
    func name(&self) -> string { \"figure\" }
}

export trait Named {
    func length(&self) -> f64
}

@derive(Clone, PartialEq)
export struct Disc { export radius: f64 }

export struct Bar {
    export width: f64,
    export height: f64,
}

impl Figure for Disc {
    func area(&self) -> f64 { self.radius * self.radius * 3.0 }
    func name(&self) -> string { \"disc\" }
}

impl Figure for Bar {
    func area(&self) -> f64 { self.width * self.height }
}

impl<T: Figure> Named for T {
    func length(&self) -> f64 { self.area() }
}

impl Add for Disc {
    type Output = Disc
    func add(self, other: Disc) -> Disc { Disc { radius: self.radius + other.radius } }
}
",
    ),
    (
        "tools/mod.nr",
        "\
import inner::twice

export func thrice(x: f64) -> f64 { twice(x) + inner::twice(x) * 0.5 }
",
    ),
    (
        "tools/inner.nr",
        "\
export enum Count {
    Done,
    At(i32),
}

impl Count {
    func start(n: i32) -> Count { if n > 0 { Count::At(n) } else { Count::Done } }

    func next(self) -> Count {
        match self {
            Count::At(n) => Count::start(n - 1),
            Count::Done => Count::Done,
        }
    }
}

export func twice(x: f64) -> f64 { x + x }
",
    ),
];

/// Texts by path.
type Program = BTreeMap<String, String>;

fn programs() -> Vec<(String, Program)> {
    let of_geometry = GEOMETRY.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let made = workspace::modules(400, &mut Random::of_test(3)).into_iter();
    let of_workspace = made.map(|module| (format!("{}.nr", module.name), module.text));
    let mut programs = vec![
        ("geometry".to_owned(), of_geometry.collect()),
        ("workspace".to_owned(), of_workspace.collect()),
    ];
    let folder = root().join("tests/run");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "nr"))
        .collect();
    files.sort();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a file");
        programs.push((name, Program::from([("main.nr".to_owned(), text)])));
    }
    programs
}

/// The tokens and the lines of a text: their ranges.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let Some(tree) = neuro_syntax::parse(text).tree() else { return Vec::new() };
    let elements = tree.syntax().descendants_with_tokens();
    let tokens = elements.filter_map(|element| element.into_token());
    let range = |range: text_size::TextRange| (range.start().into(), range.end().into());
    tokens.filter(|token| !token.text().is_empty()).map(|token| range(token.text_range())).collect()
}

fn lines(text: &str) -> Vec<(usize, usize)> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let range = (start, start + line.len());
            start = range.1;
            range
        })
        .collect()
}

/// One of the ways to change a text. What stands elsewhere in the program may come into it.
fn edited(text: &str, other: &str, random: &mut Random) -> String {
    let ranges = |text: &str, whole_lines| if whole_lines { lines(text) } else { tokens(text) };
    let whole_lines = random.below(3) == 0;
    let own = ranges(text, whole_lines);
    let foreign = ranges(other, whole_lines);
    if own.is_empty() || foreign.is_empty() {
        return format!("{text}\nfunc more() -> i32 {{ 1 }}\n");
    }
    let (start, end) = *random.choose(&own);
    let (from, to) = *random.choose(&foreign);
    match random.below(4) {
        0 => format!("{}{}", &text[..start], &text[end..]),
        1 => format!("{}{}", &text[..end], &text[start..]),
        2 => format!("{}{}{}", &text[..start], &other[from..to], &text[end..]),
        _ => format!("{}{}{}", &text[..start], &other[from..to], &text[start..]),
    }
}

/// A program under edits.
struct Session {
    db: RootDatabase,
    whole: Program,
    now: Program,
    /// What is known of each place so far.
    undo: Vec<Program>,
}

impl Session {
    fn new(whole: &Program) -> Self {
        let mut session = Self {
            db: RootDatabase::default(),
            whole: whole.clone(),
            now: Program::new(),
            undo: Vec::new(),
        };
        session.become_program(whole.clone());
        session
    }

    fn become_program(&mut self, program: Program) {
        for path in self.whole.keys() {
            match program.get(path) {
                Some(text) => {
                    self.db.set_text(path, text);
                }
                None => self.db.set_absent(path),
            }
        }
        self.now = program;
    }

    /// Changes something, or takes the last change back. Gives the file to look at most closely.
    fn edit(&mut self, random: &mut Random) -> String {
        let paths: Vec<String> = self.whole.keys().cloned().collect();
        let path = random.choose(&paths).clone();
        if random.below(2) == 0
            && let Some(before) = self.undo.pop()
        {
            self.become_program(before);
            return path;
        }
        let mut program = self.now.clone();
        self.undo.push(program.clone());
        match program.get(&path) {
            Some(_) if paths.len() > 1 && random.below(20) == 0 => {
                program.remove(&path);
            }
            Some(text) => {
                let other = program.get(random.choose(&paths)).unwrap_or(text);
                let text = edited(text, other, random);
                program.insert(path.clone(), text);
            }
            None => {
                let text = self.whole.get(&path).cloned().unwrap_or_default();
                program.insert(path.clone(), text);
            }
        }
        self.become_program(program);
        path
    }
}

fn fresh(program: &Program, whole: &Program) -> RootDatabase {
    let mut db = RootDatabase::default();
    for path in whole.keys() {
        match program.get(path) {
            Some(text) => {
                db.set_text(path, text);
            }
            None => db.set_absent(path),
        }
    }
    db
}

fn file(db: &RootDatabase, path: &str) -> SourceFile {
    db.file(path).expect("it has a text")
}

/// All that is said of a file.
fn said(db: &RootDatabase, path: &str) -> String {
    let place = |span: &Span| format!("{}:{:?}", span.file.path(db), span.absolute(db));
    let mut text = String::new();
    for found in neuro_ide::diagnostics(db, file(db, path)) {
        let (severity, code) = (found.severity.name(), found.code.as_str());
        let _ = writeln!(text, "{} {severity} {code} {}", place(&found.span), found.message);
        for related in &found.related {
            let _ = writeln!(text, "  at {}: {}", place(&related.span), related.message);
        }
        for note in &found.notes {
            let _ = writeln!(text, "  note {note}");
        }
        for fix in &found.fixes {
            let _ = writeln!(text, "  fix {}", fix.title);
            for edit in &fix.edits {
                let _ = writeln!(text, "    {} {:?}", place(&edit.span), edit.text);
            }
        }
    }
    text
}

/// What hovers at some offsets say.
fn hovered(db: &RootDatabase, path: &str, offsets: &[usize]) -> Vec<String> {
    let at = |offset: &usize| {
        let offset = u32::try_from(*offset).unwrap_or(0);
        let hover = neuro_ide::hover(db, file(db, path), offset.into());
        hover.map_or_else(String::new, |hover| format!("{:?} {}", hover.range, hover.markdown))
    };
    offsets.iter().map(at).collect()
}

#[test]
fn an_edited_program_is_as_a_fresh_one() {
    let full = std::env::var_os("NEURO_FULL_SWEEPS").is_some();
    let count = if full { FULL } else { SAMPLE };
    let mut random = Random::of_test(41);
    let (mut edits, mut findings) = (0, 0);
    for (name, whole) in programs() {
        let mut session = Session::new(&whole);
        for _ in 0..count {
            let path = session.edit(&mut random);
            let other = fresh(&session.now, &whole);
            for path in session.now.keys() {
                let (ours, theirs) = (said(&session.db, path), said(&other, path));
                assert_eq!(ours, theirs, "{name}, {path}, of\n{:#?}", session.now);
                findings += ours.lines().count();
            }
            if let Some(text) = session.now.get(&path) {
                let offsets: Vec<usize> =
                    (0..HOVERS).map(|_| random.below(text.len() + 1)).collect();
                let ours = hovered(&session.db, &path, &offsets);
                let theirs = hovered(&other, &path, &offsets);
                assert_eq!(ours, theirs, "{name}, {path} at {offsets:?}, of\n{text}");
            }
            edits += 1;
        }
    }
    println!("{edits} edits, {findings} lines of findings");
    assert!(findings > edits, "edits break programs");
}

#[test]
fn the_programs_have_no_mistakes() {
    for (name, whole) in programs() {
        let db = fresh(&whole, &whole);
        for path in whole.keys() {
            let text = said(&db, path);
            assert!(!text.contains(" error "), "{name}: {text}");
        }
    }
}
