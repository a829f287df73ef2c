//! Calls, labels, references at calls, methods.

use expect_test::expect;

use super::{accept, check, check_types};

#[test]
fn arguments_by_position_and_label() {
    accept(
        "func f(a: i32, to b: f32, _ c: bool) -> i32 { a }\nfunc g() -> i32 {\n    f(1, true, to: 2.0)\n}\nfunc h(a: i32, b: f32) -> i32 { h(b: 1.0, a: 2) }\n",
    );
}

#[test]
fn wrong_arguments() {
    check(
        "func f(a: i32, to b: f32) -> i32 { a }\nfunc p(_ a: i32) -> i32 { a }\nfunc g() -> i32 {\n    f(1)\n    f(1, 2.0)\n    f(1, to: 2.0, 3)\n    f(1, ot: 2.0)\n    f(1, b: 2.0)\n    f(a: 1, a: 2, to: 3.0)\n    f(1, 2, 3)\n    p(a: 1)\n    f(true, to: 1)\n    val n = 3\n    n(4)\n    print(\"a\", \"b\")\n    f\n}\n",
        expect![[r#"
            E0303: this call of `f` lacks the argument `to: f32`
                f(1)
                ^
            E0303: `f` takes this argument with its label, `to:`
                f(1, 2.0)
                     ^^^
              fix: write the label => f(1, to: 2.0)
            E0303: an argument without a label cannot follow one with a label
                f(1, to: 2.0, 3)
                              ^
            E0303: `f` has no parameter `ot`
                f(1, ot: 2.0)
                     ^^
              note: did you mean `to`?
              fix: change to `to` => f(1, to: 2.0)
            E0303: `b` of `f` is passed with the label `to:`
                f(1, b: 2.0)
                     ^
            E0303: `a` is given twice in this call of `f`
                f(a: 1, a: 2, to: 3.0)
                        ^
            E0303: `f` takes this argument with its label, `to:`
                f(1, 2, 3)
                     ^
              fix: write the label => f(1, to: 2, 3)
            E0303: `a` of `p` is passed without a label
                p(a: 1)
                  ^
            E0301: argument `a` of `f`: expected `i32`, found `bool`
                f(true, to: 1)
                  ^^^^
              at `i32`: `a` is `i32`
            E0301: argument `b` of `f`: expected `f32`, found an integer literal
                f(true, to: 1)
                            ^
              at `f32`: `b` is `f32`
              note: an integer literal never becomes a float
              fix: write `1.0` => f(true, to: 1.0)
            E0301: expected a function, found `i32`
                n(4)
                ^
            E0303: `print` takes 1 argument, and this call gives 2
                print("a", "b")
                           ^^^
              note: values are shown in the holes of one text: `print("{x}")`
            E0301: expected `i32`, found `(i32, f32) -> i32`
                f
                ^
              at `i32`: `i32` is declared here
              note: `f` is a function; it is called with `(..)`
        "#]],
    );
}

#[test]
fn references_at_calls() {
    accept(
        "func read(x: &Tensor<f32, [2]>) -> f32 { x.sum() }\nfunc write(x: &mut Tensor<f32, [2]>) {\n    read(x)\n    write(x)\n    val n = read(x) + 1.0\n}\nfunc g() {\n    mut t: Tensor<f32, [2]> = [1.0, 2.0]\n    write(&mut t)\n    val n = read(&t)\n}\n",
    );
    check(
        "func read(x: &Tensor<f32, [2]>) -> f32 { x.sum() }\nfunc write(x: &mut Tensor<f32, [2]>) { }\nfunc take(x: Tensor<f32, [2]>) { }\nfunc number(x: f32) { }\nfunc g(r: &Tensor<f32, [2]>, x: &f32) {\n    mut t: Tensor<f32, [2]> = [1.0, 2.0]\n    read(t)\n    write(&t)\n    write(r)\n    take(r)\n    take(&t)\n    number(x)\n    number(t)\n    read(&(t + 1.0))\n    val shared: &Tensor<f32, [2]> = &mut t\n}\n",
        expect![[r#"
            E0301: argument `x` of `read`: expected `&Tensor<f32, [2]>`, found `Tensor<f32, [2]>`
                read(t)
                     ^
              at `&Tensor<f32, [2]>`: `x` is `&Tensor<f32, [2]>`
              fix: borrow it with `&` => read(&t)
            E0301: argument `x` of `write`: expected `&mut Tensor<f32, [2]>`, found `&Tensor<f32, [2]>`
                write(&t)
                      ^^
              at `&mut Tensor<f32, [2]>`: `x` is `&mut Tensor<f32, [2]>`
              fix: borrow it with `&mut` => write(&mut t)
            E0301: argument `x` of `write`: expected `&mut Tensor<f32, [2]>`, found `&Tensor<f32, [2]>`
                write(r)
                      ^
              at `&mut Tensor<f32, [2]>`: `x` is `&mut Tensor<f32, [2]>`
              note: a shared borrow cannot become a `&mut`
            E0301: argument `x` of `take`: expected `Tensor<f32, [2]>`, found `&Tensor<f32, [2]>`
                take(r)
                     ^
              at `Tensor<f32, [2]>`: `x` is `Tensor<f32, [2]>`
              note: what is only borrowed cannot be given away; clone it
              fix: clone it => take(r.clone())
            E0301: argument `x` of `take`: expected `Tensor<f32, [2]>`, found `&Tensor<f32, [2]>`
                take(&t)
                     ^^
              at `Tensor<f32, [2]>`: `x` is `Tensor<f32, [2]>`
              note: what is only borrowed cannot be given away; clone it
            E0301: argument `x` of `number`: expected `f32`, found `&f32`
                number(x)
                       ^
              at `f32`: `x` is `f32`
              fix: read through the reference => number(*x)
            E0301: argument `x` of `number`: expected `f32`, found `Tensor<f32, [2]>`
                number(t)
                       ^
              at `f32`: `x` is `f32`
            E0302: `&` borrows a place in memory, and this is a value that ends here; bind it first
                read(&(t + 1.0))
                     ^^^^^^^^^^
            E0301: expected `&Tensor<f32, [2]>`, found `&mut Tensor<f32, [2]>`
                val shared: &Tensor<f32, [2]> = &mut t
                                                ^^^^^^
              at `&Tensor<f32, [2]>`: `&Tensor<f32, [2]>` is declared here
        "#]],
    );
}

#[test]
fn methods_of_tensors_and_numbers() {
    check_types(
        "func f(t: Tensor<f64, [2, 3]>, r: &mut Tensor<f64, [2, 3]>, x: f32) {\n    val a = r.sum()\n    val b = r.mean()\n    val c = r.clone().t()\n    val d = t.exp().pow(2.0)\n    val e = x.tanh().pow(0.5)\n    val g = r.grad()\n    r.zero_grad()\n    val l = Tensor::scalar(a)\n    val i = l.item()\n    l.backward()\n}\n",
        expect![[r#"
            t: Tensor<f64, [2, 3]>
            r: &mut Tensor<f64, [2, 3]>
            x: f32
            { val a = r.sum() val b = r.mean() val c = r.clone().t() val d = t.exp().pow(2.0) val e = x.tanh().pow(0.5) val g = r.grad() r.zero_grad() val l = Tensor::scalar(a) val i = l.item() l.backward() }: void
            a: f64
            r.sum(): f64
            r: &mut Tensor<f64, [2, 3]>
            b: f64
            r.mean(): f64
            r: &mut Tensor<f64, [2, 3]>
            c: Tensor<f64, [3, 2]>
            r.clone().t(): Tensor<f64, [3, 2]>
            r.clone(): Tensor<f64, [2, 3]>
            r: &mut Tensor<f64, [2, 3]>
            d: Tensor<f64, [2, 3]>
            t.exp().pow(2.0): Tensor<f64, [2, 3]>
            t.exp(): Tensor<f64, [2, 3]>
            t: Tensor<f64, [2, 3]>
            2.0: f64 = 2.0
            e: f32
            x.tanh().pow(0.5): f32
            x.tanh(): f32
            x: f32
            0.5: f32 = 0.5
            g: &Tensor<f64, [2, 3]>
            r.grad(): &Tensor<f64, [2, 3]>
            r: &mut Tensor<f64, [2, 3]>
            r.zero_grad(): void
            r: &mut Tensor<f64, [2, 3]>
            l: Tensor<f64, []>
            Tensor::scalar(a): Tensor<f64, []>
            Tensor::scalar: _
            a: f64
            i: f64
            l.item(): f64
            l: Tensor<f64, []>
            l.backward(): void
            l: Tensor<f64, []>
        "#]],
    );
}

#[test]
fn methods_that_are_not_there() {
    check(
        "func f(t: Tensor<f32, [2, 3]>, r: &Tensor<f32, [2, 3]>, n: Tensor<i32, [3]>, x: i32, c: Tensor<f32, [3]>) {\n    r.t()\n    r.detach()\n    t.summ()\n    t.reshape([6])\n    t.sum(axis: 0)\n    t.item()\n    t.backward()\n    n.mean()\n    n.exp()\n    n.zero_grad()\n    x.sqrt()\n    (2).sqrt()\n    c.t()\n    (&t + 1.0).grad()\n    t.pow(2)\n    t.sum(1)\n    x.wrapping_add(1)\n}\n",
        expect![[r#"
            E0304: `&Tensor<f32, [2, 3]>` has no method `.t()`: it consumes the tensor, and this one is borrowed
                r.t()
                  ^
              note: clone it first
              fix: clone it first => r.clone().t()
            E0304: `&Tensor<f32, [2, 3]>` has no method `.detach()`: it consumes the tensor, and this one is borrowed
                r.detach()
                  ^^^^^^
              note: clone it first
              fix: clone it first => r.clone().detach()
            E0304: `Tensor<f32, [2, 3]>` has no method `.summ()`
                t.summ()
                  ^^^^
              note: did you mean `.sum()`?
              fix: change to `sum` => t.sum()
            E0401: `.item()` reads the element of a rank-0 tensor, and this is `Tensor<f32, [2, 3]>`
                t.item()
                  ^^^^
              note: read one element with `t[..]`, or reduce with `.sum()` or `.mean()`
            E0304: `.backward()` exists on the loss of a `@grad` call, a rank-0 tensor of floats; this is `Tensor<f32, [2, 3]>`
                t.backward()
                  ^^^^^^^^
            E0304: `.mean()` exists on tensors of floats, not on `Tensor<i32, [3]>`
                n.mean()
                  ^^^^
              note: convert the elements first: `t.map(|x| x as f64).mean()`
            E0304: `.exp()` exists on tensors of floats, not on `Tensor<i32, [3]>`
                n.exp()
                  ^^^
            E0304: only tensors of floats have gradients, and this is `Tensor<i32, [3]>`
                n.zero_grad()
                  ^^^^^^^^^
            E0304: `.sqrt()` exists on floats, not on `i32`
                x.sqrt()
                  ^^^^
            E0304: `.sqrt()` exists on floats, not on an integer literal
                (2).sqrt()
                    ^^^^
              note: an integer literal never becomes a float
              fix: write `2.0` => (2.0).sqrt()
            E0401: `.t()` transposes a matrix (rank 2), and `Tensor<f32, [3]>` has rank 1
                c.t()
                  ^
              note: a row is made of it by `.reshape([1, 3])`, a column by `.reshape([3, 1])`
            E0304: `.grad()` needs a tensor that lives on, and this value ends here
                (&t + 1.0).grad()
                 ^^^^^^^^
              note: a gradient is kept beside the tensor that was passed to the `@grad` function
            E0301: argument `exponent` of `pow`: expected `f32`, found an integer literal
                t.pow(2)
                      ^
              note: an integer literal never becomes a float
              fix: write `2.0` => t.pow(2.0)
            E0303: `.sum()` takes this argument with its label, `axis:`
                t.sum(1)
                      ^
              fix: write the label => t.sum(axis: 1)
            E0301: expected nothing, found `i32`
                x.wrapping_add(1)
                ^^^^^^^^^^^^^^^^^
              note: `f` declares no return type
              fix: declare that it returns `i32` => func f(t: Tensor<f32, [2, 3]>, r: &Tensor<f32, [2, 3]>, n: Tensor<i32, [3]>, x: i32, c: Tensor<f32, [3]>) -> i32 {
        "#]],
    );
}
