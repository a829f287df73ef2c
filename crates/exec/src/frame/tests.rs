//! Tests of frames.

use neuro_db::run::{GradientRun, RunEnd, Value};

use super::*;
use crate::{Event, FromWorker, RunId, Stream};

fn event(event: Event) -> FromWorker {
    FromWorker { run: RunId(7), event }
}

fn frames(messages: &[FromWorker]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        write_frame(&mut bytes, message).unwrap();
    }
    bytes
}

#[test]
fn messages_survive_any_cut_of_the_stream() {
    let messages = [
        event(Event::Output { stream: Stream::Stderr, text: "naïve\n\"∂\"".to_owned() }),
        event(Event::Started { versions: vec![("a.nr".to_owned(), -3)] }),
        event(Event::Finished(RunEnd::Aborted { signal: 6 })),
    ];
    let bytes = frames(&messages);
    for piece in 1..bytes.len() {
        let mut reader = FrameReader::default();
        let mut seen: Vec<FromWorker> = Vec::new();
        for chunk in bytes.chunks(piece) {
            reader.push(chunk);
            while let Some(message) = reader.next_message().unwrap() {
                seen.push(message);
            }
        }
        assert_eq!(seen, messages, "in pieces of {piece}");
        assert!(!reader.is_partial());
    }
}

#[test]
fn a_cut_frame_is_waited_for() {
    let bytes = frames(&[event(Event::Text("x".to_owned()))]);
    let mut reader = FrameReader::default();
    reader.push(&bytes[..bytes.len() - 1]);
    assert_eq!(reader.next_message::<FromWorker>().unwrap(), None);
    assert!(reader.is_partial());
}

#[test]
fn nonsense_is_an_error() {
    let mut reader = FrameReader::default();
    reader.push(b"hello, world");
    assert!(reader.next_message::<FromWorker>().is_err());
    let mut reader = FrameReader::default();
    reader.push(b"\x02\0\0\0{]");
    assert!(reader.next_message::<FromWorker>().is_err());
}

#[test]
fn every_float_arrives_as_it_was() {
    let data = vec![0.1, -0.0, f64::MIN_POSITIVE, 5e-324, 1e300, f64::INFINITY, f64::NEG_INFINITY];
    let value = Value { shape: vec![7], dtype: "f64".to_owned(), data: data.clone() };
    let sent = GradientRun {
        function: "f".to_owned(),
        inputs: vec![("x".to_owned(), value)],
        value: f64::NAN,
        gradients: Vec::new(),
        time_us: 0.3,
        compile_us: 12.0,
        workspace_bytes: 8,
    };
    let mut reader = FrameReader::default();
    reader.push(&frames(&[event(Event::Gradient(sent))]));
    let Some(FromWorker { event: Event::Gradient(run), .. }) = reader.next_message().unwrap()
    else {
        panic!("no gradient came back");
    };
    let bits = |floats: &[f64]| floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&run.inputs[0].1.data), bits(&data));
    assert!(run.value.is_nan());
}
