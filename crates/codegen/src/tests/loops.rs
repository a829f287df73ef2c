//! Loops that are left in every way, generated: a function compiled from its graph gives the bits of the same one
//! compiled from its body, and its gradient agrees with central differences.

use std::fmt::Write;

use super::harness::{WRAPPING, run, run_forked};

/// Random choices from a linear congruential generator.
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A body in the making.
struct Maker {
    choices: Choices,
    text: String,
    /// The loops around, by their counters; a loop's label is its counter's name with an `l` before.
    counters: Vec<String>,
    made: usize,
    depth: usize,
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth + 1));
    }

    fn integer(&mut self) -> String {
        match self.choices.below(self.counters.len() as u64 + 1) as usize {
            0 => "m".to_owned(),
            number => self.counters[number - 1].clone(),
        }
    }

    fn number(&mut self, depth: u32) -> String {
        let choice = self.choices.below(if depth > 2 { 4 } else { 9 });
        match choice {
            0..=3 => self.choices.pick(&["a", "b", "c", "x[0]", "x[2]"]).to_owned(),
            4 => format!("({} as f64) * 0.1", self.integer()),
            5 => format!("({}).sin()", self.number(depth + 1)),
            6 => format!("({} + {})", self.number(depth + 1), self.choices.pick(&["0.7", "-0.4"])),
            7 => format!("({} * {})", self.number(depth + 1), self.number(depth + 1)),
            _ => format!("({} - {})", self.number(depth + 1), self.number(depth + 1)),
        }
    }

    fn condition(&mut self) -> String {
        let left = self.choices.pick(&["a", "b", "c", "x[1]", "t[1]"]);
        let test = format!("{left} {} 0.2", self.choices.pick(&["<", ">"]));
        match self.choices.below(4) {
            0 => format!("{} == {}", self.integer(), self.choices.below(4)),
            1 => format!("({test} && {} < {})", self.integer(), self.choices.below(5)),
            2 => format!("({test} || x[{}] > b)", self.choices.below(3)),
            _ => test,
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..=self.choices.below(4) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let nests = self.depth < 5;
        let value = self.number(0);
        let at = format!("({} % 3)", self.integer());
        match self.choices.below(12) {
            0 | 1 => {
                let target = self.choices.pick(&["a", "b", "c"]);
                self.line(&format!("{target} = {value} * 0.5"));
            }
            2 => self.line(&format!("t[{at}] = {value} * 0.5")),
            3 => self.line(&format!("a += t[{at}] * 0.3")),
            4 => {
                let other = self.choices.pick(&["x", "0.1", "&t"]);
                self.line(&format!("t = &t * 0.5 + {other}"));
            }
            5 | 6 if nests => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{"));
                self.block();
                if self.choices.below(2) == 0 {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            7..=9 if nests && self.counters.len() < 3 => self.repetition(),
            10 if !self.counters.is_empty() => {
                let condition = self.condition();
                let jump = self.choices.pick(&["break", "continue"]);
                let around = self.choices.below(self.counters.len() as u64) as usize;
                let label = self.counters[around].clone();
                self.line(&format!("if {condition} {{ {jump} l{label} }}"));
            }
            11 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{ return Tensor::scalar({value}) }}"));
            }
            _ => self.line(&format!("b = b * 0.5 + {value} * 0.25")),
        }
    }

    fn repetition(&mut self) {
        self.made += 1;
        let counter = format!("k{}", self.made);
        match self.choices.below(3) {
            0 => {
                let ranges = ["0..4", "1..=3", "(0..5).rev()", "(0..7).step(3)", "m..5", "0..m"];
                let range = self.choices.pick(&ranges);
                self.line(&format!("l{counter}: for {counter} in {range} {{"));
                self.counters.push(counter);
            }
            1 => {
                let condition = self.condition();
                self.line(&format!("mut {counter} = 0"));
                self.line(&format!("l{counter}: while {counter} < 4 && {condition} {{"));
                self.line(&format!("    {counter} += 1"));
                self.counters.push(counter);
            }
            _ => {
                self.line(&format!("mut {counter} = 0"));
                self.line(&format!("l{counter}: loop {{"));
                self.line(&format!("    {counter} += 1"));
                self.line(&format!("    if {counter} > 3 {{ break }}"));
                self.counters.push(counter);
            }
        }
        self.block();
        self.counters.pop();
        self.line("}");
    }
}

fn body(seed: u64) -> String {
    let choices = Choices(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let counters = Vec::new();
    let mut maker = Maker { choices, text: String::new(), counters, made: 0, depth: 0 };
    for _ in 0..4 {
        maker.statement();
    }
    maker.repetition();
    maker.text
}

/// A program that says what differs. The second function prints, for no argument that it is given, and so is no graph.
fn program(seeds: std::ops::Range<u64>) -> String {
    let mut text = String::new();
    let mut main = String::from("func main() -> i32 {\n");
    for seed in seeds {
        let body = body(seed);
        for (attribute, name, print) in
            [("@grad\n", "graph", ""), ("", "body", "    if m == 77 { println(\"no graph\") }\n")]
        {
            let _ = write!(
                text,
                "{attribute}func {name}{seed}(x: &mut Tensor<f64, [3]>, m: i32) -> Tensor<f64, []> {{
    mut a = x[0]
    mut b = x[1] * 0.5
    mut c = 0.25
    mut t = x * 0.5
{body}{print}    Tensor::scalar(a + b * 2.0 + c * 3.0 + t.sum())
}}
"
            );
        }
        let _ = write!(
            main,
            "    for m in 0..4 {{
        mut y: Tensor<f64, [3]> = [0.7, -0.4, 1.2]
        val l = graph{seed}(&mut y, m)
        l.backward()
        val plain = graph{seed}(&mut y, m)
        val other = body{seed}(&mut y, m)
        if l.item() != other.item() || plain.item() != other.item() {{ println(\"{seed} {{m}}: values\") }}
        for k in 0..3 {{
            mut high = y.clone()
            high[k] = high[k] + 0.00001
            mut low = y.clone()
            low[k] = low[k] - 0.00001
            val slope = (body{seed}(&mut high, m).item() - body{seed}(&mut low, m).item()) / 0.00002
            val error = (slope - y.grad()[k]).abs() / (1.0 + slope.abs())
            if !(error < 0.00001) {{ println(\"{seed} {{m}}: slope {{slope}}, {{y.grad()[k]}}\") }}
        }}
    }}
"
        );
    }
    text + &main + "    0\n}\n"
}

#[test]
fn graphs_and_bodies_of_generated_loops_agree() {
    let text = program(0..3);
    assert_eq!(run(&text), "", "{text}");
}

#[test]
fn a_loop_keeps_only_so_much() {
    let text = "@grad
func long(x: &mut Tensor<f64, [1]>, n: i64) -> Tensor<f64, []> {
    mut y = x[0]
    for k in 0..n {
        y = y.sin()
    }
    Tensor::scalar(y)
}
func main() -> i32 {
    mut x = Tensor::<f64, [1]>::ones()
    val short = long(&mut x, 1000)
    short.backward()
    println(\"kept\")
    val l = long(&mut x, 100000000)
    l.backward()
    0
}
";
    let expected =
        "kept\npanic: the derivative of this loop keeps more than 256 MiB at test.nr:4:5\n";
    assert_eq!(run_forked(text, WRAPPING), (expected.to_owned(), libc::SIGABRT));
}
