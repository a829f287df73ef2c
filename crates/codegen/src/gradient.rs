//! `@grad` functions called with values that are known only at run time.

use std::fmt;

use neuro_db::Name;
use neuro_db::run::Value;
use neuro_num::{DType, Scalar};
use neuro_runtime::block::{self, Handle};
use neuro_types::Ty;

use crate::compiler::{Linked, Work};

/// A `@grad` function in this process, with its plain call and its gradient.
pub struct GradientEntry {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) wrt: Vec<usize>,
    pub(crate) loss: DType,
    pub(crate) plain: Entry,
    pub(crate) gradient: Entry,
}

/// A loss and its gradients at one point.
#[derive(Clone, PartialEq, Debug)]
pub struct Gradients {
    /// The loss.
    pub loss: f64,
    /// A gradient for each differentiated parameter, in the order of the parameters.
    pub gradients: Vec<Value>,
}

/// Why a value does not fit a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError {
    /// What is wrong, in a sentence.
    pub message: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InputError {}

/// What a parameter takes.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    name: Name,
    dtype: DType,
    /// The extents of a tensor; none for a scalar.
    shape: Option<Vec<u64>>,
    /// Whether a plain call takes the tensor away.
    consumed: bool,
}

impl Parameter {
    /// What a parameter of type `ty` takes; none if it is neither a number nor a tensor.
    pub(crate) fn new(name: &Name, ty: &Ty) -> Option<Self> {
        let consumed = matches!(ty, Ty::Tensor(_));
        let (dtype, shape) = match ty.as_tensor() {
            Some(tensor) => (tensor.elem, Some(tensor.shape.known()?.to_vec())),
            None => (ty.as_scalar()?, None),
        };
        Some(Self { name: name.clone(), dtype, shape, consumed })
    }

    fn check(&self, value: &Value) -> Result<(), InputError> {
        let shape = self.shape.clone().unwrap_or_default();
        let elements = shape.iter().product::<u64>();
        if value.dtype != self.dtype.name() {
            let (name, takes) = (&self.name, self.dtype);
            let message = format!("`{name}` takes {takes}, not {}", value.dtype);
            return Err(InputError { message });
        }
        if value.shape != shape || value.data.len() as u64 != elements {
            let name = &self.name;
            let given = (&value.shape, value.data.len());
            let message = format!(
                "`{name}` has the shape {shape:?}, not {:?} with {} elements",
                given.0, given.1
            );
            return Err(InputError { message });
        }
        Ok(())
    }
}

/// A function that takes its arguments from slots.
pub(crate) struct Entry {
    linked: Linked,
    code: extern "C" fn(*mut u64) -> u64,
}

impl Entry {
    pub(crate) fn new(linked: Linked, address: *const u8) -> Self {
        // SAFETY: the code is that of an entry, which takes the address of slots and gives 64 bits, in the
        // machine's own calling convention, and `linked` keeps it.
        let code =
            unsafe { std::mem::transmute::<*const u8, extern "C" fn(*mut u64) -> u64>(address) };
        Self { linked, code }
    }
}

/// The arguments of a call. Tensors are released when it is dropped.
struct Slots<'a> {
    parameters: &'a [Parameter],
    slots: Vec<u64>,
}

impl<'a> Slots<'a> {
    fn new(parameters: &'a [Parameter], inputs: &[Value]) -> Result<Self, InputError> {
        if parameters.len() != inputs.len() {
            let (takes, given) = (parameters.len(), inputs.len());
            return Err(InputError { message: format!("takes {takes} values, not {given}") });
        }
        for (parameter, input) in parameters.iter().zip(inputs) {
            parameter.check(input)?;
        }
        let slot = |(parameter, input): (&Parameter, &Value)| match parameter.shape {
            Some(_) => new_tensor(parameter.dtype, &input.data) as u64,
            None => {
                let first = input.data.first().copied().unwrap_or_default();
                scalar(parameter.dtype, first).bits()
            }
        };
        let slots = parameters.iter().zip(inputs).map(slot).collect();
        Ok(Self { parameters, slots })
    }

    fn call(&mut self, entry: &Entry) -> u64 {
        entry.linked.bind();
        (entry.code)(self.slots.as_mut_ptr())
    }

    fn handle(&self, index: usize) -> Option<Handle> {
        self.parameters.get(index)?.shape.as_ref()?;
        self.slots.get(index).map(|slot| *slot as Handle)
    }
}

impl Drop for Slots<'_> {
    fn drop(&mut self) {
        for index in 0..self.slots.len() {
            if let Some(handle) = self.handle(index) {
                // SAFETY: a tensor's slot holds a live block, or null after a call that took it.
                unsafe { block::block_drop(handle) }
            }
        }
    }
}

impl GradientEntry {
    /// What compiling it took.
    pub fn work(&self) -> Work {
        self.gradient.linked.work
    }

    /// The names of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &Name> {
        self.parameters.iter().map(|parameter| &parameter.name)
    }

    /// The numbers of the differentiated parameters.
    pub fn wrt(&self) -> &[usize] {
        &self.wrt
    }

    /// The value of a plain call, with one input for each parameter. A panic ends the process.
    ///
    /// # Errors
    /// When an input does not fit its parameter.
    pub fn value(&self, inputs: &[Value]) -> Result<f64, InputError> {
        let mut slots = Slots::new(&self.parameters, inputs)?;
        let loss = slots.call(&self.plain);
        for (slot, parameter) in slots.slots.iter_mut().zip(&self.parameters) {
            if parameter.consumed {
                *slot = 0;
            }
        }
        Ok(self.take_loss(loss))
    }

    /// Loss and gradients, with one input for each parameter. A panic ends the process.
    ///
    /// # Errors
    /// When an input does not fit its parameter.
    pub fn run(&self, inputs: &[Value]) -> Result<Gradients, InputError> {
        let mut slots = Slots::new(&self.parameters, inputs)?;
        let loss = slots.call(&self.gradient);
        let loss = self.take_loss(loss);
        let mut gradients = Vec::with_capacity(self.wrt.len());
        for index in &self.wrt {
            let (Some(parameter), Some(handle)) =
                (self.parameters.get(*index), slots.handle(*index))
            else {
                continue;
            };
            // SAFETY: the block is live.
            let Some(gradient) = (unsafe { block::gradient(handle) }) else { continue };
            // SAFETY: a gradient has its parameter's type.
            let data = unsafe { read_tensor(gradient, parameter) };
            let shape = parameter.shape.clone().unwrap_or_default();
            gradients.push(Value { shape, dtype: parameter.dtype.name().to_owned(), data });
        }
        Ok(Gradients { loss, gradients })
    }

    /// The number in a loss, which is released.
    fn take_loss(&self, loss: u64) -> f64 {
        let handle = loss as Handle;
        // SAFETY: the call gave a live block with one element of the loss's type, which belongs to us.
        unsafe {
            let value = read_elements(handle, self.loss, 1);
            block::block_drop(handle);
            value.first().copied().unwrap_or(f64::NAN)
        }
    }
}

/// The number of a type nearest to a float.
fn scalar(dtype: DType, value: f64) -> Scalar {
    Scalar::float(dtype, value).unwrap_or_else(|| Scalar::wrap(dtype, value as i128))
}

fn new_tensor(dtype: DType, data: &[f64]) -> Handle {
    let bytes: Vec<u8> =
        data.iter().flat_map(|value| scalar(dtype, *value).to_le_bytes()).collect();
    let handle = block::block_new(bytes.len() as u64);
    // SAFETY: the block has room for as many bytes.
    unsafe { block::elements(handle).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    handle
}

/// # Safety
/// `handle` is a live block of the parameter's type.
unsafe fn read_tensor(handle: Handle, parameter: &Parameter) -> Vec<f64> {
    let count = parameter.shape.iter().flatten().product::<u64>();
    // SAFETY: the caller promises it.
    unsafe { read_elements(handle, parameter.dtype, count as usize) }
}

/// # Safety
/// `handle` is a live block of `count` elements at least.
unsafe fn read_elements(handle: Handle, dtype: DType, count: usize) -> Vec<f64> {
    // SAFETY: the caller promises it.
    let bytes =
        unsafe { std::slice::from_raw_parts(block::elements(handle), count * dtype.size()) };
    bytes
        .chunks_exact(dtype.size())
        .map(|bytes| Scalar::from_le_bytes(dtype, bytes).map_or(f64::NAN, Scalar::to_f64))
        .collect()
}
