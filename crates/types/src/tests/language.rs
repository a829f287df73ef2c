//! Programs of the whole language: what is accepted.

use super::accept;

/// Programs that use every construct, by what they are about.
pub(super) const PROGRAMS: &[(&str, &str)] = &[
    (
        "structs enums and patterns",
        r#"
struct Point { x: f64, y: f64 }
struct Pair<A, B> { first: A, second: B }
enum Shape { Dot, Circle(f64), Box { w: f64, h: f64 } }
enum Tree<T> { Leaf, Node(T, Vec<T>) }
newtype Meters = f64
type Grid = [[f64; 3]; 2]
func origin() -> Point { Point { x: 0.0, y: 0.0 } }
func moved(p: Point) -> Point {
    val q = Point { x: p.x + 1.0, ..p }
    val Point { x, y } = q
    Point { x, y }
}
func area(s: &Shape) -> f64 {
    match s {
        Shape::Dot => 0.0,
        Shape::Circle(r) => 3.14 * r * r,
        Shape::Box { w, h } => w * h
    }
}
func swap(p: Pair<i32, bool>) -> Pair<bool, i32> { Pair { first: p.second, second: p.first } }
func make() -> Pair<i64, [u8; 2]> { Pair { first: 3, second: [1, 2] } }
func tuples(t: (i32, (bool, char))) -> i32 {
    val (a, (b, _)) = t
    val [first, .., ] = [a, 2, 3]
    if b { a + first } else { t.0 }
}
func grid() -> Grid { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }
func long(m: Meters) -> f64 { m.0 + Meters(2.0).0 }
func leaf() -> Tree<i32> { Tree::Leaf }
func node(v: i32) -> Tree<i32> { Tree::Node(v, Vec::new()) }
func farther(a: Meters, b: Meters) -> bool { a < b && a != b }
"#,
    ),
    (
        "generics",
        r#"
struct Stack<T> { items: Vec<T> }
struct Matrix<const R: u32, const C: u32> { data: Tensor<f32, [R, C]> }
func id<T>(x: T) -> T { x }
func both<A, B>(a: A, b: B) -> (A, B) { (a, b) }
func first<const N: u32>(row: [f32; N]) -> f32
where N > 0
{
    row[0]
}
func forwarded<const M: u32>(row: [f32; M]) -> f32
where M > 0
{
    first(row)
}
func head<N>(v: &Tensor<f32, [N]>) -> f32
where N > 1
{
    v[0] + v[N - 1]
}
func product<A, B, C>(l: &Tensor<f32, [A, B]>, r: &Tensor<f32, [B, C]>) -> Tensor<f32, [A, C]> { l @ r }
func wrap<T>(x: T) -> Option<T> { Some(x) }
func nothing<T>() -> Option<T> { None }
func use_all(m: Matrix<2, 3>, t: &Tensor<f32, [2, 3]>, u: &Tensor<f32, [3, 4]>) -> Tensor<f32, [2, 4]> {
    val a: i64 = id(5)
    val (b, c) = both(1u8, 'c')
    val d = first([1.0, 2.0, 3.0])
    val e = id::<f64>(2.0)
    val f: Option<u16> = wrap(3)
    val g: Option<bool> = nothing()
    val h = nothing::<char>()
    val s: Stack<string> = Stack { items: Vec::new() }
    val x = product(&m.data, u)
    product(t, u)
}
"#,
    ),
    (
        "closures and function values",
        r#"
func twice(n: i32, step: (i32) -> i32) -> i32 { step(step(n)) }
func inc(n: i32) -> i32 { n + 1 }
func apply<A, B>(x: A, f: (A) -> B) -> B { f(x) }
func show(n: i32) { println("{n}") }
func each(f: (i32) -> void) { f(1) }
func main() -> i32 {
    val k = 5
    val a = twice(1, |v: i32| v * k)
    val b = twice(a, inc)
    val c = twice(2, |v| v + b)
    val d = apply(2.5, |x| x > 1.0)
    val e = apply(3, |x| { val y = x + 1
        y * 2 })
    val f = inc >> inc >> inc
    val g = (|x: i32| -> i32 { if x > 0 { return 1 }
        0 })(4)
    each(show)
    each(|n| show(n))
    val h = b |> inc |> (|x| x + 1)
    f(h) + g + e
}
"#,
    ),
    (
        "failures loops and text",
        r#"
func find(v: &Vec<i32>, x: i32) -> Option<u64> {
    for (i, y) in v.enumerate() {
        if y == x { return Some(i) }
    }
    None
}
func sum(v: &Vec<i32>) -> Option<i32> {
    val a = v.get(0)?
    val b = v.get(1) ?? 0
    val Some(c) = v.get(2) else { return None }
    Some(a + b + c)
}
func parse(ok: bool) -> Result<i32, string> {
    if ok { Ok(1) } else { Err("no" + "pe") }
}
func chain() -> Result<bool, string> {
    val n = parse(true)?
    val Ok(m) = parse(false) else |e| { return Err(e) }
    Ok(n == m)
}
func loops(words: &[string], text: &string) -> u64 {
    mut total: u64 = 0
    val found = outer: loop {
        for w in words {
            if w.len() > 3 { break outer w.len() }
        }
        break 0
    }
    for (i, c) in text.char_indices() { total += i }
    for x in (0..10).rev().step(3).map(|i| i * 2).filter(|i| i > 4) { total += x as u64 }
    for (n, w) in words.enumerate() { total += n + w.len() }
    mut b = StringBuilder::new()
    b.push_str(text)
    b.push_str("{total:04d}")
    val s = b.to_string() + "x"
    val part = s.slice(0..2)
    if part == "ab" || s != *text { total } else { found + total }
}
func maps() -> bool {
    mut m: HashMap<string, i32> = HashMap::new()
    m.insert("a", 1)
    val k = "b"
    m.insert(k, 2)
    val n = m.get("a") ?? 0
    mut t: BTreeMap<i32, f64> = BTreeMap::new()
    t.insert(1, 2.0)
    for key in t.keys() { println("{key}") }
    m.contains_key(k) && m.remove("a") && n > 1
}
func numbers(x: i32, c: char) -> i32 {
    val a = x.wrapping_add(1).saturating_mul(3)
    val b = x.checked_add(1) ?? a
    val d = (2.5).to_checked::<i32>() ?? 0
    match c {
        'a'..='z' => 1,
        '0' | '1' => b,
        _ => (c as i32) + d.shr(1)
    }
}
"#,
    ),
    (
        "borrows slices and places",
        r#"
struct Inner { values: [i32; 4], name: string }
@derive(Copy)
struct Mark { at: i32, on: bool }
struct Outer { inner: Inner, list: Vec<Mark> }
func total(xs: &[i32]) -> i32 {
    mut sum = 0
    for x in xs { sum += x }
    sum
}
func fill(xs: &mut [i32], v: i32) { xs[0] = v }
func change(o: &mut Outer) -> i32 {
    o.inner.values[1] = 3
    o.inner.values[2] += total(&o.inner.values)
    fill(&mut o.inner.values, 7)
    o.list[0].at = 4
    o.inner.name = "new"
    val r = &o.inner.values[3]
    val whole: &[i32] = &o.inner.values
    val n = o.inner.values.slice(1..3)
    total(n) + total(whole) + *r + o.list.len() as i32
}
func locals() -> i32 {
    const N: u64 = 3
    val a: [i32; N] = [1, 2, 3]
    mut v: Vec<i32> = Vec::new()
    v.push(a[N - 1])
    v[0] = 4
    total(&v)
}
"#,
    ),
];

#[test]
fn programs_are_accepted() {
    for (_, program) in PROGRAMS {
        accept(program);
    }
}

#[test]
fn the_prelude_is_free_of_mistakes() {
    let db = neuro_db::RootDatabase::default();
    let found = super::all_diagnostics(&db, neuro_db::Db::prelude(&db));
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    assert!(messages.is_empty(), "{messages:#?}");
}
