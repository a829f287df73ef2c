//! Tests of given and sampled inputs.

use serde_json::json;

use neuro_types::ParamSig;

use super::*;

fn sig(params: Vec<(&str, Ty)>) -> FnSig {
    let param = |(name, ty): (&str, Ty)| ParamSig {
        label: name.into(),
        label_required: false,
        positional_only: false,
        name: name.into(),
        ty,
    };
    FnSig {
        receiver: None,
        contents: Vec::new(),
        params: params.into_iter().map(param).collect(),
        ret: Ty::Void,
        findings: Vec::new(),
    }
}

fn example() -> FnSig {
    sig(vec![
        ("m", Ty::tensor(DType::F32, [2, 2]).reference(true)),
        ("rate", Ty::Scalar(DType::F64)),
        ("steps", Ty::Scalar(DType::U8)),
        ("on", Ty::Scalar(DType::Bool)),
    ])
}

fn given(json: Json) -> Result<Vec<(String, Value)>, Vec<String>> {
    values("f", &example(), json.as_object().unwrap(), 0)
}

#[test]
fn samples_are_fixed_by_names_and_seed() {
    assert_eq!(fnv1a(""), 0xcbf29ce484222325);
    assert_eq!(fnv1a("a"), 0xaf63dc4c8601ec8c);
    let first = given(json!({})).unwrap();
    assert_eq!(first, given(json!({})).unwrap());
    let other = values("f", &example(), &Map::new(), 1).unwrap();
    assert_ne!(first[0], other[0]);
    assert_ne!(first[0].1.data, values("g", &example(), &Map::new(), 0).unwrap()[0].1.data);
    assert!(first[0].1.data.iter().all(|x| (-1.0..1.0).contains(x) && f64::from(*x as f32) == *x));
    assert_eq!((&first[2].1.data[..], &first[3].1.data[..]), (&[1.0][..], &[1.0][..]));
}

#[test]
fn the_generator_is_the_documented_one() {
    let target = Target { dtype: DType::F64, shape: Some(vec![2]), elements: 2 };
    let unit = |state: u64| 2.0 * ((state >> 11) as f64 * 2f64.powi(-53)) - 1.0;
    let step =
        |state: u64| state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    assert_eq!(target.sample(9).data, vec![unit(step(9)), unit(step(step(9)))]);
}

#[test]
fn tensors_come_flat_or_nested() {
    let flat =
        given(json!({"m": {"shape": [2, 2], "dtype": "f32", "data": [1, 2.5, "NaN", "-inf"]}}));
    let nested = given(json!({"m": [[1, 2.5], ["NaN", "-inf"]], "rate": 0.1, "on": false}));
    let (flat, nested) = (flat.unwrap(), nested.unwrap());
    let bits = |value: &Value| value.data.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&flat[0].1), bits(&nested[0].1));
    assert_eq!(nested[1].1.data, [0.1]);
    assert_eq!(nested[3].1.data, [0.0]);
}

#[test]
fn what_does_not_fit_is_named() {
    let errors = given(json!({
        "m": {"shape": [4], "data": [1, 2, 3, 4]},
        "rate": true,
        "steps": 256,
        "n": 1,
    }));
    assert_eq!(
        errors.unwrap_err(),
        [
            "`f` has no parameter `n`",
            "`m` has \"shape\" [4]; its type has [2,2]",
            "`rate` cannot hold true as `f64`",
            "`steps` cannot hold 256 as `u8`",
        ]
    );
    let errors = given(json!({"m": [[1, 2], [3]]}));
    assert_eq!(errors.unwrap_err(), ["`m` needs a list of 2 where [3] stands"]);
}
