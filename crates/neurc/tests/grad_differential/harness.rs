//! Compiles a case, evaluates it, and compares.

use neuro_codegen::{Compiler, GradientEntry, Options};
use neuro_db::RootDatabase;
use neuro_db::run::Value;

/// What a case's closed form takes and gives: the inputs, and a gradient for each differentiated parameter.
pub(crate) type Rule = fn(&[Vec<f64>]) -> Vec<Vec<f64>>;

/// A closed form that may capture.
pub(crate) type RuleRef<'a> = &'a dyn Fn(&[Vec<f64>]) -> Vec<Vec<f64>>;

/// A program with a function `loss`; `T` stands for the float type.
pub(crate) struct Case {
    /// The program.
    pub(crate) program: &'static str,
    /// The shape of each parameter, in order, and the range that its entries are drawn from.
    pub(crate) inputs: &'static [(&'static [u64], f64, f64)],
    /// The gradients in closed form.
    pub(crate) rule: Rule,
}

/// How near two figures must be: `relative * max(|a|, |b|) + absolute`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance {
    pub(crate) relative: f64,
    pub(crate) absolute: f64,
}

impl Tolerance {
    pub(crate) fn holds(self, a: f64, b: f64) -> bool {
        let difference = (a - b).abs();
        difference <= self.relative * a.abs().max(b.abs()) + self.absolute
    }
}

/// A uniform number in [0, 1) from a linear congruential generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 * 2f64.powi(-53)
    }

    pub(crate) fn tensor(&mut self, count: u64, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| low + (high - low) * self.uniform()).collect()
    }
}

/// The float type of a run of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Float {
    F32,
    F64,
}

impl Float {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Float::F32 => "f32",
            Float::F64 => "f64",
        }
    }

    fn round(self, value: f64) -> f64 {
        match self {
            Float::F32 => f64::from(value as f32),
            Float::F64 => value,
        }
    }

    /// The cube root of the type's epsilon: where rounding and curvature of a central difference balance.
    fn step(self) -> f64 {
        match self {
            Float::F32 => f64::from(f32::EPSILON).cbrt(),
            Float::F64 => f64::EPSILON.cbrt(),
        }
    }

    fn against_differences(self) -> Tolerance {
        match self {
            Float::F32 => Tolerance { relative: 2e-3, absolute: 2e-3 },
            Float::F64 => Tolerance { relative: 1e-6, absolute: 1e-8 },
        }
    }

    pub(crate) fn against_rule(self) -> Tolerance {
        match self {
            Float::F32 => Tolerance { relative: 1e-5, absolute: 1e-5 },
            Float::F64 => Tolerance { relative: 1e-12, absolute: 1e-13 },
        }
    }
}

/// A compiled case.
pub(crate) struct Compiled {
    entry: GradientEntry,
    float: Float,
    shapes: Vec<Vec<u64>>,
}

impl Compiled {
    /// Compiles the function `loss` of a program in which `T` is the float type.
    pub(crate) fn new(program: &str, float: Float, shapes: Vec<Vec<u64>>) -> Self {
        let mut db = RootDatabase::default();
        let file = db.set_text("case.nr", &with_float(program, float));
        let diagnostics = neuro_ide::diagnostics(&db, file);
        assert!(!neuro_ide::has_errors(&diagnostics), "{program}\n{diagnostics:#?}");
        let function = neuro_ide::find_function(&db, file, "loss").expect("a function `loss`");
        let mut compiler = Compiler::new().expect("a compiler");
        let entry = compiler
            .compile_gradient(&db, function, Options { checked: true })
            .unwrap_or_else(|error| panic!("{program}\n{error}"));
        Self { entry, float, shapes }
    }

    /// The numbers of the differentiated parameters.
    pub(crate) fn wrt(&self) -> &[usize] {
        self.entry.wrt()
    }

    /// The loss of the plain call.
    pub(crate) fn value(&self, inputs: &[Vec<f64>]) -> f64 {
        self.entry.value(&self.values(inputs)).expect("the inputs fit")
    }

    /// The loss and gradients of the derivative.
    pub(crate) fn gradients(&self, inputs: &[Vec<f64>]) -> (f64, Vec<Vec<f64>>) {
        let run = self.entry.run(&self.values(inputs)).expect("the inputs fit");
        (run.loss, run.gradients.into_iter().map(|gradient| gradient.data).collect())
    }

    /// The gradients by central differences of the plain call.
    pub(crate) fn differences(&self, inputs: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let entry = |param: usize, index: usize| {
            let at = inputs[param][index];
            let step = self.float.step() * at.abs().max(1.0);
            let moved = |by: f64| {
                let mut inputs = inputs.to_vec();
                inputs[param][index] = self.float.round(at + by);
                (inputs[param][index], self.value(&inputs))
            };
            let ((high_at, high), (low_at, low)) = (moved(step), moved(-step));
            (high - low) / (high_at - low_at)
        };
        let param =
            |param: &usize| (0..inputs[*param].len()).map(|index| entry(*param, index)).collect();
        self.wrt().iter().map(param).collect()
    }

    fn values(&self, inputs: &[Vec<f64>]) -> Vec<Value> {
        let value = |(data, shape): (&Vec<f64>, &Vec<u64>)| Value {
            shape: shape.clone(),
            dtype: self.float.name().to_owned(),
            data: data.clone(),
        };
        inputs.iter().zip(&self.shapes).map(value).collect()
    }
}

/// The program with its float type put in: the word `T` wherever it stands alone.
fn with_float(program: &str, float: Float) -> String {
    let mut text = String::with_capacity(program.len());
    let mut word = String::new();
    for character in program.chars().chain(['\n']) {
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        text.push_str(if word == "T" { float.name() } else { &word });
        word.clear();
        text.push(character);
    }
    text
}

/// The first pair of entries that are not near, with where it is.
pub(crate) fn first_difference(
    a: &[Vec<f64>],
    b: &[Vec<f64>],
    tolerance: Tolerance,
) -> Option<String> {
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.len() != b.len()) {
        return Some("the sizes differ".to_owned());
    }
    for (param, (a, b)) in a.iter().zip(b).enumerate() {
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            if !tolerance.holds(*a, *b) {
                return Some(format!("gradient {param}, entry {index}: {a} against {b}"));
            }
        }
    }
    None
}

/// Checks a case with both float types.
pub(crate) fn check(case: &Case) {
    for float in [Float::F32, Float::F64] {
        check_program(case.program, case.inputs, &case.rule, float);
    }
}

/// Checks a program with one float type.
pub(crate) fn check_program(
    program: &str,
    drawn: &[(&[u64], f64, f64)],
    rule: RuleRef<'_>,
    float: Float,
) {
    let shapes: Vec<Vec<u64>> = drawn.iter().map(|(shape, ..)| shape.to_vec()).collect();
    let compiled = Compiled::new(program, float, shapes);
    let mut random = Random(0x5eed);
    let inputs: Vec<Vec<f64>> = drawn
        .iter()
        .map(|(shape, low, high)| random.tensor(shape.iter().product(), *low, *high))
        .map(|data| data.into_iter().map(|entry| float.round(entry)).collect())
        .collect();
    let at = format!("{} with {inputs:?}\n{program}", float.name());

    let (loss, gradients) = compiled.gradients(&inputs);
    assert_eq!(loss.to_bits(), compiled.value(&inputs).to_bits(), "the losses differ: {at}");
    assert!(gradients.iter().flatten().any(|entry| *entry != 0.0), "all gradients are zero: {at}");

    let by_rule = rule(&inputs);
    let differences = compiled.differences(&inputs);
    for (what, expected, tolerance) in [
        ("rule", &by_rule, float.against_rule()),
        ("differences", &differences, float.against_differences()),
    ] {
        if let Some(difference) = first_difference(&gradients, expected, tolerance) {
            panic!("{what}: {difference}\n{at}");
        }
        every_entry_counts(&gradients, expected, tolerance);
    }
}

/// A comparison that would not see a changed entry is none.
fn every_entry_counts(gradients: &[Vec<f64>], expected: &[Vec<f64>], tolerance: Tolerance) {
    for param in 0..gradients.len() {
        for index in 0..gradients[param].len() {
            let mut changed = gradients.to_vec();
            changed[param][index] += 1.0;
            assert!(first_difference(&changed, expected, tolerance).is_some());
        }
    }
}
