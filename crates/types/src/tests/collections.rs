//! Text, collections and the methods of numbers: what is refused and where.

use expect_test::expect;

use super::check;

#[test]
fn text() {
    check(
        r#"
func a(s: string, r: &string, n: i32) {
    val a = s + n
    val b = s - r
    val c = s < *r
    val d = s == n
    val e = s.length()
    val f = s.slice(1)
    val g = s.slice(..2)
    val h = s.slice(0..true)
    val i: string = r
    val j = s.chars().len()
    println(n)
    println("{s:d} {n:?} {r:>8}")
    val k = 1..2
}
"#,
        expect![[r#"
            E0302: `+` does not exist between `string` and `i32`
                val a = s + n
                          ^
              note: text is joined with text: show the value in a hole, `"{x}"`
            E0302: `-` does not exist between `string` and `&string`
                val b = s - r
                          ^
            E0302: `<` does not exist on `string`
                val c = s < *r
                          ^
            E0302: `==` does not exist between `string` and `i32`
                val d = s == n
                          ^^
            E0304: `string` has no method `.length()`
                val e = s.length()
                          ^^^^^^
              note: did you mean `.len()`?
              fix: change to `len` => val e = s.len()
            E0301: `.slice(..)` takes a range, as in `1..3`; this is an integer literal
                val f = s.slice(1)
                                ^
            E0402: the range of `.slice(..)` has both ends
                val g = s.slice(..2)
                                ^^^
            E0301: a position is an integer; this is `bool`
                val h = s.slice(0..true)
                                   ^^^^
            E0301: expected `string`, found `&string`
                val i: string = r
                                ^
              at `string`: `string` is declared here
              note: what is only borrowed cannot be given away; clone it
              fix: clone it => val i: string = r.clone()
            E0304: `Chars` has no method `.len()`
                val j = s.chars().len()
                                  ^^^
              note: its methods are `.next()`
            E0301: `println` takes text, not `i32`
                println(n)
                        ^
              note: a value is printed in a hole: `println("{x}")`
              fix: show it in a hole => println("{n)
              fix: show it in a hole => println(n}")
            E0311: the formats `d`, `x`, `X`, `b` and `o` print integers, and this is `string`
                println("{s:d} {n:?} {r:>8}")
                          ^
            E0301: a range is no value
                val k = 1..2
                        ^^^^
              note: ranges stand in the head of a `for`, in an index, in a pattern, and in `.slice(..)`
        "#]],
    );
}

#[test]
fn collections() {
    check(
        r#"
func a(v: Vec<i32>, r: &Vec<i32>) {
    v.push(1)
    mut w: Vec<i32> = Vec::new()
    w.push(true)
    w.push(1, 2)
    w.puh(1)
    r.push(1)
    r.clear()
    val x: i32 = w.pop()
    val y = w.get("a")
    mut m: HashMap<string, i32> = HashMap::new()
    m.insert(1, 2)
    m.insert("a", "b")
    val z = m["a"]
    val n = m.get(1)
    val k: Vec<i32> = m.keys()
    val c = Vec::from(1)
    val d = Vec::len(w)
    val e: Vec<i32, i32> = Vec::new()
    val f = w == v
    mut b = StringBuilder::new()
    b.push_str(1)
}
"#,
        expect![[r#"
            E0301: argument `element` of `.push()`: expected `i32`, found `bool`
                w.push(true)
                       ^^^^
            E0303: `.push()` takes 1 argument, and this call gives 2
                w.push(1, 2)
                          ^
            E0304: `Vec<i32>` has no method `.puh()`
                w.puh(1)
                  ^^^
              note: did you mean `.push()`?
              fix: change to `push` => w.push(1)
            E0503: `r` is lent by `&`, and cannot be changed
                r.push(1)
                ^
              at `r`: the reference is declared here
              at `r`: here, too
              note: `.push()` changes what it is called on
              fix: take it by `&mut` => func a(v: Vec<i32>, r: &mut Vec<i32>) {
            E0301: expected `i32`, found `Option<i32>`
                val x: i32 = w.pop()
                             ^^^^^^^
              at `i32`: `i32` is declared here
            E0301: a position is an integer; this is `string`
                val y = w.get("a")
                              ^^^
            E0301: argument `key` of `.insert()`: expected `string`, found an integer literal
                m.insert(1, 2)
                         ^
            E0301: argument `value` of `.insert()`: expected `i32`, found `string`
                m.insert("a", "b")
                              ^^^
            E0302: tensors, arrays, slices and vectors have elements; this is `HashMap<string, i32>`
                val z = m["a"]
                        ^
              note: `.get(key)` gives what is under a key
            E0301: argument `key` of `.get()`: expected `string`, found an integer literal
                val n = m.get(1)
                              ^
            E0301: expected `Vec<i32>`, found `Vec<string>`
                val k: Vec<i32> = m.keys()
                                  ^^^^^^^^
              at `Vec<i32>`: `Vec<i32>` is declared here
            E0304: `Vec` has no function `from`
                val c = Vec::from(1)
                             ^^^^
              note: an empty one is `Vec::new()`
            E0304: `Vec` has no function `len`
                val d = Vec::len(w)
                             ^^^
              note: it is a method: `x.len(..)`
            E0313: `Vec` takes 1 type, that of its elements, as in `Vec<i32>`, and 2 are given
                val e: Vec<i32, i32> = Vec::new()
                       ^^^^^^^^^^^^^
            E0302: `==` does not exist on `Vec<i32>`
                val f = w == v
                          ^^
            E0301: `.push_str()` takes text, and this is an integer literal
                b.push_str(1)
                           ^
        "#]],
    );
}

#[test]
fn numbers() {
    check(
        r#"
func a(x: i32, f: f64, c: char, s: string) {
    val a = x.wrapping_add(1.0)
    val b = x.wraping_add(1)
    val d = x.shr(40)
    val e = f.to_checked::<f32>()
    val g = f.to_checked()
    val h = x.is_nan()
    val i = c as f64
    val j = s as i32
    val k = c + 1
    val l = 5 as char
    val m = x as string
}
"#,
        expect![[r#"
            E0301: argument `other` of `.wrapping_add()`: expected `i32`, found a float literal
                val a = x.wrapping_add(1.0)
                                       ^^^
            E0304: `i32` has no method `.wraping_add()`
                val b = x.wraping_add(1)
                          ^^^^^^^^^^^
              note: did you mean `.wrapping_add()`?
              fix: change to `wrapping_add` => val b = x.wrapping_add(1)
            E0305: `i32` is shifted by 0 to 31, not by 40
                val d = x.shr(40)
                              ^^
            E0301: `.to_checked` gives an integer, not `f32`
                val e = f.to_checked::<f32>()
                                       ^^^
            E0308: `.to_checked` needs the integer type: `x.to_checked::<i32>()`
                val g = f.to_checked()
                          ^^^^^^^^^^
            E0304: `i32` has no method `.is_nan()`
                val h = x.is_nan()
                          ^^^^^^
            E0309: `as` does not convert `char` to `f64`
                val i = c as f64
                          ^^
            E0309: `as` does not convert `string` to `i32`
                val j = s as i32
                          ^^
            E0302: `+` does not exist between `char` and an integer literal
                val k = c + 1
                          ^
            E0309: `as` does not convert `i32` to `string`
                val m = x as string
                          ^^
        "#]],
    );
}
