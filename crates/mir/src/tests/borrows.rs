//! Tests of borrows.

use expect_test::expect;

use super::{findings, fixed};

#[test]
fn a_borrow_ends_with_its_last_use() {
    let text = findings(
        "func f() -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &a
    val s = r.sum()
    a[0] = s
    val m = &mut a
    m += 1.0
    a.sum()
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn nothing_happens_to_a_place_that_is_borrowed() {
    expect![[r#"
        |     val r = &a
                      ^^ - `a` is borrowed here
                      ^^ - `a` is borrowed here
                      ^^ - `a` is borrowed here
                      ^^ - `a` is borrowed here
        |     a += 1.0
              ^ E0502: cannot change `a` while it is borrowed
        |     a[0] = 3.0
              ^ E0502: cannot change `a` while it is borrowed
        |     a = [0.0, 0.0]
              ^ E0502: cannot assign to `a` while it is borrowed
        |     val k = keep(a)
                           ^ E0502: cannot move `a` while it is borrowed | fix: move a copy: `.clone()`
        |     r.sum()
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
        |     val r = &mut a
                      ^^^^^^ - `a` is mutably borrowed here
        |     val s = a.sum()
                      ^ E0502: cannot use `a` while it is mutably borrowed
        |     r += 1.0
              ^^^^^^^^ - the borrow is used here
    "#]].assert_eq(&findings(
        "func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
func f() -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &a
    a += 1.0
    a[0] = 3.0
    a = [0.0, 0.0]
    val k = keep(a)
    r.sum()
}
func g() -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &mut a
    val s = a.sum()
    r += 1.0
    s
}
",
    ));
}

#[test]
fn the_arguments_of_one_call_exclude_each_other() {
    expect![[r#"
        |     mix(&mut x, &mut x)
                          ^^^^^^ E0502: cannot mutably borrow `x` while it is mutably borrowed
                  ^^^^^^ - `x` is mutably borrowed here
        |     look(&mut x, &x)
                           ^^ E0502: cannot borrow `x` while it is mutably borrowed
                   ^^^^^^ - `x` is mutably borrowed here
        |     mix(w, w)
                     ^ E0502: cannot mutably borrow `w` while it is mutably borrowed
                  ^ - `w` is mutably borrowed here
    "#]]
    .assert_eq(&findings(
        "func mix(a: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>) { a += 1.0 }
func look(a: &mut Tensor<f32, [2]>, b: &Tensor<f32, [2]>) { a += b }
func see(a: &Tensor<f32, [2]>, b: &Tensor<f32, [2]>) -> f32 { a.sum() + b.sum() }
func f(w: &mut Tensor<f32, [2]>) -> f32 {
    mut x: Tensor<f32, [2]> = [1.0, 2.0]
    mix(&mut x, &mut x)
    look(&mut x, &x)
    mix(w, w)
    look(&mut x, w)
    see(&x, &x) + see(w, w)
}
",
    ));
}

#[test]
fn a_mutable_borrow_needs_mut() {
    let text = "func bump(a: &mut Tensor<f32, [2]>) { a += 1.0 }
func f(x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>) {
    val a: Tensor<f32, [2]> = [1.0, 2.0]
    bump(&mut a)
    a.zero_grad()
    bump(&mut y)
    bump(&mut *x)
}
";
    expect![[r#"
        | func f(x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>) {
                    ^^^^^^^^^^^^^^^^^ - `x` is a shared reference
        |     val a: Tensor<f32, [2]> = [1.0, 2.0]
                  ^ - `a` is declared here
                  ^ - `a` is declared here
        |     bump(&mut a)
                        ^ E0503: `a` is not declared with `mut` and cannot be borrowed by `&mut` | fix: declare `a` with `mut`
        |     a.zero_grad()
              ^ E0503: `a` is not declared with `mut` and cannot be changed by `.zero_grad()` | fix: declare `a` with `mut`
        |     bump(&mut *x)
                        ^^ E0503: what `x` refers to is behind `&` and cannot be borrowed by `&mut` | fix: take `x` by `&mut`
    "#]].assert_eq(&findings(text));
}

#[test]
fn a_fix_makes_the_binding_mutable() {
    let text = "func bump(a: &mut Tensor<f32, [2]>) { a += 1.0 }
func f() {
    val a: Tensor<f32, [2]> = [1.0, 2.0]
    bump(&mut a)
}
";
    assert_eq!(findings(&fixed(text)), "");
}

#[test]
fn a_gradient_is_borrowed_while_it_is_read() {
    expect![[r#"
        |     val g = w.grad()
                      ^^^^^^^^ - the gradient of `w` is borrowed here
                      ^^^^^^^^ - the gradient of `w` is borrowed here
        |     w.zero_grad()
              ^ E0502: cannot empty the gradient of `w` while it is borrowed
        |     val l = loss(w)
                           ^ E0502: cannot mutably borrow `w` while its gradient is borrowed
        |     g.sum()
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f(w: &mut Tensor<f32, [2]>) -> f32 {
    val g = w.grad()
    w.zero_grad()
    val l = loss(w)
    l.backward()
    w -= 0.1 * w.grad()
    g.sum()
}
",
    ));
}

#[test]
fn differentiated_arguments_are_borrowed_until_the_backward() {
    expect![[r#"
        |     val l = loss(&mut w, &x)
                           ^^^^^^ - this call of `loss` borrows `w`, for its gradient
                           ^^^^^^ - this call of `loss` borrows `w`, for its gradient
        |     val s = w.sum()
                      ^ E0502: cannot use `w`, which is mutably borrowed until `l.backward()`
        |     w -= 0.5
              ^ E0502: cannot change `w`, which is mutably borrowed until `l.backward()`
        |     l.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
                ^^^^^^^^ - the borrow ends here, where the gradient is written
    "#]].assert_eq(&findings(
        "@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar((w * x).sum()) }
func f() -> f32 {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    mut x: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(&mut w, &x)
    val s = w.sum()
    x += 1.0
    w -= 0.5
    l.backward()
    w -= 0.5
    s
}
",
    ));
}

#[test]
fn a_call_without_backward_borrows_for_the_call() {
    let text = findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f() -> f32 {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(&mut w)
    w += 1.0
    val m = loss(&mut w)
    l.item() + m.item() + w.sum()
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn two_pairs_on_one_tensor_exclude_each_other() {
    expect![[r#"
        |     val l = loss(&mut w)
                           ^^^^^^ - this call of `loss` borrows `w`, for its gradient
        |     val m = loss(&mut w)
                           ^^^^^^ E0502: cannot mutably borrow `w`, which is mutably borrowed until `l.backward()`
        |     l.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
    "#]].assert_eq(&findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f() {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(&mut w)
    val m = loss(&mut w)
    l.backward()
    m.backward()
}
",
    ));
}

#[test]
fn a_reference_to_a_local_does_not_leave() {
    expect![[r#"
        |     val r = &t
                      ^^ - `t` is borrowed here
                      ^^ - `t` is borrowed here
        |     if t[0] > 0.5 { return first(x, r) }
                                     ^^^^^^^^^^^ E0505: cannot return a reference to `t`, which ends with `f` | note: return the tensor itself, which moves it to the caller
        |     r
              ^ E0505: cannot return a reference to `t`, which ends with `f` | note: return the tensor itself, which moves it to the caller
        | func g(x: Tensor<f32, [2]>) -> &Tensor<f32, [2]> { &x }
                                                             ^^ E0505: cannot return a reference to the parameter `x`, which ends with `g` | note: return the tensor itself, which moves it to the caller
        |         val inner: Tensor<f32, [2]> = [1.0, 2.0]
                      ^^^^^ - `inner` is declared here and ends with its block
        |         r = &inner
                      ^^^^^^ E0505: `inner` does not live long enough for this reference to it
        |     r.sum()
              ^^^^^^^ - the reference is used here
    "#]].assert_eq(&findings(
        "func first(a: &Tensor<f32, [2]>, b: &Tensor<f32, [2]>) -> &Tensor<f32, [2]> { a }
func f(x: &Tensor<f32, [2]>) -> &Tensor<f32, [2]> {
    val t: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &t
    if t[0] > 1.0 { return x }
    if t[0] > 0.5 { return first(x, r) }
    r
}
func g(x: Tensor<f32, [2]>) -> &Tensor<f32, [2]> { &x }
func h(n: i32) -> f32 {
    val outer: Tensor<f32, [2]> = [1.0, 2.0]
    mut r = &outer
    for i in 0..n {
        val inner: Tensor<f32, [2]> = [1.0, 2.0]
        r = &inner
    }
    r.sum()
}
",
    ));
}

#[test]
fn borrows_in_loops() {
    expect![[r#"
        |         a += 1.0
                  ^ E0502: cannot change `a` while it is borrowed
        |         s += r.sum()
                       ^^^^^^^ - the borrow is used here
        |         r = &a
                      ^^ - `a` is borrowed here
    "#]]
    .assert_eq(&findings(
        "func f(n: i32) -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val b: Tensor<f32, [2]> = [1.0, 2.0]
    mut r = &b
    mut s = 0.0f32
    for i in 0..n {
        a += 1.0
        s += r.sum()
        r = &a
    }
    s
}
",
    ));
}

#[test]
fn a_value_is_complete_before_its_target_is_written() {
    let text = findings(
        "func f(w: &mut Tensor<f32, [2]>) -> Tensor<f32, [2]> {
    mut p: Tensor<f32, [2]> = [1.0, 2.0]
    p = &p * 0.5
    p += &p
    p[0] = p[1]
    p[1] += p[0]
    w -= w.grad()
    w -= w.grad() * w
    p
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn an_assignment_is_refused_at_its_place() {
    expect![[r#"
        |     val r = &n
                      ^^ - `n` is borrowed here
                      ^^ - `n` is borrowed here
        |     n = 2
              ^ E0502: cannot assign to `n` while it is borrowed
        |     n = if c { 4 } else { 5 }
              ^ E0502: cannot assign to `n` while it is borrowed
        |     *r
              ^^ - the borrow is used here
              ^^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "func f(c: bool) -> i32 {
    mut n = 3
    val r = &n
    n = 2
    n = if c { 4 } else { 5 }
    *r
}",
    ));
}

#[test]
fn no_function_value_gets_out_of_its_call() {
    expect![[r#"
        | func packed(k: i32) -> S { S { f: |x: i32| x + k } }
                                            ^^^^^^^^^^^^^^ E0505: cannot return what this closure captured, which ends with `packed` | note: pass what is done with it instead: take a function as a parameter
        | func hidden(k: i32) -> impl A { S { f: |x: i32| x + k } }
                                                 ^^^^^^^^^^^^^^ E0505: cannot return what this closure captured, which ends with `hidden` | note: pass what is done with it instead: take a function as a parameter
        | func again(k: i32) -> impl A { around(|x: i32| x + k) }
                                                ^^^^^^^^^^^^^^ E0505: cannot return what this closure captured, which ends with `again` | note: pass what is done with it instead: take a function as a parameter
        | func chosen(k: i32) -> E { E::F(|x: i32| x + k) }
                                          ^^^^^^^^^^^^^^ E0505: cannot return what this closure captured, which ends with `chosen` | note: pass what is done with it instead: take a function as a parameter
        | func wrapped(k: i32) -> W { W(|x: i32| x + k) }
                                        ^^^^^^^^^^^^^^ E0505: cannot return what this closure captured, which ends with `wrapped` | note: pass what is done with it instead: take a function as a parameter
        | func stored(s: &mut S, k: i32) { s.f = |x: i32| x + k }
                                                 ^^^^^^^^^^^^^^ E0505: this closure ends with `stored`, and `s` keeps it
        | func replaced(s: &mut S, k: i32) { *s = S { f: |x: i32| x + k } }
                                                         ^^^^^^^^^^^^^^ E0505: this closure ends with `replaced`, and `s` keeps it
        | func element(s: &mut [(i32) -> i32], k: i32) { s[0] = |x: i32| x + k }
                                                                ^^^^^^^^^^^^^^ E0505: this closure ends with `element`, and `s` keeps it
        | func pushed(v: &mut Vec<(i32) -> i32>, k: i32) { v.push(|x: i32| x + k) }
                                                                  ^^^^^^^^^^^^^^ E0505: this closure ends with `pushed`, and `v` keeps it
        | func lent(s: &mut S, k: i32) { put(s, |x: i32| x + k) }
                                                ^^^^^^^^^^^^^^ E0505: this closure ends with `lent`, and `s` keeps it
    "#]]
    .assert_eq(&findings(
        "struct S { f: (i32) -> i32 }
enum E { F((i32) -> i32), N }
newtype W = (i32) -> i32
trait A { func a(&self) -> i32 }
impl A for S { func a(&self) -> i32 { (self.f)(1) } }
func packed(k: i32) -> S { S { f: |x: i32| x + k } }
func hidden(k: i32) -> impl A { S { f: |x: i32| x + k } }
func again(k: i32) -> impl A { around(|x: i32| x + k) }
func chosen(k: i32) -> E { E::F(|x: i32| x + k) }
func wrapped(k: i32) -> W { W(|x: i32| x + k) }
func stored(s: &mut S, k: i32) { s.f = |x: i32| x + k }
func replaced(s: &mut S, k: i32) { *s = S { f: |x: i32| x + k } }
func element(s: &mut [(i32) -> i32], k: i32) { s[0] = |x: i32| x + k }
func pushed(v: &mut Vec<(i32) -> i32>, k: i32) { v.push(|x: i32| x + k) }
func lent(s: &mut S, k: i32) { put(s, |x: i32| x + k) }
func put(s: &mut S, f: (i32) -> i32) { s.f = f }
func around(f: (i32) -> i32) -> impl A { S { f } }
func plain() -> S { S { f: |x: i32| x + 1 } }
func kept(k: i32) -> i32 {
    mut s = S { f: |x: i32| x + k }
    s.f = |x: i32| x - k
    mut v: Vec<(i32) -> i32> = Vec::new()
    v.push(s.f)
    put(&mut s, v[0])
    val r = &s
    val e = E::F(|x: i32| x * k)
    val first = v[0]
    first((r.f)(2))
}
func passed(s: &mut S, v: &mut Vec<i32>) -> i32 {
    v.push((s.f)(1))
    s.a()
}
",
    ));
}

#[test]
fn what_a_reference_leads_to_is_still_borrowed_by_a_reference_to_it() {
    expect![[r#"
        |     val w = &s
                      ^^ - `s` is borrowed here
        |     s = "c" + "d"
              ^ E0502: cannot assign to `s` while it is borrowed
        |     println(*r)
                      ^^ - the borrow is used here
        |     val w = View { t: &s, n: 1 }
                                ^^ - `s` is borrowed here
        |     s = "c" + "d"
              ^ E0502: cannot assign to `s` while it is borrowed
        |     println(r)
                      ^ - the borrow is used here
        |     val c = C { at: &mut n }
                              ^^^^^^ - `n` is mutably borrowed here
        |     n = 5
              ^ E0502: cannot assign to `n` while it is mutably borrowed
        |     println("{d.at}")
                        ^^^^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "struct View { t: &string, n: i32 }
impl View {
    func get(&self) -> &string { self.t }
    func size(&self) -> &i32 { &self.n }
}
struct C { at: &mut i32 }
func a() {
    mut s = \"a\" + \"b\"
    val w = &s
    val r = &w
    s = \"c\" + \"d\"
    println(*r)
}
func b() {
    mut s = \"a\" + \"b\"
    val w = View { t: &s, n: 1 }
    val r = w.get()
    s = \"c\" + \"d\"
    println(r)
}
func c() {
    mut n = 1
    val c = C { at: &mut n }
    val d = &c
    n = 5
    println(\"{d.at}\")
}
func d() {
    mut s = \"a\" + \"b\"
    val w = View { t: &s, n: 1 }
    println(w.get())
    s = \"c\" + \"d\"
    println(s)
}
",
    ));
}

#[test]
fn what_is_put_behind_a_reference_is_borrowed_by_what_it_leads_to() {
    expect![[r#"
        | impl Sink for Loud { func put(&mut self, s: &string) { self.all.push(s) } }
                                                                 ^^^^^^^^^^^^^^^^ E0505: `self` keeps what `s` refers to, which nobody sees who calls `put` by its trait
        |     func restart(&mut self) { self.it = self.text.chars() }
                                                  ^^^^^^^^^ E0505: `self.text` is lent for this call only, and `self` keeps this reference to it
        |     *a = &x
                   ^^ E0505: `x` ends with `end`, and `a` keeps this reference to it
        |         val s = "text {i}"
                      ^ - `s` is declared here and ends with its block
        |         put(&mut v, &s)
                              ^^ E0505: `s` does not live long enough for this reference to it
                      ^^^^^^ - the reference is used here
        |         val s = "a" + "b"
                      ^ - `s` is declared here and ends with its block
        |         *q = &s
                       ^^ E0505: `s` does not live long enough for this reference to it
        |     println(r)
                      ^ - the reference is used here
        |     h.me().r = &s
                         ^^ - `s` is borrowed here
        |     s = "e" + "f"
              ^ E0502: cannot assign to `s` while it is borrowed
        |     println(h.r)
                      ^^^ - the borrow is used here
        |         val t = "a" + "b"
                      ^ - `t` is declared here and ends with its block
        |         place(&mut o, &t)
                                ^^ E0505: `t` does not live long enough for this reference to it
        |     match o {
                    ^ - the reference is used here
        |     h.set(&s)
                    ^^ E0505: `s` ends with `f`, and `h` keeps this reference to it
        |     put_at(o, &s, true)
                        ^^ E0505: `s` ends with `g`, and `o` keeps this reference to it
    "#]]
    .assert_eq(&findings(
        "struct H { r: &string, n: i32 }
impl H {
    func me(&mut self) -> &mut H { self }
    func set(&mut self, r: &string) { self.r = r }
    func count(&mut self, r: &string) { self.n += r.len() as i32 }
}
struct Loud { all: Vec<&string> }
trait Sink { func put(&mut self, s: &string) }
impl Sink for Loud { func put(&mut self, s: &string) { self.all.push(s) } }
struct Silent { n: i32 }
impl Sink for Silent { func put(&mut self, s: &string) { self.n += 1 } }
struct Scanner { text: string, it: Chars, part: &string }
impl Scanner {
    func restart(&mut self) { self.it = self.text.chars() }
    func cut(&mut self) { self.part = self.part.slice(0..2) }
    func load(&mut self, t: string) { self.text = t }
}
func put(v: &mut Vec<&string>, s: &string) { v.push(s) }
func place<T>(o: &mut Option<T>, t: T) { *o = Some(t) }
func end(a: &mut &i32) {
    val x = 5
    *a = &x
}
func a() {
    mut v: Vec<&string> = Vec::new()
    for i in 0..3 {
        val s = \"text {i}\"
        put(&mut v, &s)
    }
    for t in &v { println(*t) }
}
func b() {
    val first = \"a\" + \"b\"
    mut r = &first
    {
        val s = \"a\" + \"b\"
        val q = &mut r
        *q = &s
    }
    println(r)
}
func c() {
    val first = \"a\" + \"b\"
    mut h = H { r: &first, n: 0 }
    mut s = \"c\" + \"d\"
    h.me().r = &s
    s = \"e\" + \"f\"
    println(h.r)
}
func d() {
    mut o: Option<&string> = None
    {
        val t = \"a\" + \"b\"
        place(&mut o, &t)
    }
    match o {
        Some(t) => println(t),
        None => println(\"none\"),
    }
}
func e(out: &mut dyn Sink, h: &mut H) {
    for i in 0..3 {
        val s = \"text {i}\"
        out.put(&s)
        h.count(&s)
    }
}
func f(h: &mut H) {
    val s = \"a\" + \"b\"
    h.set(&s)
}
func g(o: &mut Option<&string>) {
    val s = \"a\" + \"b\"
    put_at(o, &s, true)
}
func put_at(o: &mut Option<&string>, s: &string, on: bool) {
    if on {
        place(o, s)
    }
}
",
    ));
}

#[test]
fn a_hole_that_uses_a_borrow_is_marked_itself() {
    expect![[r#"
        |     val r = &n
                      ^^ - `n` is borrowed here
        |     n = 2
              ^ E0502: cannot assign to `n` while it is borrowed
        |     println("one {n} two {r} three")
                                    ^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "func f() {
    mut n = 1
    val r = &n
    n = 2
    println(\"one {n} two {r} three\")
}
",
    ));
}
