//! The table that is printed.

/// Prints a row as soon as it is measured.
pub(crate) struct Table {
    wanted: Option<String>,
}

impl Table {
    /// A table of the rows whose name contains `wanted`, or of all.
    pub(crate) fn new(wanted: Option<String>) -> Self {
        println!("{:<72} {:>10} {:>10}", "what", "figure", "target");
        Self { wanted }
    }

    /// Whether a row is asked for.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| name.contains(wanted.as_str()))
    }

    /// Whether a row is asked for whose name begins so.
    pub(crate) fn wants_some(&self, beginning: &str) -> bool {
        self.wanted
            .as_ref()
            .is_none_or(|wanted| beginning.contains(wanted.as_str()) || wanted.contains(beginning))
    }

    /// A row. What is over its target says so.
    pub(crate) fn row(&mut self, name: &str, figure: f64, unit: &str, target: Option<f64>) {
        if !self.wants(name) {
            return;
        }
        let shown = target.map_or_else(String::new, |target| format!("{target:.1} {unit}"));
        let missed = target.is_some_and(|target| figure > target);
        let mark = if missed { "  missed" } else { "" };
        println!("{name:<72} {:>10} {shown:>10}{mark}", format!("{figure:.2} {unit}"));
    }
}

/// The value below which `percent` of the measured ones are.
pub(crate) fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or(f64::NAN)
}
