//! Tests of values of several parts: their graphs, and who owns which part when.

use expect_test::expect;

use super::{findings, graph};

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
                           ^^^^^^ E0501: use of partly moved value: `layer` | fix: move a copy: `.clone()`
        |     mut other = layer
                          ^^^^^ - `layer` is moved here
        |     layer.next = [0.0, 0.0]
              ^^^^^^^^^^ E0501: use of moved value: `layer`
        |     val one = pairs[0]
                        ^^^^^^^^ - `pairs[0]` is moved here
        |     val two = pairs[i]
                        ^^^^^^^^ E0501: use of partly moved value: `pairs` | fix: move a copy: `.clone()`
                        ^^^^^^^^ - `pairs` is moved here
        |     val three = pairs[1].sum()
                          ^^^^^^^^ E0501: use of moved value: `pairs[1]` | fix: move a copy: `.clone()`
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
                                             ^^^^^^^^^ E0504: cannot move out of `self.next`, which is only borrowed
        |     func both(&mut self, layers: &[Layer; 2]) -> f64 { keep(layers[0].weights) + keep(self.next) }
                                                                      ^^^^^^^^^^^^^^^^^ E0504: cannot move out of `layers[0].weights`, which is only borrowed
                                                                                                ^^^^^^^^^ E0504: cannot move out of `self.next`, which is only borrowed
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
