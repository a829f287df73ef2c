//! A machine that runs one graph and watches over its invariants: numbers are real, a tensor is
//! something or nothing, and its elements are random.

use neuro_hir::{BinaryOp, CompareOp, UnaryOp};
use neuro_num::{BinOp, CmpOp, DType, Overflow, Scalar, UnOp};
use neuro_types::Ty;

use crate::{
    Body, LocalId, LocalKind, Operand, Operation, Place, PrintPart, Rvalue, Statement,
    StatementKind, Terminator,
};

/// What is in a place.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cell {
    Nothing,
    Number(Scalar),
    Tensor,
    /// A reference to the cell of this number.
    Ref(usize),
    Residuals,
}

/// How a run ended.
#[derive(PartialEq, Debug)]
pub(super) enum End {
    Returned,
    Panicked(String),
    /// After the greatest number of steps.
    Stopped,
}

pub(super) struct Machine<'a, 'db> {
    body: &'a Body<'db>,
    /// One for each local, then those that exist outside the function.
    cells: Vec<Cell>,
    random: u64,
    /// What was printed.
    pub(super) output: String,
}

fn number(local: LocalId) -> usize {
    local.into_raw().into_u32() as usize
}

impl<'a, 'db> Machine<'a, 'db> {
    pub(super) fn new(body: &'a Body<'db>, seed: u64) -> Self {
        let cells = vec![Cell::Nothing; body.locals.len()];
        Self { body, cells, random: seed, output: String::new() }
    }

    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.random >> 33
    }

    fn random_number(&mut self, dtype: DType) -> Scalar {
        let drawn = (self.draw() % 9) as i128 - if dtype.is_signed() { 4 } else { 0 };
        Scalar::wrap(dtype, drawn)
    }

    /// A value of a type; what it refers to is outside the function.
    fn value(&mut self, ty: &Ty) -> Cell {
        match ty {
            Ty::Scalar(dtype) => Cell::Number(self.random_number(*dtype)),
            Ty::Tensor(_) => Cell::Tensor,
            Ty::Ref { inner, .. } => {
                let referent = self.value(inner);
                self.cells.push(referent);
                Cell::Ref(self.cells.len() - 1)
            }
            other => panic!("no values of type {other}"),
        }
    }

    /// Runs with these numbers as the scalar arguments; the others are made up.
    pub(super) fn run(&mut self, numbers: &[Scalar], steps: usize) -> End {
        let body = self.body;
        let mut numbers = numbers.iter();
        for param in &body.params {
            let value = self.value(&body.locals[*param].ty);
            self.cells[number(*param)] = match (value, numbers.as_slice()) {
                (Cell::Number(_), [given, ..]) => {
                    numbers.next();
                    Cell::Number(*given)
                }
                (value, _) => value,
            };
        }
        let mut block = body.entry;
        for _ in 0..steps {
            let data = &body.blocks[block];
            for statement in &data.statements {
                if let Err(message) = self.statement(statement) {
                    return End::Panicked(message);
                }
            }
            match &data.terminator {
                Terminator::Goto(next) => block = *next,
                Terminator::Branch { cond, then, otherwise, .. } => {
                    let holds = self.number(cond).as_bool() == Some(true);
                    block = if holds { *then } else { *otherwise };
                }
                Terminator::Return => {
                    self.assert_nothing_left();
                    return End::Returned;
                }
                Terminator::Panic { message, .. } => {
                    let before = self.output.len();
                    self.print(message);
                    return End::Panicked(self.output.split_off(before));
                }
                Terminator::Unreachable => panic!("reached what is never reached"),
            }
        }
        End::Stopped
    }

    fn assert_nothing_left(&self) {
        for (local, declaration) in self.body.locals.iter() {
            let cell = self.cells[number(local)];
            if Some(local) == self.body.ret {
                assert!(cell != Cell::Nothing, "the result is missing");
            } else {
                let owned = matches!(cell, Cell::Tensor | Cell::Residuals);
                assert!(!owned, "_{} of type {} leaks", number(local), declaration.ty);
            }
        }
    }

    fn cell(&self, place: &Place) -> usize {
        place.projections.iter().fold(number(place.local), |cell, _| match self.cells[cell] {
            Cell::Ref(referent) => referent,
            other => panic!("{place:?} goes through {other:?}"),
        })
    }

    fn read(&self, operand: &Operand) -> Cell {
        match operand {
            Operand::Const(scalar) => Cell::Number(*scalar),
            Operand::Copy(place) | Operand::Move(place) => {
                let cell = self.cells[self.cell(place)];
                assert!(cell != Cell::Nothing, "{place:?} is read and holds nothing");
                cell
            }
        }
    }

    /// Reads, and leaves nothing where something is moved.
    fn take(&mut self, operand: &Operand) -> Cell {
        let value = self.read(operand);
        if let Operand::Move(place) = operand {
            let cell = self.cell(place);
            self.cells[cell] = Cell::Nothing;
        }
        value
    }

    fn number(&self, operand: &Operand) -> Scalar {
        match self.read(operand) {
            Cell::Number(scalar) => scalar,
            other => panic!("{operand:?} is {other:?}, not a number"),
        }
    }

    fn put(&mut self, place: &Place, value: Cell) {
        let cell = self.cell(place);
        assert!(self.cells[cell] != Cell::Tensor, "{place:?} is overwritten without a drop");
        self.cells[cell] = value;
    }

    fn print(&mut self, parts: &[PrintPart]) {
        for part in parts {
            match part {
                PrintPart::Text(text) => self.output.push_str(text),
                PrintPart::Value { value, spec, .. } => {
                    let number = self.number(value);
                    let written = spec.write_number(&mut self.output, number);
                    written.expect("a text takes all");
                }
            }
        }
    }

    fn statement(&mut self, statement: &Statement<'db>) -> Result<(), String> {
        let body = self.body;
        match &statement.kind {
            StatementKind::Assign { place, value } => {
                let value = match value {
                    Rvalue::Use(operand) => self.take(operand),
                    Rvalue::Ref { place, .. } => Cell::Ref(self.cell(place)),
                    Rvalue::Gradient(of) => {
                        assert_eq!(self.cells[self.cell(of)], Cell::Tensor);
                        let ty = body.place_ty(place);
                        self.value(&ty)
                    }
                    Rvalue::Aggregate(_)
                    | Rvalue::Variant { .. }
                    | Rvalue::Tag(_)
                    | Rvalue::Empty
                    | Rvalue::Length(_)
                    | Rvalue::Slice { .. } => panic!("this machine has no aggregates"),
                    Rvalue::Text(_) | Rvalue::TextOperation { .. } => {
                        panic!("this machine has no texts")
                    }
                    Rvalue::Operation { op, operands } => {
                        self.operation(op, operands, &body.place_ty(place))?
                    }
                };
                self.put(place, value);
            }
            StatementKind::InPlace { place, value, .. } => {
                self.read(value);
                assert_eq!(self.cells[self.cell(place)], Cell::Tensor);
            }
            StatementKind::SetElement { tensor, positions, value } => {
                positions.iter().chain([value]).for_each(|operand| {
                    self.number(operand);
                });
                assert_eq!(self.cells[self.cell(tensor)], Cell::Tensor);
            }
            StatementKind::Bounds { .. } | StatementKind::Collection { .. } => {
                panic!("this machine has no arrays")
            }
            StatementKind::Call { dest, args, .. } => {
                for arg in args {
                    self.take(arg);
                }
                if let Some(dest) = dest {
                    let value = self.value(&body.place_ty(dest));
                    self.put(dest, value);
                }
            }
            StatementKind::Forward(id) => {
                let sweep = &body.sweeps[*id];
                sweep.args.iter().for_each(|arg| self.sweep_argument(arg));
                self.put(&Place::local(sweep.loss), Cell::Tensor);
                assert_eq!(self.cells[number(sweep.residuals)], Cell::Nothing);
                self.cells[number(sweep.residuals)] = Cell::Residuals;
            }
            StatementKind::Backward(id) => {
                let sweep = &body.sweeps[*id];
                sweep.args.iter().for_each(|arg| self.sweep_argument(arg));
                assert_eq!(self.cells[number(sweep.residuals)], Cell::Residuals);
                self.cells[number(sweep.residuals)] = Cell::Nothing;
            }
            StatementKind::ZeroGrad(place) => {
                assert_eq!(self.cells[self.cell(place)], Cell::Tensor);
            }
            StatementKind::Drop { place, .. } => {
                let kind = body.locals[place.local].kind;
                let owns = matches!(body.place_ty(place), Ty::Tensor(_))
                    || matches!(kind, LocalKind::Residuals(_));
                assert!(owns, "{place:?} is dropped and owns nothing");
                let cell = self.cell(place);
                self.cells[cell] = Cell::Nothing;
            }
            StatementKind::Print { parts, newline } => {
                self.print(parts);
                self.output.push_str(if *newline { "\n" } else { "" });
            }
            StatementKind::Append { .. } | StatementKind::ClearText(_) => {
                panic!("this machine has no texts")
            }
            StatementKind::PoolEnter(_) | StatementKind::PoolExit(_) => {}
        }
        Ok(())
    }

    /// The sweeps find something behind each reference, in both.
    fn sweep_argument(&mut self, arg: &Operand) {
        assert!(!matches!(arg, Operand::Move(_)), "a sweep only reads");
        if let Cell::Ref(referent) = self.read(arg) {
            assert!(self.cells[referent] != Cell::Nothing, "{arg:?} refers to nothing");
        }
    }

    fn operation(&mut self, op: &Operation, operands: &[Operand], ty: &Ty) -> Result<Cell, String> {
        let values: Vec<Cell> = operands.iter().map(|operand| self.read(operand)).collect();
        let Ty::Scalar(dtype) = ty else { return Ok(self.value(ty)) };
        let numbers: Option<Vec<Scalar>> = values
            .iter()
            .map(|value| match value {
                Cell::Number(scalar) => Some(*scalar),
                _ => None,
            })
            .collect();
        let result = match (op, numbers.as_deref()) {
            (Operation::Unary(op), Some([x])) => {
                let op = if *op == UnaryOp::Neg { UnOp::Neg } else { UnOp::Not };
                neuro_num::unary(op, *x, Overflow::Trap)
            }
            (Operation::Binary(op), Some([x, y])) => {
                neuro_num::binary(arithmetic(*op), *x, *y, Overflow::Trap)
            }
            (Operation::Compare(op), Some([x, y])) => {
                Ok(Scalar::bool(neuro_num::compare(comparison(*op), *x, *y).unwrap_or_default()))
            }
            (Operation::Cast(to), Some([x])) => Ok(neuro_num::cast(*x, *to)),
            _ => Ok(self.random_number(*dtype)),
        };
        result.map(Cell::Number).map_err(|error| error.to_string())
    }
}

fn arithmetic(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul | BinaryOp::MatMul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::BitAnd => BinOp::And,
        BinaryOp::BitOr => BinOp::Or,
        BinaryOp::BitXor => BinOp::Xor,
        BinaryOp::Shl => BinOp::Shl,
    }
}

fn comparison(op: CompareOp) -> CmpOp {
    match op {
        CompareOp::Eq => CmpOp::Eq,
        CompareOp::Ne => CmpOp::Ne,
        CompareOp::Lt => CmpOp::Lt,
        CompareOp::Le => CmpOp::Le,
        CompareOp::Gt => CmpOp::Gt,
        CompareOp::Ge => CmpOp::Ge,
    }
}
