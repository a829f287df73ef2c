//! The types of random programs, and how values of them are written.

use neuro_tests::Random;

/// An integer type, and a bound: every integer of a random program lies below it, far enough below what the type
/// holds that no operation overflows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Int {
    pub(super) name: &'static str,
    pub(super) bound: u32,
    pub(super) signed: bool,
}

pub(super) const INTS: [Int; 8] = [
    Int { name: "i8", bound: 11, signed: true },
    Int { name: "i16", bound: 181, signed: true },
    Int { name: "i32", bound: 1009, signed: true },
    Int { name: "i64", bound: 30011, signed: true },
    Int { name: "u8", bound: 15, signed: false },
    Int { name: "u16", bound: 251, signed: false },
    Int { name: "u32", bound: 1013, signed: false },
    Int { name: "u64", bound: 30013, signed: false },
];

/// The type that positions and counters have.
pub(super) const COUNTER: Int = INTS[7];

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ty {
    Int(Int),
    F64,
    F32,
    Bool,
    Char,
    Tuple(Vec<Ty>),
    Array(Box<Ty>, usize),
    /// By its number in [`Types::structs`].
    Struct(usize),
}

/// A struct whose values are copied.
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<(String, Ty)>,
}

/// An enum, whose values are moved.
pub(super) struct Enum {
    pub(super) name: String,
    /// The variants with what they hold.
    pub(super) variants: Vec<(String, Vec<Ty>)>,
}

/// The types that a program declares.
#[derive(Default)]
pub(super) struct Types {
    pub(super) structs: Vec<Struct>,
    pub(super) enums: Vec<Enum>,
}

impl Types {
    /// As it is written.
    pub(super) fn name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int(int) => int.name.to_owned(),
            Ty::F64 => "f64".to_owned(),
            Ty::F32 => "f32".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Char => "char".to_owned(),
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.name(part)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Array(element, length) => format!("[{}; {length}]", self.name(element)),
            Ty::Struct(index) => self.structs[*index].name.clone(),
        }
    }

    /// The parts of a value of type `ty` that is written as `place`: the whole, and what it is made of.
    pub(super) fn parts(&self, place: &str, ty: &Ty, found: &mut Vec<(String, Ty)>) {
        self.each_part(place, ty, false, found);
    }

    /// Those that can be assigned: the elements of a tuple are not, one by one.
    pub(super) fn places(&self, place: &str, ty: &Ty, found: &mut Vec<(String, Ty)>) {
        self.each_part(place, ty, true, found);
    }

    fn each_part(&self, place: &str, ty: &Ty, for_assignment: bool, found: &mut Vec<(String, Ty)>) {
        found.push((place.to_owned(), ty.clone()));
        match ty {
            Ty::Int(_) | Ty::F64 | Ty::F32 | Ty::Bool | Ty::Char => {}
            Ty::Tuple(_) if for_assignment => {}
            Ty::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let inner = if place.ends_with(|last: char| last.is_ascii_digit())
                        && place.contains('.')
                    {
                        format!("({place}).{index}")
                    } else {
                        format!("{place}.{index}")
                    };
                    self.each_part(&inner, part, for_assignment, found);
                }
            }
            Ty::Array(element, length) => {
                for index in 0..*length {
                    self.each_part(&format!("{place}[{index}]"), element, for_assignment, found);
                }
            }
            Ty::Struct(index) => {
                for (field, ty) in &self.structs[*index].fields {
                    self.each_part(&format!("{place}.{field}"), ty, for_assignment, found);
                }
            }
        }
    }

    /// Any type; parts are nested at most `depth` deep.
    pub(super) fn any(&self, random: &mut Random, depth: u32) -> Ty {
        match random.below(if depth == 0 { 10 } else { 16 }) {
            0..=4 => Ty::Int(*random.choose(&INTS)),
            5 | 6 => Ty::F64,
            7 => Ty::F32,
            8 => Ty::Bool,
            9 => Ty::Char,
            10 | 11 => {
                let parts = 2 + random.below(2);
                Ty::Tuple((0..parts).map(|_| self.any(random, depth - 1)).collect())
            }
            12 | 13 => Ty::Array(Box::new(self.any(random, depth - 1)), 1 + random.below(4)),
            _ if self.structs.is_empty() => Ty::Int(COUNTER),
            _ => Ty::Struct(random.below(self.structs.len())),
        }
    }

    /// Any type of one number.
    pub(super) fn scalar(&self, random: &mut Random) -> Ty {
        self.any(random, 0)
    }
}
