//! Tests of the evaluator.

use neuro_num::{DType, Scalar};

use crate::{EvalError, Tensor, Type, eval, eval_limited, parse};

fn run(text: &str, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let function = parse(text).expect("a function");
    eval(&function, inputs).map_err(|error| error.to_string())
}

fn floats(dims: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_f64s(Type::new(DType::F64, dims.iter().copied()), values).expect("fits")
}

fn int(value: i128) -> Tensor {
    Tensor::scalar(Scalar::wrap(DType::I32, value))
}

fn one(result: Result<Vec<Tensor>, String>) -> Vec<f64> {
    result.expect("no trap")[0].to_f64s()
}

#[test]
fn rearranging() {
    let matrix = floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let transposed = run(
        "func @f(%0 \"x\": tensor<2x3xf64>) -> tensor<3x2xf64> {
           %1 = transpose %0 {perm = [1, 0]} : tensor<3x2xf64>
           return %1
         }",
        std::slice::from_ref(&matrix),
    );
    assert_eq!(one(transposed), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let columns = run(
        "func @f(%0 \"x\": tensor<2x3xf64>) -> tensor<3xf64> {
           %1 = sum %0 {axes = [0]} : tensor<3xf64>
           return %1
         }",
        &[matrix],
    );
    assert_eq!(one(columns), [5.0, 7.0, 9.0]);
    let column = run(
        "func @f(%0 \"x\": tensor<2x1xf64>) -> tensor<2x2xf64> {
           %1 = broadcast %0 {axes = [0, 1]} : tensor<2x2xf64>
           return %1
         }",
        &[floats(&[2, 1], &[1.0, 2.0])],
    );
    assert_eq!(one(column), [1.0, 1.0, 2.0, 2.0]);
}

#[test]
fn traps_say_what_and_where() {
    let element = "func @f(%0 \"x\": tensor<3xf64>, %1 \"i\": tensor<i32>) -> tensor<f64> {
         %2 = element %0, %1 : tensor<f64> loc(4)
         return %2
       }";
    let x = floats(&[3], &[1.0, 2.0, 3.0]);
    assert_eq!(one(run(element, &[x.clone(), int(2)])), [3.0]);
    let outside = Err("tensor index out of bounds at loc(4)".to_owned());
    assert_eq!(run(element, &[x.clone(), int(3)]), outside);
    assert_eq!(run(element, &[x, int(-1)]), outside);
    let arithmetic = |line: &str| {
        format!(
            "func @f(%0 \"a\": tensor<i32>, %1 \"b\": tensor<i32>) -> tensor<i32> {{
               {line}
               return %2
             }}"
        )
    };
    let trap = |line: &str, a, b| run(&arithmetic(line), &[int(a), int(b)]).expect_err("traps");
    assert_eq!(trap("%2 = div %0, %1 : tensor<i32> loc(1)", 1, 0), "division by zero at loc(1)");
    assert_eq!(trap("%2 = rem %0, %1 : tensor<i32> loc(1)", 1, 0), "remainder by zero at loc(1)");
    let max = i128::from(i32::MAX);
    assert_eq!(
        trap("%2 = add %0, %1 {trap} : tensor<i32> loc(2)", max, 1),
        "integer overflow at loc(2)"
    );
    let wrapped = run(&arithmetic("%2 = add %0, %1 : tensor<i32>"), &[int(max), int(1)]);
    assert_eq!(one(wrapped), [f64::from(i32::MIN)]);
}

#[test]
fn a_position_outside_scatters_nothing() {
    let scatter = "func @f(%0 \"v\": tensor<f64>, %1 \"i\": tensor<i32>) -> tensor<3xf64> {
         %2 = scatter %0, %1 : tensor<3xf64>
         return %2
       }";
    assert_eq!(one(run(scatter, &[floats(&[], &[5.0]), int(1)])), [0.0, 5.0, 0.0]);
    assert_eq!(one(run(scatter, &[floats(&[], &[5.0]), int(7)])), [0.0, 0.0, 0.0]);
}

#[test]
fn loops_and_branches() {
    let function = parse(
        "func @halve(%0 \"n\": tensor<i32>) -> (tensor<i32>, tensor<i32>) {
           %1 = const 0 : tensor<i32>
           while %0, %1 : tensor<i32>, tensor<i32>
           test(%2: tensor<i32>, %3: tensor<i32>) {
             %4 = const 1 : tensor<i32>
             %5 = gt %2, %4 : tensor<bool>
             yield %5
           }
           do(%6: tensor<i32>, %7: tensor<i32>) {
             %8 = const 2 : tensor<i32>
             %9 = const 0 : tensor<i32>
             %10 = const 1 : tensor<i32>
             %11 = rem %6, %8 : tensor<i32>
             %12 = eq %11, %9 : tensor<bool>
             if %12 : tensor<i32>
             then() {
               %13 = div %6, %8 : tensor<i32>
               yield %13
             }
             else() {
               %14 = sub %6, %10 : tensor<i32>
               yield %14
             }
             gives %15
             %16 = add %7, %10 : tensor<i32>
             yield %15, %16
           }
           gives %17, %18
           return %17, %18
         }",
    )
    .expect("a function");
    let results = eval(&function, &[int(13)]).expect("no trap");
    assert_eq!((results[0].to_f64s(), results[1].to_f64s()), (vec![1.0], vec![5.0]));
    assert_eq!(eval_limited(&function, &[int(13)], 4), Err(EvalError::Limit));
    assert!(matches!(eval(&function, &[]), Err(EvalError::Input(_))));
}

#[test]
fn elements_are_changed_in_bounds() {
    let text = |op: &str| {
        format!(
            "func @f(%0 \"x\": tensor<2x2xf64>, %1 \"y\": tensor<f64>, %2 \"i\": tensor<i32>) -> tensor<2x2xf64> {{
               %3 = const 1 : tensor<u8>
               %4 = {op} %0, %1, %2, %3 : tensor<2x2xf64> loc(5)
               return %4
             }}"
        )
    };
    let x = Tensor::from_f64s(Type::new(DType::F64, [2, 2]), &[1.0, 2.0, 3.0, 4.0]).expect("fits");
    let run = |op: &str, at: i128| {
        let function = parse(&text(op)).expect("a function");
        let at = Tensor::scalar(Scalar::wrap(DType::I32, at));
        eval(&function, &[x.clone(), Tensor::scalar(Scalar::f64(0.5)), at])
            .map(|results| results[0].to_f64s())
            .map_err(|error| error.to_string())
    };
    assert_eq!(run("update", 1), Ok(vec![1.0, 2.0, 3.0, 0.5]));
    assert_eq!(run("accumulate", 0), Ok(vec![1.0, 2.5, 3.0, 4.0]));
    assert_eq!(run("update", 2), Err("tensor index out of bounds at loc(5)".to_owned()));
    assert_eq!(run("accumulate", -1), Ok(vec![1.0, 2.0, 3.0, 4.0]));
}
