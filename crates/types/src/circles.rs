//! Structs, enums and newtypes that contain themselves: their values would have no size.
//!
//! Which type contains which is one graph of the declarations, and a circle in it is found once for all that are
//! part of it. What stands behind a reference or in a collection is not contained. An argument of a generic type
//! is contained if the type has a value of its parameter in itself.

use neuro_db::{Db, SourceFile, codes};
use neuro_hir::{Item, file_items};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::items::held_types;
use crate::{Def, Finding, GenericArg, Place, Ty};

/// The circles that items of a file are part of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Circles {
    /// The items of the file that contain themselves.
    members: FxHashSet<Def>,
    /// The first one of each circle, which tells of it.
    first: FxHashSet<Def>,
}

/// Whether values of a type contain values of the same type, which is reported. Every walk through what a value
/// holds ends if it goes into no such type.
pub fn contains_itself(db: &dyn Db, def: &Def) -> bool {
    circles(db, def.file()).members.contains(def)
}

/// What is wrong with an item that contains itself; of a circle, the first item of the file tells it.
pub(crate) fn endless<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Finding> {
    let def = Def::of_data(db, item)?;
    if !circles(db, def.file()).first.contains(&def) {
        return None;
    }
    let finding = Finding::new(
        codes::CYCLE,
        Place::ItemName,
        format!("`{}` contains itself, so its values would have no size", def.name()),
    );
    Some(finding.note("keep a position instead, or a reference: `&`"))
}

#[salsa::tracked]
fn circles(db: &dyn Db, file: SourceFile) -> Circles {
    let items = file_items(db, file).items.iter();
    let graph = Graph::of(db, items.filter_map(|item| Def::of_data(db, *item)));
    let mut found = Circles::default();
    for circle in graph.circles() {
        // Items are numbered in the order of the file, and those of other files after them.
        let mut here: Vec<usize> =
            circle.into_iter().filter(|number| graph.defs[*number].file() == file).collect();
        here.sort_unstable();
        found.first.extend(here.first().map(|number| graph.defs[*number].clone()));
        found.members.extend(here.into_iter().map(|number| graph.defs[number].clone()));
    }
    found
}

/// Which types contain which, by numbers.
#[derive(Default)]
struct Graph {
    defs: Vec<Def>,
    numbers: FxHashMap<Def, usize>,
    /// The types that each declares, in terms of its own parameters.
    declared: Vec<Vec<Ty>>,
    /// The parameters of which each holds a value in itself.
    params: Vec<FxHashSet<u32>>,
}

impl Graph {
    /// The graph of some items and all that they lead to.
    fn of(db: &dyn Db, items: impl Iterator<Item = Def>) -> Self {
        let mut graph = Graph::default();
        items.for_each(|def| graph.add(&def));
        while let Some(def) = graph.defs.get(graph.declared.len()).cloned() {
            let types = held_types(db, &def, &[]);
            for ty in &types {
                each_held(ty, &|_, _| true, &mut |part| {
                    if let Ty::Adt { def, .. } = part {
                        graph.add(def);
                    }
                });
            }
            graph.declared.push(types);
        }
        graph.find_params();
        graph
    }

    fn add(&mut self, def: &Def) {
        if !self.numbers.contains_key(def) {
            self.numbers.insert(def.clone(), self.defs.len());
            self.defs.push(def.clone());
        }
    }

    /// Finds the parameters that are held: those that are declared as a part, or given to a type that holds its own.
    fn find_params(&mut self) {
        self.params = vec![FxHashSet::default(); self.defs.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for number in (0..self.defs.len()).rev() {
                let mut held = FxHashSet::default();
                self.each_part(number, &mut |part| {
                    if let Ty::Param(param) = part {
                        held.insert(param.index);
                    }
                });
                changed |= held.len() > self.params[number].len();
                self.params[number] = held;
            }
        }
    }

    /// The types and parameters of which an item holds a value in itself.
    fn each_part(&self, number: usize, found: &mut dyn FnMut(&Ty)) {
        let holds = |def: &Def, param: u32| {
            self.numbers.get(def).is_some_and(|number| self.params[*number].contains(&param))
        };
        self.declared[number].iter().for_each(|ty| each_held(ty, &holds, found));
    }

    fn contained(&self, number: usize) -> Vec<usize> {
        let mut found = Vec::new();
        self.each_part(number, &mut |part| {
            if let Ty::Adt { def, .. } = part {
                found.extend(self.numbers.get(def));
            }
        });
        found
    }

    /// The groups of items that contain each other: what can be reached from a type, and reaches it. A walk puts
    /// each type behind those that it contains; going back from the last one, it finds its group only.
    fn circles(&self) -> Vec<Vec<usize>> {
        let contained: Vec<Vec<usize>> =
            (0..self.defs.len()).map(|number| self.contained(number)).collect();
        let mut containing = vec![Vec::new(); contained.len()];
        for (number, parts) in contained.iter().enumerate() {
            parts.iter().for_each(|part| containing[*part].push(number));
        }
        let mut seen = vec![false; contained.len()];
        let mut order = Vec::new();
        for number in 0..contained.len() {
            walk(&contained, number, &mut seen, &mut order);
        }
        seen.fill(false);
        let mut circles = Vec::new();
        for number in order.into_iter().rev() {
            let mut group = Vec::new();
            walk(&containing, number, &mut seen, &mut group);
            if group.len() > 1 || (group.len() == 1 && contained[number].contains(&number)) {
                circles.push(group);
            }
        }
        circles
    }
}

/// Goes from a number to all that it leads to and that was not seen, and lists each after what it leads to.
fn walk(edges: &[Vec<usize>], from: usize, seen: &mut [bool], found: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[from], true) {
        return;
    }
    let mut around = vec![(from, edges[from].iter())];
    while let Some((number, left)) = around.last_mut() {
        match left.next() {
            Some(next) if std::mem::replace(&mut seen[*next], true) => {}
            Some(next) => around.push((*next, edges[*next].iter())),
            None => {
                found.push(*number);
                around.pop();
            }
        }
    }
}

/// The types and parameters of which a value of a type holds one in itself; `holds` says whether a generic type
/// holds a value of a parameter.
fn each_held(ty: &Ty, holds: &dyn Fn(&Def, u32) -> bool, found: &mut dyn FnMut(&Ty)) {
    match ty {
        Ty::Adt { def, args } => {
            found(ty);
            for (index, arg) in (0..).zip(args.iter()) {
                if let GenericArg::Type(arg) = arg
                    && holds(def, index)
                {
                    each_held(arg, holds, found);
                }
            }
        }
        Ty::Param(_) => found(ty),
        Ty::Tuple(parts) => parts.iter().for_each(|part| each_held(part, holds, found)),
        Ty::Array { elem, .. } => each_held(elem, holds, found),
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Ref { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Collection { .. }
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => {}
    }
}
