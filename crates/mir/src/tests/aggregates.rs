//! Tests of values of several parts: their graphs, and who owns which part when.

use expect_test::expect;

use neuro_db::RootDatabase;

use super::{findings, functions, graph};
use crate::{Instance, StatementKind, body, instance_body, print};

const LAYER: &str = "struct Layer { weights: Tensor<f64, [2]>, bias: f64, next: Tensor<f64, [2]> }
";

#[test]
fn parts_are_evaluated_before_the_whole_is_made() {
    let text = graph(&format!(
        "{LAYER}func build(w: Tensor<f64, [2]>, old: Layer) -> Layer {{
    Layer {{ bias: old.bias * 2.0, weights: w, ..old }}
}}
"
    ));
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: Tensor<f64, [2]> = w
          let _1: Layer = old
          let _2: Layer
          let _3: f64
          let _4: Tensor<f64, [2]>
        bb0:
          _3 = mul(_1.1, 2.0f64)
          _4 = move _0
          _2 = of (move _4, _3, move _1.2)
          drop _1 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_part_that_is_replaced_is_dropped_and_the_rest_stays() {
    let text = graph(&format!(
        "{LAYER}func refresh(layer: &mut Layer, w: Tensor<f64, [2]>) {{
    layer.weights = w
    layer.bias += 1.0
}}
"
    ));
    expect![[r#"
        fn(_0, _1)
          let _0: &mut Layer = layer
          let _1: Tensor<f64, [2]> = w
          let _2: Tensor<f64, [2]>
        bb0:
          _2 = move _1
          drop (*_0).0 (displaced)
          (*_0).0 = move _2
          (*_0).1 = add((*_0).1, 1.0f64)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn positions_are_checked_unless_they_are_known() {
    let text = graph(
        "func pick(table: &[[i32; 3]; 2], row: i32) -> i32 {
    table[row][2]
}
",
    );
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: &[[i32; 3]; 2] = table
          let _1: i32 = row
          let _2: i32
          let _3: u64
        bb0:
          _3 = cast to u64 (_1)
          bounds _3 < 2u64
          _2 = (*_0)[_3][2]
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn names_take_the_parts_and_the_statement_drops_the_others() {
    let text = graph(
        "func make() -> (Tensor<f64, [2]>, Tensor<f64, [2]>, i32) { ([1.0, 2.0], [3.0, 4.0], 5) }
func main() -> i32 {
    val (first, _, n) = make()
    n
}
",
    );
    expect![[r#"
        fn() -> _0
          let _0: i32
          let _1: (Tensor<f64, [2]>, Tensor<f64, [2]>, i32)
          let _2: Tensor<f64, [2]> = first
          let _3: i32 = n
        bb0:
          _1 = call make()
          _2 = move _1.0
          _3 = _1.2
          drop _1 (temporary)
          _0 = _3
          drop _2 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_method_borrows_its_receiver_when_its_arguments_are_known() {
    let text = graph(
        "struct Counter { n: i32 }
impl Counter {
    func read(&self) -> i32 { self.n }
    func add(&mut self, by: i32) { self.n += by }
}
func twice() -> i32 {
    mut counter = Counter { n: 1 }
    counter.add(counter.read())
    counter.n
}
",
    );
    expect![[r#"
        fn() -> _0
          let _0: i32
          let _1: Counter = counter
          let _2: i32
          let _3: &Counter
          let _4: &mut Counter
        bb0:
          _1 = of (1i32)
          _3 = &_1
          _2 = call read(_3)
          _4 = &mut _1
          call add(_4, _2)
          _0 = _1.0
          drop _1 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn moves_are_followed_by_their_paths() {
    let text = format!(
        "{LAYER}func keep(t: Tensor<f64, [2]>) -> f64 {{ t.sum() }}
func size(layer: &Layer) -> f64 {{ layer.bias }}
func main() -> i32 {{
    mut layer = Layer {{ weights: [1.0, 2.0], bias: 0.5, next: [3.0, 4.0] }}
    val a = keep(layer.weights)
    val b = keep(layer.next)
    val c = size(&layer)
    val d = keep(layer.weights)
    layer.weights = [5.0, 6.0]
    layer.next = [7.0, 8.0]
    val e = size(&layer)
    mut other = layer
    layer.next = [0.0, 0.0]
    val pairs = [other.weights, other.next]
    val one = pairs[0]
    val i = 1
    val two = pairs[i]
    val three = pairs[1].sum()
    0
}}
"
    );
    expect![[r#"
        |     val a = keep(layer.weights)
                           ^^^^^^^^^^^^^ - `layer.weights` is moved here
        |     val b = keep(layer.next)
                           ^^^^^^^^^^ - `layer.next` is moved here
        |     val c = size(&layer)
                            ^^^^^ E0501: use of partly moved value: `layer` without `layer.weights` | fix: move a copy: `.clone()`
        |     mut other = layer
                          ^^^^^ - `layer` is moved here
        |     layer.next = [0.0, 0.0]
              ^^^^^^^^^^ E0501: use of moved value: `layer`
        |     val one = pairs[0]
                        ^^^^^^^^ - `pairs[0]` is moved here
        |     val two = pairs[i]
                        ^^^^^^^^ E0501: use of partly moved value: `pairs` without `pairs[0]` | fix: move a copy: `.clone()`
                        ^^^^^^^^ - `pairs` is moved here
        |     val three = pairs[1].sum()
                          ^^^^^ E0501: use of moved value: `pairs` | fix: move a copy: `.clone()`
    "#]].assert_eq(&findings(&text));
}

#[test]
fn what_is_borrowed_keeps_its_parts() {
    let text = format!(
        "{LAYER}func keep(t: Tensor<f64, [2]>) -> f64 {{ t.sum() }}
impl Layer {{
    func first(&self) -> &Tensor<f64, [2]> {{ &self.weights }}
    func take(&self) -> f64 {{ keep(self.next) }}
    func both(&mut self, layers: &[Layer; 2]) -> f64 {{ keep(layers[0].weights) + keep(self.next) }}
}}
func main() -> i32 {{
    0
}}
"
    );
    expect![[r#"
        |     func take(&self) -> f64 { keep(self.next) }
                                             ^^^^^^^^^ E0504: cannot move out of `self.next`, which is only borrowed | fix: take a copy: `.clone()`
        |     func both(&mut self, layers: &[Layer; 2]) -> f64 { keep(layers[0].weights) + keep(self.next) }
                                                                      ^^^^^^^^^^^^^^^^^ E0504: cannot move out of `layers[0].weights`, which is only borrowed | fix: take a copy: `.clone()`
                                                                                                ^^^^^^^^^ E0504: cannot move out of `self.next`, which is only borrowed | fix: take a copy: `.clone()`
    "#]].assert_eq(&findings(&text));
}

#[test]
fn parts_are_borrowed_apart() {
    let text = "struct Pair { left: i32, right: i32 }
struct View { of: &Pair, n: i32 }
func swap(a: &mut i32, b: &mut i32) { *a = *b }
func main() -> i32 {
    mut pair = Pair { left: 1, right: 2 }
    swap(&mut pair.left, &mut pair.right)
    swap(&mut pair.left, &mut pair.left)
    val left = &mut pair.left
    pair.right = 5
    pair.left = 6
    *left = 7
    val view = View { of: &pair, n: 0 }
    pair.left = 8
    val n = view.of.left
    mut table = [1, 2, 3]
    val i = 1
    swap(&mut table[0], &mut table[1])
    swap(&mut table[0], &mut table[i])
    0
}
";
    expect![[r#"
        |     swap(&mut pair.left, &mut pair.left)
                                   ^^^^^^^^^^^^^^ E0502: cannot mutably borrow `pair.left` while it is mutably borrowed
                   ^^^^^^^^^^^^^^ - `pair.left` is mutably borrowed here
        |     val left = &mut pair.left
                         ^^^^^^^^^^^^^^ - `pair.left` is mutably borrowed here
        |     pair.left = 6
              ^^^^^^^^^ E0502: cannot assign to `pair.left` while it is mutably borrowed
        |     *left = 7
              ^^^^^^^^^ - the borrow is used here
        |     val view = View { of: &pair, n: 0 }
                                    ^^^^^ - `pair` is borrowed here
        |     pair.left = 8
              ^^^^^^^^^ E0502: cannot assign to `pair.left` while it is borrowed
        |     val n = view.of.left
                      ^^^^^^^^^^^^ - the borrow is used here
        |     swap(&mut table[0], &mut table[i])
                                  ^^^^^^^^^^^^^ E0502: cannot mutably borrow `table[..]` while it is mutably borrowed
                   ^^^^^^^^^^^^^ - `table[0]` is mutably borrowed here
    "#]].assert_eq(&findings(text));
}

#[test]
fn a_part_is_changed_only_where_the_whole_may_be() {
    let text = "struct Pair { left: i32, right: i32 }
func set(place: &mut i32) { *place = 1 }
func through(shared: &Pair, mine: &mut Pair, own: Pair) {
    set(&mut shared.left)
    set(&mut mine.left)
    set(&mut own.left)
    val fixed = Pair { left: 1, right: 2 }
    set(&mut fixed.right)
}
";
    expect![[r#"
        | func through(shared: &Pair, mine: &mut Pair, own: Pair) {
                               ^^^^^ - `shared` is a shared reference
        |     set(&mut shared.left)
                       ^^^^^^^^^^^ E0503: what `shared` refers to is behind `&` and cannot be borrowed by `&mut` | fix: take `shared` by `&mut`
        |     val fixed = Pair { left: 1, right: 2 }
                  ^^^^^ - `fixed` is declared here
        |     set(&mut fixed.right)
                       ^^^^^ E0503: `fixed` is not declared with `mut` and cannot be borrowed by `&mut` | fix: declare `fixed` with `mut`
    "#]].assert_eq(&findings(text));
}

#[test]
fn no_reference_to_a_part_outlives_the_whole() {
    let text = "struct Pair { left: i32, right: i32 }
struct View { of: &i32 }
func give(pair: Pair) -> &i32 { &pair.left }
func look() -> i32 {
    mut view: View = { val n = 1
        View { of: &n } }
    *view.of
}
";
    expect![[r#"
        | func give(pair: Pair) -> &i32 { &pair.left }
                                          ^^^^^^^^^^ E0505: cannot return a reference to the parameter `pair.left`, which ends with `give`
        |     mut view: View = { val n = 1
                                     ^ - `n` is declared here and ends with its block
        |         View { of: &n } }
                             ^^ E0505: `n` does not live long enough for this reference to it
        |     *view.of
              ^^^^^^^^ - the reference is used here
    "#]].assert_eq(&findings(text));
}

#[test]
fn pools_keep_what_is_in_aggregates() {
    let text = format!(
        "{LAYER}func main() -> i32 {{
    mut kept = Layer {{ weights: [1.0, 2.0], bias: 0.5, next: [3.0, 4.0] }}
    pool work {{
        val w: Tensor<f64, [2]> = [5.0, 6.0]
        val inside = Layer {{ weights: w, bias: 1.0, next: [7.0, 8.0] }}
        kept = inside
        kept.weights = [9.0, 9.0]
    }}
    0
}}
"
    );
    expect![[r#"
        |     pool work {
              ^^^^ - what it allocates is released at its closing brace
        |         kept = inside
                         ^^^^^^ E0520: `inside` was allocated by the pool `work` and outlives it here
    "#]].assert_eq(&findings(&text));
}

const WEIGHTS: &str =
    "enum Weights { Dense(Tensor<f64, [2]>), Scaled(f64, Tensor<f64, [2]>), Absent }
";

#[test]
fn a_pattern_is_tried_before_anything_is_taken() {
    let text = graph(&format!(
        "{WEIGHTS}func first(weights: Weights, limit: f64) -> f64 {{
    match weights {{
        Weights::Scaled(k, _) if k > limit => k,
        Weights::Dense(t) | Weights::Scaled(_, t) => t[0],
        Weights::Absent => 0.0,
    }}
}}
"
    ));
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: Weights = weights
          let _1: f64 = limit
          let _2: f64
          let _3: u32
          let _4: bool
          let _5: bool
          let _6: f64 = k
          let _7: bool
          let _8: u32
          let _9: bool
          let _10: bool
          let _11: u32
          let _12: bool
          let _13: u32
          let _14: bool
          let _15: Tensor<f64, [2]> = t
        bb0:
          _3 = tag _0
          _4 = eq(_3, 1u32)
          if _4 goto bb1 else bb2, join bb3
        bb1:
          _6 = _0.v1.0
          _7 = gt(_6, _1)
          _5 = _7
          goto bb3
        bb2:
          _5 = false
          goto bb3
        bb3:
          if _5 goto bb4 else bb5, join bb15
        bb4:
          _2 = _6
          goto bb15
        bb5:
          _8 = tag _0
          _9 = eq(_8, 0u32)
          if _9 goto bb6 else bb7, join bb8
        bb6:
          _10 = true
          goto bb8
        bb7:
          _11 = tag _0
          _12 = eq(_11, 1u32)
          _10 = _12
          goto bb8
        bb8:
          if _10 goto bb9 else bb10, join bb14
        bb9:
          _13 = tag _0
          _14 = eq(_13, 0u32)
          if _14 goto bb11 else bb12, join bb13
        bb10:
          _2 = 0.0f64
          goto bb14
        bb11:
          _15 = move _0.v0.0
          goto bb13
        bb12:
          _15 = move _0.v1.1
          goto bb13
        bb13:
          _2 = element(_15, 0i32)
          drop _15 (scope ends)
          goto bb14
        bb14:
          goto bb15
        bb15:
          drop _0 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_failure_leaves_with_what_it_holds() {
    let text = graph(
        "func parse(n: i32) -> Result<i32, f64> { Ok(n) }
func twice(n: i32) -> Result<i32, f64> { Ok(parse(n)? * 2) }
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: i32 = n
          let _1: Result<i32, f64>
          let _2: i32
          let _3: i32
          let _4: Result<i32, f64>
          let _5: u32
          let _6: bool
        bb0:
          _4 = call parse(_0)
          _5 = tag _4
          _6 = eq(_5, 0u32)
          if _6 goto bb1 else bb2
        bb1:
          _3 = _4.v0.0
          _2 = mul(_3, 2i32)
          _1 = variant 0 of (_2)
          return
        bb2:
          _1 = variant 1 of (_4.v1.0)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_a_pattern_takes_is_gone_from_what_was_matched() {
    let text = format!(
        "{WEIGHTS}func total(weights: &Weights) -> f64 {{
    match weights {{
        Weights::Dense(t) | Weights::Scaled(_, t) => t.sum(),
        Weights::Absent => 0.0,
    }}
}}
func main() -> i32 {{
    mut weights = Weights::Dense([1.0, 2.0])
    val sum = match weights {{
        Weights::Dense(t) => t.sum(),
        Weights::Scaled(k, _) => k,
        Weights::Absent => 0.0,
    }}
    val again = total(&weights)
    weights = Weights::Absent
    val tensor: Option<Tensor<f64, [2]>> = None
    val value = tensor ?? [0.0, 0.0]
    val more = tensor ?? [0.0, 0.0]
    val lent = total(&weights)
    0
}}
"
    );
    expect![[r#"
        |     val sum = match weights {
                              ^^^^^^^ - `weights` is moved here
        |     val again = total(&weights)
                                 ^^^^^^^ E0501: use of partly moved value: `weights`
        |     val value = tensor ?? [0.0, 0.0]
                          ^^^^^^ - `tensor` is moved here
        |     val more = tensor ?? [0.0, 0.0]
                         ^^^^^^ E0501: use of moved value: `tensor`
    "#]]
    .assert_eq(&findings(&text));
}

#[test]
fn what_a_pattern_lends_stays_borrowed() {
    let text = format!(
        "{WEIGHTS}func change(weights: &mut Weights) {{
    match weights {{
        Weights::Dense(t) => {{
            *weights = Weights::Absent
            val sum = t.sum()
        }}
        Weights::Scaled(_, t) => {{ t += 1.0 }}
        Weights::Absent => {{}}
    }}
}}
"
    );
    expect![[r#"
        |     match weights {
                    ^^^^^^^ - `weights` is mutably borrowed here
        |             *weights = Weights::Absent
                       ^^^^^^^ E0502: cannot assign to `weights` while it is mutably borrowed
        |             val sum = t.sum()
                                ^^^^^^^ - the borrow is used here
    "#]]
    .assert_eq(&findings(&text));
}

#[test]
fn the_elements_of_an_array_are_taken_or_lent() {
    let text = graph(
        "func total(all: [Tensor<f64, [2]>; 3], others: &[Tensor<f64, [2]>; 2]) -> f64 {
    mut sum = 0.0
    for t in all {
        sum += t.sum()
    }
    for t in others {
        sum += t.sum()
    }
    sum
}
",
    );
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: [Tensor<f64, [2]>; 3] = all
          let _1: &[Tensor<f64, [2]>; 2] = others
          let _2: f64
          let _3: f64 = sum
          let _4: [Tensor<f64, [2]>; 3]
          let _5: u64
          let _6: bool
          let _7: Tensor<f64, [2]> = t
          let _8: f64
          let _9: u64
          let _10: bool
          let _11: &Tensor<f64, [2]> = t
          let _12: f64
        bb0:
          _3 = 0.0f64
          _4 = move _0
          _5 = 0u64
          goto bb1
        bb1: loop, exit bb2
          _6 = lt(_5, 3u64)
          if _6 goto bb3 else bb2
        bb2:
          drop _4 (temporary)
          _9 = 0u64
          goto bb5
        bb3:
          _7 = move _4[_5]
          _8 = sum(_7)
          _3 = add(_3, _8)
          drop _7 (scope ends)
          goto bb4
        bb4:
          _5 = add(_5, 1u64)
          goto bb1
        bb5: loop, exit bb6
          _10 = lt(_9, 2u64)
          if _10 goto bb7 else bb6
        bb6:
          _2 = _3
          return
        bb7:
          _11 = &(*_1)[_9]
          _12 = sum(*_11)
          _3 = add(_3, _12)
          goto bb8
        bb8:
          _9 = add(_9, 1u64)
          goto bb5
    "#]]
    .assert_eq(&text);
}

const PAIR: &str = "struct Pair<A, B> { first: A, second: B }
impl<A, B> Pair<A, B> {
    func flipped(self) -> Pair<B, A> { Pair { first: self.second, second: self.first } }
}
";

#[test]
fn a_generic_body_is_made_for_each_use() {
    let text = format!(
        "{PAIR}func use_it(t: Tensor<f64, [2]>) -> i32 {{ Pair {{ first: t, second: 5 }}.flipped().first }}\n"
    );
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", &text);
    let functions = functions(&db, file);
    let generic = print(&db, body(&db, functions[0]));
    expect![[r#"
        fn(_0) -> _1
          let _0: Pair<A, B> = self
          let _1: Pair<B, A>
          let _2: B
          let _3: A
        bb0:
          _2 = move _0.1
          _3 = move _0.0
          _1 = of (move _2, move _3)
          drop _0 (scope ends)
          return
    "#]]
    .assert_eq(&generic);
    let caller = body(&db, functions[1]);
    let called = caller.blocks.values().flat_map(|block| &block.statements);
    let called = called.filter_map(|statement| match &statement.kind {
        StatementKind::Call { function, generics, .. } => {
            Some(Instance::new(&db, *function, generics.clone()))
        }
        _ => None,
    });
    let instances: Vec<Instance<'_>> = called.collect();
    let special = print(&db, instance_body(&db, instances[0]));
    expect![[r#"
        fn(_0) -> _1
          let _0: Pair<Tensor<f64, [2]>, i32> = self
          let _1: Pair<i32, Tensor<f64, [2]>>
          let _2: i32
          let _3: Tensor<f64, [2]>
        bb0:
          _2 = _0.1
          _3 = move _0.0
          _1 = of (_2, move _3)
          drop _0 (scope ends)
          return
    "#]]
    .assert_eq(&special);
}

#[test]
fn what_is_not_known_moves_unless_it_is_bounded() {
    let text = "func both<T>(item: T) -> (T, T) { (item, item) }
func twice<T: Copy>(item: T) -> (T, T) { (item, item) }
func main() -> i32 { 0 }
";
    expect![[r#"
        | func both<T>(item: T) -> (T, T) { (item, item) }
                                                   ^^^^ E0501: use of moved value: `item`
                                             ^^^^ - `item` is moved here
    "#]]
    .assert_eq(&findings(text));
}
