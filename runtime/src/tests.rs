//! Tests of memory and text in this process, of panics in a forked one.

use std::collections::HashMap;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::sync::Arc;

use neuro_num::{Align, DType, FormatKind, FormatSpec};

use crate::output::{self, PackedSpec};
use crate::text::{self, Text};
use crate::{
    PanicKind, Site, StaticSite, block, kernels, live_blocks, panics, pool, residuals, signals,
};

#[test]
fn a_slot_keeps_its_buffer_and_goes_with_its_tensor() {
    let before = live_blocks();
    // SAFETY: every handle is live when it is used.
    unsafe {
        let tensor = block::block_new(24);
        assert!(block::gradient(tensor).is_none());
        let buffer = block::gradient_fill(tensor);
        assert_eq!(*block::gradient_place(tensor, 0, 0), buffer);
        block::gradient_clear(tensor);
        assert!(block::gradient(tensor).is_none());
        assert_eq!(block::gradient_fill(tensor), buffer, "the buffer is used again");
        let copy = block::block_clone(tensor);
        assert!(block::gradient(copy).is_none(), "a copy starts without a gradient");
        assert_eq!(live_blocks() - before, 3);
        block::block_drop(copy);
        block::block_drop(tensor);
    }
    assert_eq!(live_blocks(), before);
}

#[test]
fn pools_nest_and_siblings_share_memory() {
    let before = live_blocks();
    // SAFETY: every handle is live when it is used.
    unsafe {
        let outer = pool::pool_enter();
        let kept = block::block_new_in_pool(outer, 8);
        block::elements(kept).cast::<u64>().write(7);
        let mut addresses = Vec::new();
        for _ in 0..2 {
            let inner = pool::pool_enter();
            let value = block::block_new_in_pool(inner, 1 << 20);
            addresses.push(value);
            // A value of the outer pool, made while the inner one is open, outlives the inner one.
            let late = block::block_new_in_pool(outer, 8);
            block::block_drop(value);
            pool::pool_exit(inner);
            block::elements(late).cast::<u64>().write(1);
            block::block_drop(late);
        }
        assert_eq!(addresses[0], addresses[1]);
        let escaped = block::block_to_heap(kept);
        assert_ne!(escaped, kept);
        pool::pool_exit(outer);
        assert_eq!(block::elements(escaped).cast::<u64>().read(), 7);
        block::block_drop(escaped);
    }
    assert_eq!(live_blocks(), before);
}

#[test]
fn residuals_are_reused_once_everything_above_is_released() {
    let before = live_blocks();
    let first = residuals::residuals_new(100);
    let second = residuals::residuals_new(1 << 20);
    residuals::residuals_drop(first);
    let third = residuals::residuals_new(8);
    assert_ne!(third, first, "the second block still lies above the first");
    residuals::residuals_drop(second);
    residuals::residuals_drop(third);
    assert_eq!(residuals::residuals_new(100), first);
    residuals::residuals_drop(first);
    assert_eq!(live_blocks(), before);
}

#[test]
fn specs_survive_packing() {
    let spec = FormatSpec {
        align: Some(Align::Center),
        plus: true,
        zero: false,
        width: Some(u32::MAX),
        precision: Some(0),
        kind: Some(FormatKind::UpperHex),
    };
    assert_eq!(PackedSpec::pack(&spec).unpack(), spec);
    assert_eq!(PackedSpec::pack(&FormatSpec::default()).unpack(), FormatSpec::default());
}

#[test]
fn holes_print_as_the_language_says() {
    let spec = |spec: FormatSpec| PackedSpec::pack(&spec);
    let ((), text) = output::capture(|| {
        let PackedSpec { flags, numbers } = spec(FormatSpec::default());
        output::print_scalar(output::dtype_number(DType::F32), 0x3fc0_0000, flags, numbers);
        output::print(b" ");
        output::print_char(u32::from('ü'), flags, numbers);
        let PackedSpec { flags, numbers } =
            spec(FormatSpec { width: Some(5), zero: true, ..FormatSpec::default() });
        output::print_scalar(output::dtype_number(DType::I8), 0xfe, flags, numbers);
        let PackedSpec { flags, numbers } =
            spec(FormatSpec { kind: Some(FormatKind::Debug), ..FormatSpec::default() });
        output::print_char(u32::from('\''), flags, numbers);
    });
    assert_eq!(String::from_utf8(text).as_deref(), Ok("1.5 ü-0002'\\''"));
}

/// What a place of a text holds.
fn shown(text: Text) -> String {
    // SAFETY: the text is live.
    let bytes = unsafe { text::bytes(text.start(), text.length()) };
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn texts_grow_and_go() {
    let before = live_blocks();
    let literal = text::constant("né");
    // SAFETY: the texts are live when they are used.
    unsafe {
        let first = literal.as_ptr().add(text::TEXT_HEADER).cast_mut();
        let mut place = Text::view(first, 3);
        text::text_drop(first);
        for _ in 0..100 {
            let pieces = [place, Text::view(first, 1)];
            text::text_append(text::NO_POOL, &mut place, pieces[1..].as_ptr(), 1);
        }
        assert_eq!(shown(place), format!("né{}", "n".repeat(100)));
        assert_eq!(live_blocks() - before, 1, "old memory is released");
        // A text is put at the end of itself, in its own room and in new room.
        for _ in 0..3 {
            let own = [place, place];
            text::text_append(text::NO_POOL, &mut place, own.as_ptr(), 2);
        }
        assert_eq!(place.length(), 103 * 27);
        let pool = pool::pool_enter();
        let mut inside = Text::view(std::ptr::null_mut(), 0);
        text::text_join(pool, &mut inside, [place].as_ptr(), 1);
        let in_pool = inside;
        text::text_to_heap(&mut inside);
        assert_ne!(inside.start(), in_pool.start());
        pool::pool_exit(pool);
        assert_eq!(shown(inside), shown(place));
        text::text_drop(inside.start());
        text::text_drop(place.start());
    }
    assert_eq!(live_blocks(), before);
}

#[test]
fn parts_of_texts_are_found() {
    let word = "naïve";
    let view = Text::view(word.as_ptr().cast_mut(), word.len() as u64);
    let part = |start, end, bits| {
        let mut to = view;
        // SAFETY: both places hold views.
        unsafe { text::text_slice(&view, &mut to, start, end, bits, 0, 0) };
        shown(to)
    };
    assert_eq!(part(0, 4, 0), "naï");
    assert_eq!(part(2, 4, text::SLICE_CHARACTERS | text::SLICE_INCLUSIVE), "ïve");
    assert_eq!(part(6, 6, 0), "");
    assert_eq!(part(5, 5, text::SLICE_CHARACTERS), "");
    for (range, bits, message) in [
        ((0, 3), 0, "panic: string slice splits a UTF-8 code point\n"),
        ((0, 7), 0, "panic: string slice out of bounds\n"),
        ((2, 1), 0, "panic: string slice out of bounds\n"),
        ((0, u64::MAX), text::SLICE_INCLUSIVE, "panic: string slice out of bounds\n"),
        ((0, 6), text::SLICE_CHARACTERS, "panic: string char slice out of bounds\n"),
        ((6, 6), text::SLICE_CHARACTERS, "panic: string char slice out of bounds\n"),
    ] {
        let (text, _) = forked(|| {
            panics::set_sites(HashMap::new());
            drop(part(range.0, range.1, bits));
        });
        assert_eq!(text, message);
    }
    let mut rest = view;
    let next = |rest: &mut Text| {
        // SAFETY: the place holds a view.
        char::from_u32(unsafe { text::text_next(rest) })
    };
    let all: Vec<char> = std::iter::from_fn(|| next(&mut rest)).collect();
    assert_eq!(String::from_iter(all), word);
}

#[test]
fn products_have_one_value_however_they_are_cut() {
    // Small and large, narrow and wide, with remainders in every direction, and nothing to contract.
    let extents = [(3, 2, 1), (5, 0, 7), (9, 70, 3), (13, 37, 41), (33, 65, 70)];
    let cases =
        extents.into_iter().flat_map(|extents| (0..4u32).map(move |layout| (extents, layout)));
    for ((rows, inner, columns), layout) in cases {
        let value = |at: usize| (at as f32 * 0.37).sin();
        let a: Vec<f32> = (0..rows * inner).map(value).collect();
        let b: Vec<f32> = (0..inner * columns).map(|at| value(at + 7)).collect();
        let mut c = vec![f32::NAN; rows * columns];
        let [r, i, k] = [rows, inner, columns].map(|extent| extent as u64);
        // SAFETY: the matrices have these extents.
        unsafe { kernels::product(c.as_mut_ptr(), a.as_ptr(), b.as_ptr(), [r, i, k], layout) };
        for (at, value) in c.iter().enumerate() {
            let (row, column) = (at / columns, at % columns);
            let sum = (0..inner).fold(0.0, |sum, at| {
                let left = if layout & 1 == 0 { row * inner + at } else { at * rows + row };
                let right =
                    if layout & 2 == 0 { at * columns + column } else { column * inner + at };
                sum + a[left] * b[right]
            });
            assert_eq!(
                value.to_bits(),
                f32::to_bits(sum),
                "{rows} {inner} {columns} {layout} {at}"
            );
        }
    }
}

/// What a forked process wrote to both streams, and how it ended.
fn forked(child: impl FnOnce()) -> (String, i32) {
    let mut ends = [0; 2];
    // SAFETY: the child touches nothing but its own copy, and never returns.
    unsafe {
        assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
        let process = libc::fork();
        if process == 0 {
            libc::dup2(ends[1], libc::STDOUT_FILENO);
            libc::dup2(ends[1], libc::STDERR_FILENO);
            child();
            libc::_exit(0);
        }
        libc::close(ends[1]);
        let mut text = String::new();
        std::fs::File::from_raw_fd(ends[0]).read_to_string(&mut text).expect("text");
        let mut status = 0;
        libc::waitpid(process, &mut status, 0);
        (text, libc::WTERMSIG(status))
    }
}

#[test]
fn a_panic_flushes_and_names_its_place() {
    let (text, signal) = forked(|| {
        let site = Site { file: Arc::from("a.nr"), line: 3, column: 9 };
        panics::set_sites(HashMap::from([(5, Arc::from([site]))]));
        output::print(b"before\n");
        // SAFETY: the table is set.
        unsafe { panics::panic(PanicKind::DivisionByZero as u32, 5, 0) };
    });
    assert_eq!((&*text, signal), ("before\npanic: division by zero at a.nr:3:9\n", libc::SIGABRT));
    let (text, _) = forked(|| {
        panics::set_sites(HashMap::new());
        output::begin_message();
        output::print(b"too bad");
        // SAFETY: a table is set.
        unsafe { panics::panic_message(1, 0) };
    });
    assert_eq!(text, "panic: too bad\n");
    let (text, _) = forked(|| {
        let file = "b.nr";
        let (file, file_length) = (file.as_ptr(), file.len() as u64);
        let sites = [1, 7].map(|line| StaticSite { file, file_length, line, column: 2 });
        // SAFETY: the array has two positions.
        unsafe { panics::panic(PanicKind::Overflow as u32, sites.as_ptr() as u64, 1) };
    });
    assert_eq!(text, "panic: integer overflow at b.nr:7:2\n");
}

#[test]
fn generated_code_finds_every_function_by_its_symbol() {
    use object::{Object, ObjectSymbol};
    let path = std::env::current_exe().expect("the path of this program");
    let file = std::fs::read(path).expect("this program");
    let file = object::File::parse(&*file).expect("a program");
    let known: HashMap<&str, u64> =
        file.symbols().filter_map(|symbol| Some((symbol.name().ok()?, symbol.address()))).collect();
    // Where the system put the program: the same for all.
    let base = |(name, address): &(&str, *const u8)| {
        let symbol = *known.get(name).unwrap_or_else(|| {
            panic!(
                "no function has #[unsafe(export_name = \"{name}\")]: executables cannot call it"
            )
        });
        (*address as u64).wrapping_sub(symbol)
    };
    let all = crate::symbols();
    for symbol in &all {
        assert_eq!(base(symbol), base(&all[0]), "`{}` is the name of another function", symbol.0);
    }
}

#[test]
fn a_stack_overflow_says_so() {
    fn deeper(depth: u64) -> u64 {
        let below = std::hint::black_box(depth) + 1;
        if below == 0 { below } else { std::hint::black_box(deeper(below)) + 1 }
    }
    let (text, signal) = forked(|| {
        signals::install();
        output::print(b"before\n");
        std::hint::black_box(deeper(0));
    });
    assert_eq!((&*text, signal), ("before\npanic: stack overflow\n", libc::SIGABRT));
    let (text, signal) = forked(|| {
        signals::install();
        // SAFETY: none: the fault is the point.
        unsafe { std::hint::black_box(16 as *const u8).read_volatile() };
    });
    assert_eq!((&*text, signal), ("internal error: invalid memory access\n", libc::SIGSEGV));
}
