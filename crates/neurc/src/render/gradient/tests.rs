//! Tests of gradients on a terminal and in JSON.

use expect_test::expect;

use super::*;

fn value(shape: &[u64], dtype: &str, data: &[f64]) -> Value {
    Value { shape: shape.to_vec(), dtype: dtype.to_owned(), data: data.to_vec() }
}

fn example() -> GradientRun {
    let third = f64::from(1.0f32 / 3.0);
    GradientRun {
        function: "loss".to_owned(),
        inputs: vec![
            ("w".to_owned(), value(&[2, 2], "f32", &[third, -1.0, 10.5, 0.0])),
            ("large".to_owned(), value(&[65], "f64", &[2.0; 65])),
            ("steps".to_owned(), value(&[], "i32", &[-3.0])),
            ("on".to_owned(), value(&[], "bool", &[1.0])),
        ],
        value: third,
        gradients: vec![("w".to_owned(), value(&[2, 2], "f32", &[f64::NAN, 1e-30, 0.1, -2.0]))],
        time_us: 1.25,
        compile_us: 2100.0,
        workspace_bytes: 16,
    }
}

#[test]
fn people_see_rows() {
    expect![[r#"
        inputs
          w: Tensor<f32, [2, 2]>
            0.33333334        -1.0
                  10.5         0.0
          large: Tensor<f64, [65]>
            65 elements from 2.0 to 2.0, norm 1.612452e1
          steps: i32 = -3
          on: bool = true

        loss = 0.33333334

        gradients
          w: Tensor<f32, [2, 2]>
              nan  1e-30
              0.1   -2.0

        1.25 us an evaluation, 2.10 ms to compile, 16 bytes of workspace
    "#]]
    .assert_eq(&human(&example()));
}

#[test]
fn programs_read_the_same_values_back() {
    let mut run = example();
    run.inputs.remove(1);
    let text = json(&run);
    expect![[r#"
        {"function":"loss","inputs":{"w":{"shape":[2,2],"dtype":"f32","data":[0.3333333432674408,-1.0,10.5,0.0]},"steps":-3,"on":true},"value":0.3333333432674408,"gradients":{"w":{"shape":[2,2],"dtype":"f32","data":["NaN",1e-30,0.1,-2.0]}},"time_us":1.25,"compile_us":2100.0,"workspace_bytes":16}
    "#]].assert_eq(&text);
    let back: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(back["value"].as_f64().unwrap() as f32, 1.0f32 / 3.0);
}
