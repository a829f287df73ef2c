//! Programs of any size, made by rule: what measures and what edits at random needs more text than anybody writes.

use std::fmt::Write;
use std::path::Path;

use crate::Random;

/// A module of a workspace: its file's name without the ending, and its text.
pub struct Module {
    /// The name.
    pub name: String,
    /// The text, in which nothing is to be reported.
    pub text: String,
}

/// The modules of a workspace with at least so many lines; the last one is `main` and reaches all of them.
/// Each imports up to three that come before it.
pub fn modules(lines: usize, random: &mut Random) -> Vec<Module> {
    let mut modules = Vec::new();
    let mut written = 0;
    while written < lines {
        let number = modules.len();
        let mut needed = vec![number.wrapping_sub(1), number / 2, number / 3];
        needed.retain(|other| *other < number);
        needed.sort_unstable();
        needed.dedup();
        let text = module(number, &needed, random);
        written += text.lines().count();
        modules.push(Module { name: format!("part{number}"), text });
    }
    let last = modules.len() - 1;
    let text = format!("import part{last}::report{last}\n\n{}", main(last));
    modules.push(Module { name: "main".to_owned(), text });
    modules
}

/// A program of at least so many lines in one file.
pub fn one_file(lines: usize, random: &mut Random) -> String {
    let mut text = String::new();
    let (mut number, mut written) = (0, 0);
    while written < lines {
        let part = module(number, &[], random);
        written += part.lines().count();
        text += &part;
        text.push('\n');
        number += 1;
    }
    text + &main(number - 1)
}

/// Writes the modules of a workspace, and its project file.
pub fn write(modules: &[Module], folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("neuro.toml"), "").expect("a file");
    for module in modules {
        let file = folder.join(format!("{}.nr", module.name));
        std::fs::write(file, &module.text).expect("a file");
    }
}

fn main(last: usize) -> String {
    format!(
        "func main() -> i32 {{
    val found = report{last}(0.5)
    println(\"{{found:.2}}\")
    0
}}
"
    )
}

/// A module that uses most of the language: its items end in its number.
fn module(k: usize, needed: &[usize], random: &mut Random) -> String {
    let (rows, columns) = (2 + random.below(6), 3 + random.below(5));
    let mut text = String::new();
    for other in needed {
        let names = format!("Sensor{other}, blend{other}, total{other}");
        let _ = writeln!(text, "import part{other}::{{{names}}}");
    }
    if !needed.is_empty() {
        text.push('\n');
    }
    text += &data(k, rows);
    text += &traits(k);
    text += &functions(k, columns);
    text += &tensors(k, rows, columns);
    text += &report(k, needed, rows, columns);
    text
}

fn data(k: usize, rows: usize) -> String {
    format!(
        "/// How much of a reading counts in part {k}.
export const SHARE{k}: f32 = 0.{rows}
const SLOTS{k}: i32 = {rows} * 2

/// What measures.
export struct Sensor{k} {{
    export level: f32,
    offset: f32,
    ticks: i32,
}}

impl Sensor{k} {{
    func new(level: f32) -> Sensor{k} {{ Sensor{k} {{ level, offset: 0.25, ticks: SLOTS{k} }} }}

    func reading(&self) -> f32 {{
        mut sum = self.level
        for tick in 0..self.ticks {{
            if tick % 3 == 1 {{
                sum -= self.offset
            }} else {{
                // Every other tick counts in part.
                sum += SHARE{k} * (tick as f32)
            }}
        }}
        sum
    }}

    func shift(&mut self, by: f32) -> f32 {{
        val old = self.level
        self.level += by * self.reading()
        self.ticks += 1
        self.level - old
    }}
}}

newtype Mark{k} = i64

export enum Change{k} {{
    Nothing,
    By(f32, f32),
    To {{ mark: i64 }},
}}

export func weight{k}(change: Change{k}) -> f32 {{
    match change {{
        Change{k}::Nothing => 0.0,
        Change{k}::By(a, b) => a * {rows}.5 - b,
        Change{k}::To {{ mark }} => mark as f32,
    }}
}}

"
    )
}

fn traits(k: usize) -> String {
    format!(
        "trait Area{k} {{
    func area(&self) -> f32

    func both(&self, other: &Self) -> f32 {{ self.area() + other.area() }}
}}

@derive(Clone)
struct Plate{k} {{
    width: f32,
    height: f32,
}}

impl Area{k} for Plate{k} {{
    func area(&self) -> f32 {{ self.width * self.height }}
}}

impl Area{k} for Sensor{k} {{
    func area(&self) -> f32 {{ self.level * 0.5 }}

    func both(&self, other: &Sensor{k}) -> f32 {{ self.level + other.level }}
}}

func wider{k}<T: Area{k}>(first: &T, second: &T) -> f32 {{
    if first.area() < second.area() {{ second.both(first) }} else {{ first.both(second) }}
}}

"
    )
}

fn functions(k: usize, columns: usize) -> String {
    format!(
        "export func blend{k}(value: f32, by: f32) -> f32 {{
    val bias = by * 0.{columns}
    val bend = |x: f32| -> f32 {{ x * by - bias }}
    bend(value) + bend(bias)
}}

export func total{k}(rounds: i32, part: f32) -> f32 {{
    mut notes: Vec<string> = Vec::new()
    for round in 0..rounds {{
        notes.push(\"part{k}-\" + \"round\")
        if round > {columns} {{ break }}
    }}
    val line = \"{{notes.len()}} notes of {{part:.1}}\"
    if line.len() > 6 {{ part + (rounds as f32) }} else {{ part }}
}}

func halved{k}(mark: Mark{k}) -> Option<Mark{k}> {{
    if mark.0 % 2 == 0 {{ Some(Mark{k}(mark.0 / 2)) }} else {{ None }}
}}

"
    )
}

fn tensors(k: usize, rows: usize, columns: usize) -> String {
    format!(
        "func corner{k}<N>(grid: &Tensor<f32, [N, {columns}]>) -> f32
where N > 0 {{
    grid[0, 0] - grid[N - 1, {last}]
}}

@grad(wrt: [w, b])
export func misfit{k}(
    w: &mut Tensor<f32, [{columns}, 1]>,
    b: &mut Tensor<f32, [1]>,
    x: &Tensor<f32, [{rows}, {columns}]>,
    y: &Tensor<f32, [{rows}, 1]>
) -> Tensor<f32, []> {{
    val gap = x @ w + b - y
    val squares = &gap * &gap
    Tensor::scalar(squares.mean() + (w * w).sum() * SHARE{k})
}}

@grad(order: 2)
func valley{k}(at: &mut Tensor<f32, [{columns}]>) -> Tensor<f32, []> {{
    mut sum = 0.0f32
    for i in 0..{last} {{
        val step = at[i + 1] - at[i] * at[i]
        sum += step * step * {rows}.0
    }}
    Tensor::scalar(sum)
}}

",
        last = columns - 1
    )
}

fn report(k: usize, needed: &[usize], rows: usize, columns: usize) -> String {
    let mut text = format!("export func report{k}(start: f32) -> f32 {{\n    mut sum = start\n");
    for other in needed {
        let _ = write!(
            text,
            "    sum += blend{other}(sum * 0.25, {rows}.0)
    val from{other} = Sensor{other}::new({columns}.0)
    sum += from{other}.reading() + total{other}(3, 0.5)
"
        );
    }
    let _ = write!(
        text,
        "    mut sensor = Sensor{k}::new(sum)
    sum += sensor.shift(SHARE{k})
    val plate = Plate{k} {{ width: sum, height: 2.0 }}
    val twin = plate.clone()
    sum += wider{k}(&plate, &twin) + wider{k}(&sensor, &sensor)
    sum += weight{k}(Change{k}::By(1.5, sum))
    sum += match halved{k}(Mark{k}({rows})) {{
        Some(mark) => mark.0 as f32,
        None => 0.5,
    }}
    val grid = Tensor::<f32, [{rows}, {columns}]>::ones()
    sum += corner{k}(&grid)
    mut w = Tensor::<f32, [{columns}, 1]>::zeros()
    mut b = Tensor::<f32, [1]>::zeros()
    val y = Tensor::<f32, [{rows}, 1]>::ones()
    pool {{
        val l = misfit{k}(&mut w, &mut b, &grid, &y)
        l.backward()
        w -= SHARE{k} * w.grad()
        b -= SHARE{k} * b.grad()
        sum += l.item()
    }}
    mut at = Tensor::<f32, [{columns}]>::ones()
    sum + valley{k}(&mut at).item()
}}
"
    );
    text
}
