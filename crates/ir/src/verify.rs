//! What must hold of a function. Builder and parser cannot break most of it; passes can.
//!
//! 1. Every number of a value, op or region exists.
//! 2. Every region is the body or belongs to exactly one op, and every op stands in exactly one region.
//! 3. Every value is defined once, where its definition says.
//! 4. A use comes after its definition: earlier in the same region, or in a region around it.
//! 5. The types of an op's results are those of its shape rule.
//! 6. An op that can trap has a location.
//! 7. The bytes of every type fit the address space.
//! 8. There is a name for each parameter.

use std::fmt;

use crate::{Function, OpId, RegionId, RegionType, Type, ValueDef, ValueId};

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The number of the rule, as the module's list has it.
    pub rule: u8,
    /// The node: a value, or what stands for the function.
    pub node: String,
    /// The op's name.
    pub op: &'static str,
    /// Why.
    pub reason: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}), rule {}: {}", self.node, self.op, self.rule, self.reason)
    }
}

impl std::error::Error for VerifyError {}

/// Checks every rule and reports the first that does not hold, in program order.
///
/// # Errors
/// When one does not.
pub fn verify(function: &Function) -> Result<(), VerifyError> {
    let mut verifier = Verifier {
        function,
        defined: vec![false; function.values.len()],
        placed_ops: vec![false; function.ops.len()],
        placed_regions: vec![false; function.regions.len()],
    };
    if function.param_names.len()
        != function.regions.get(function.body.index()).map_or(0, |body| body.params.len())
    {
        return verifier.fail(8, None, "parameters and names differ in number");
    }
    verifier.region(function.body, None)?;
    if verifier.placed_ops.contains(&false) {
        return verifier.fail(2, None, "an op stands in no region");
    }
    if verifier.placed_regions.contains(&false) {
        return verifier.fail(2, None, "a region belongs to no op");
    }
    Ok(())
}

struct Verifier<'f> {
    function: &'f Function,
    /// Values visible here.
    defined: Vec<bool>,
    placed_ops: Vec<bool>,
    placed_regions: Vec<bool>,
}

type Verified<T = ()> = Result<T, VerifyError>;

impl Verifier<'_> {
    fn region(&mut self, id: RegionId, owner: Option<OpId>) -> Verified {
        let Some(region) = self.function.regions.get(id.index()) else {
            return self.fail(1, owner, "a region does not exist");
        };
        if std::mem::replace(&mut self.placed_regions[id.index()], true) {
            return self.fail(2, owner, "a region is used twice");
        }
        for (index, param) in region.params.iter().enumerate() {
            self.define(*param, ValueDef::Param { region: id, index: index as u32 }, owner)?;
        }
        for op in &region.ops {
            self.op(*op)?;
        }
        for result in &region.results {
            self.used(*result, owner)?;
        }
        // What is defined in here is not visible after it.
        for value in region
            .params
            .iter()
            .chain(region.ops.iter().flat_map(|op| &self.function.op(*op).results))
        {
            self.defined[value.index()] = false;
        }
        Ok(())
    }

    fn op(&mut self, id: OpId) -> Verified {
        let Some(op) = self.function.ops.get(id.index()) else {
            return self.fail(1, None, "an op does not exist");
        };
        if std::mem::replace(&mut self.placed_ops[id.index()], true) {
            return self.fail(2, Some(id), "the op stands in two places");
        }
        for operand in &op.operands {
            self.used(*operand, Some(id))?;
        }
        for region in &op.regions {
            self.region(*region, Some(id))?;
        }
        for (index, result) in op.results.iter().enumerate() {
            self.define(*result, ValueDef::Result { op: id, index: index as u32 }, Some(id))?;
        }
        self.types(id)?;
        if op.loc.is_none() && self.function.can_trap(op) {
            return self.fail(6, Some(id), "it can trap and has no location");
        }
        Ok(())
    }

    fn types(&self, id: OpId) -> Verified {
        let function = self.function;
        let op = function.op(id);
        let types = |values: &[ValueId]| -> Vec<Type> {
            values.iter().map(|value| function.ty(*value).clone()).collect()
        };
        let operands: Vec<&Type> = op.operands.iter().map(|value| function.ty(*value)).collect();
        let regions: Vec<RegionType> = op
            .regions
            .iter()
            .map(|region| function.region(*region))
            .map(|region| RegionType {
                params: types(&region.params),
                results: types(&region.results),
            })
            .collect();
        match op.kind.infer(&operands, &regions) {
            Err(reason) => self.fail(5, Some(id), reason),
            Ok(inferred) if inferred.as_slice() != types(&op.results) => {
                let inferred: Vec<String> = inferred.iter().map(Type::to_string).collect();
                self.fail(5, Some(id), format!("its results are {}", inferred.join(", ")))
            }
            Ok(_) => Ok(()),
        }
    }

    fn define(&mut self, value: ValueId, def: ValueDef, op: Option<OpId>) -> Verified {
        match self.function.values.get(value.index()) {
            None => self.fail(1, op, format!("{value} does not exist")),
            Some(have) if have.def != def => {
                self.fail(3, op, format!("{value} says that it is defined elsewhere"))
            }
            Some(have) if have.ty.bytes() > isize::MAX as usize => {
                self.fail(7, op, format!("{} does not fit the address space", have.ty))
            }
            Some(_) if std::mem::replace(&mut self.defined[value.index()], true) => {
                self.fail(3, op, format!("{value} is defined twice"))
            }
            Some(_) => Ok(()),
        }
    }

    fn used(&self, value: ValueId, op: Option<OpId>) -> Verified {
        match self.defined.get(value.index()) {
            None => self.fail(1, op, format!("{value} does not exist")),
            Some(false) => self.fail(4, op, format!("{value} is used before its definition")),
            Some(true) => Ok(()),
        }
    }

    fn fail(&self, rule: u8, op: Option<OpId>, reason: impl Into<String>) -> Verified {
        let op = op.map(|id| (id, self.function.op(id)));
        let node = match op {
            Some((_, op)) if !op.results.is_empty() => op.results[0].to_string(),
            Some((id, _)) => format!("op {}", id.index()),
            None => format!("@{}", self.function.name),
        };
        let name = op.map_or("func", |(_, op)| op.kind.name());
        Err(VerifyError { rule, node, op: name, reason: reason.into() })
    }
}
