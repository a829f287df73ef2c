//! Trees of the constructs of the language.

use super::{checked, dump};
use expect_test::{Expect, expect};

/// The tree of a statement.
fn statement(text: &str, expected: Expect) {
    let root = checked(&format!("func f() {{\n{text}\n}}")).syntax_node();
    let tree = root.first_child().and_then(|func| func.last_child()).map(|block| dump(&block));
    expected.assert_eq(&tree.unwrap_or_default());
}

/// The tree of an expression as one line: nodes in parentheses, paths and literals as text.
fn shape(text: &str) -> String {
    fn go(node: &crate::SyntaxNode) -> String {
        use crate::SyntaxKind as K;
        match node.kind() {
            K::PATH_EXPR | K::LITERAL | K::PATH_TYPE | K::ARG_LIST | K::INDEX_LIST => {
                node.text().to_string()
            }
            kind => {
                let parts: Vec<String> = node
                    .children_with_tokens()
                    .filter(|child| !child.kind().is_trivia())
                    .map(|child| match child {
                        crate::NodeOrToken::Node(node) => go(&node),
                        crate::NodeOrToken::Token(token) => token.text().to_owned(),
                    })
                    .collect();
                let group = matches!(kind, K::BLOCK | K::EXPR_STMT | K::NAME | K::NAME_REF);
                if group { parts.join(" ") } else { format!("({})", parts.join(" ")) }
            }
        }
    }
    let root = checked(&format!("func f() {{\n{text}\n}}")).syntax_node();
    let block = root.first_child().and_then(|func| func.last_child());
    let statements = block.map(|block| block.children().map(|node| go(&node)).collect::<Vec<_>>());
    statements.unwrap_or_default().join("\n")
}

fn shapes(texts: &[&str], expected: Expect) {
    let lines: Vec<String> = texts
        .iter()
        .map(|text| format!("{text}  =>  {}", shape(text).replace('\n', " ; ")))
        .collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn a_function() {
    let text = "/// Doc.\n@grad(wrt: [w: self.w, b[..].c], order: 2)\nexport func f<T: A + B<C = i32>, const N: u32>(&mut self, at x: &[T], _ y: [u8; N]) -> (i32, T) where N > 1 { }";
    let root = checked(text).syntax_node();
    expect![[r#"
        SOURCE_FILE
          FUNC
            ATTR
              "@"
              NAME_REF
                "grad"
              ATTR_ARG_LIST
                "("
                ATTR_ARG
                  NAME_REF
                    "wrt"
                  ":"
                  ARRAY_EXPR
                    "["
                    ALIASED_EXPR
                      NAME
                        "w"
                      ":"
                      FIELD_EXPR
                        PATH_EXPR
                          PATH
                            PATH_SEGMENT
                              NAME_REF
                                "self"
                        "."
                        NAME_REF
                          "w"
                    ","
                    FIELD_EXPR
                      INDEX_EXPR
                        PATH_EXPR
                          PATH
                            PATH_SEGMENT
                              NAME_REF
                                "b"
                        INDEX_LIST
                          "["
                          RANGE_EXPR
                            ".."
                          "]"
                      "."
                      NAME_REF
                        "c"
                    "]"
                ","
                ATTR_ARG
                  NAME_REF
                    "order"
                  ":"
                  LITERAL
                    "2"
                ")"
            "export"
            "func"
            NAME
              "f"
            GENERIC_PARAM_LIST
              "<"
              TYPE_PARAM
                NAME
                  "T"
                ":"
                BOUND_LIST
                  BOUND
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "A"
                  "+"
                  BOUND
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "B"
                    "<"
                    ASSOC_BINDING
                      NAME_REF
                        "C"
                      "="
                      PATH_TYPE
                        PATH
                          PATH_SEGMENT
                            NAME_REF
                              "i32"
                    ">"
              ","
              CONST_PARAM
                "const"
                NAME
                  "N"
                ":"
                PATH_TYPE
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "u32"
              ">"
            PARAM_LIST
              "("
              SELF_PARAM
                "&"
                "mut"
                "self"
              ","
              PARAM
                PARAM_LABEL
                  "at"
                NAME
                  "x"
                ":"
                REF_TYPE
                  "&"
                  SLICE_TYPE
                    "["
                    PATH_TYPE
                      PATH
                        PATH_SEGMENT
                          NAME_REF
                            "T"
                    "]"
              ","
              PARAM
                PARAM_LABEL
                  "_"
                NAME
                  "y"
                ":"
                ARRAY_TYPE
                  "["
                  PATH_TYPE
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "u8"
                  ";"
                  NAME_REF
                    "N"
                  "]"
              ")"
            RET_TYPE
              "->"
              TUPLE_TYPE
                "("
                PATH_TYPE
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "i32"
                ","
                PATH_TYPE
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "T"
                ")"
            WHERE_CLAUSE
              "where"
              WHERE_PRED
                BIN_EXPR
                  PATH_EXPR
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "N"
                  ">"
                  LITERAL
                    "1"
            BLOCK
              "{"
              "}"
    "#]]
    .assert_eq(&dump(&root));
}

#[test]
fn types() {
    let text = "type A = Tensor<f32, [rows: N, 3, ?]>\ntype B = (Vec<[i32; 3]>, &'a mut dyn Step) -> a::S<-1, 'x'>\ntype C = (impl Step)\ntype D = &[Self::Item]";
    let root = checked(text).syntax_node();
    expect![[r#"
        SOURCE_FILE
          TYPE_ALIAS
            "type"
            NAME
              "A"
            "="
            PATH_TYPE
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "Tensor"
                  TYPE_ARG_LIST
                    "<"
                    PATH_TYPE
                      PATH
                        PATH_SEGMENT
                          NAME_REF
                            "f32"
                    ","
                    SHAPE_ARG
                      "["
                      DIM
                        NAME
                          "rows"
                        ":"
                        NAME_REF
                          "N"
                      ","
                      DIM
                        "3"
                      ","
                      DIM
                        "?"
                      "]"
                    ">"
          TYPE_ALIAS
            "type"
            NAME
              "B"
            "="
            FN_TYPE
              "("
              PATH_TYPE
                PATH
                  PATH_SEGMENT
                    NAME_REF
                      "Vec"
                    TYPE_ARG_LIST
                      "<"
                      ARRAY_TYPE
                        "["
                        PATH_TYPE
                          PATH
                            PATH_SEGMENT
                              NAME_REF
                                "i32"
                        ";"
                        "3"
                        "]"
                      ">"
              ","
              REF_TYPE
                "&"
                "'a"
                "mut"
                DYN_TYPE
                  "dyn"
                  BOUND
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "Step"
              ")"
              RET_TYPE
                "->"
                PATH_TYPE
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "a"
                    "::"
                    PATH_SEGMENT
                      NAME_REF
                        "S"
                      TYPE_ARG_LIST
                        "<"
                        CONST_ARG
                          "-"
                          LITERAL
                            "1"
                        ","
                        CONST_ARG
                          LITERAL
                            "'x'"
                        ">"
          TYPE_ALIAS
            "type"
            NAME
              "C"
            "="
            PAREN_TYPE
              "("
              IMPL_TYPE
                "impl"
                BOUND
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "Step"
              ")"
          TYPE_ALIAS
            "type"
            NAME
              "D"
            "="
            REF_TYPE
              "&"
              SLICE_TYPE
                "["
                PATH_TYPE
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "Self"
                    "::"
                    PATH_SEGMENT
                      NAME_REF
                        "Item"
                "]"
    "#]]
    .assert_eq(&dump(&root));
}

#[test]
fn bindings_and_assignments() {
    statement(
        "mut x: i32 = 1\nx += 2\nval (a, [_, ..b]) = c",
        expect![[r#"
        BLOCK
          "{"
          BIND_STMT
            "mut"
            IDENT_PAT
              NAME
                "x"
            ":"
            PATH_TYPE
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "i32"
            "="
            LITERAL
              "1"
          ASSIGN_STMT
            PATH_EXPR
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "x"
            "+="
            LITERAL
              "2"
          BIND_STMT
            "val"
            TUPLE_PAT
              "("
              IDENT_PAT
                NAME
                  "a"
              ","
              ARRAY_PAT
                "["
                WILDCARD_PAT
                  "_"
                ","
                REST_PAT
                  ".."
                  NAME
                    "b"
                "]"
              ")"
            "="
            PATH_EXPR
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "c"
          "}"
    "#]],
    );
}

#[test]
fn val_else() {
    statement(
        "val Some(x) = y else |_| { return }",
        expect![[r#"
        BLOCK
          "{"
          BIND_STMT
            "val"
            VARIANT_PAT
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "Some"
              "("
              IDENT_PAT
                NAME
                  "x"
              ")"
            "="
            PATH_EXPR
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "y"
            VAL_ELSE
              "else"
              "|"
              WILDCARD_PAT
                "_"
              "|"
              BLOCK
                "{"
                EXPR_STMT
                  RETURN_EXPR
                    "return"
                "}"
          "}"
    "#]],
    );
}

#[test]
fn a_string_with_holes() {
    statement(
        "val s = \"a\\n{x + 1:>+08.3e}b{f(y)}\"",
        expect![[r#"
        BLOCK
          "{"
          BIND_STMT
            "val"
            IDENT_PAT
              NAME
                "s"
            "="
            STRING_LIT
              "\""
              "a\\n"
              HOLE
                "{"
                BIN_EXPR
                  PATH_EXPR
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "x"
                  "+"
                  LITERAL
                    "1"
                ":"
                ">+08.3e"
                "}"
              "b"
              HOLE
                "{"
                CALL_EXPR
                  PATH_EXPR
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "f"
                  ARG_LIST
                    "("
                    ARG
                      PATH_EXPR
                        PATH
                          PATH_SEGMENT
                            NAME_REF
                              "y"
                    ")"
                "}"
              "\""
          "}"
    "#]],
    );
}

#[test]
fn a_match() {
    statement(
        "match x { -1 | 2..=3 if a => 1, E::A(n, _) => return\n P { a, b: c, .. } => { } }",
        expect![[r#"
            BLOCK
              "{"
              EXPR_STMT
                MATCH_EXPR
                  "match"
                  PATH_EXPR
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "x"
                  MATCH_ARM_LIST
                    "{"
                    MATCH_ARM
                      OR_PAT
                        LITERAL_PAT
                          "-"
                          LITERAL
                            "1"
                        "|"
                        RANGE_PAT
                          LITERAL_PAT
                            LITERAL
                              "2"
                          "..="
                          LITERAL_PAT
                            LITERAL
                              "3"
                      MATCH_GUARD
                        "if"
                        PATH_EXPR
                          PATH
                            PATH_SEGMENT
                              NAME_REF
                                "a"
                      "=>"
                      LITERAL
                        "1"
                    ","
                    MATCH_ARM
                      VARIANT_PAT
                        PATH
                          PATH_SEGMENT
                            NAME_REF
                              "E"
                          "::"
                          PATH_SEGMENT
                            NAME_REF
                              "A"
                        "("
                        IDENT_PAT
                          NAME
                            "n"
                        ","
                        WILDCARD_PAT
                          "_"
                        ")"
                      "=>"
                      RETURN_EXPR
                        "return"
                    MATCH_ARM
                      STRUCT_PAT
                        PATH
                          PATH_SEGMENT
                            NAME_REF
                              "P"
                        "{"
                        STRUCT_PAT_FIELD
                          NAME_REF
                            "a"
                        ","
                        STRUCT_PAT_FIELD
                          NAME_REF
                            "b"
                          ":"
                          IDENT_PAT
                            NAME
                              "c"
                        ","
                        REST_PAT
                          ".."
                        "}"
                      "=>"
                      BLOCK
                        "{"
                        "}"
                    "}"
              "}"
        "#]],
    );
}

#[test]
fn a_labelled_loop() {
    statement(
        "out: for (i, x) in (0..n).rev() { continue out }\nval v = l: loop { break l 3 }",
        expect![[r#"
            BLOCK
              "{"
              EXPR_STMT
                FOR_EXPR
                  LABEL
                    NAME
                      "out"
                    ":"
                  "for"
                  TUPLE_PAT
                    "("
                    IDENT_PAT
                      NAME
                        "i"
                    ","
                    IDENT_PAT
                      NAME
                        "x"
                    ")"
                  "in"
                  METHOD_CALL_EXPR
                    PAREN_EXPR
                      "("
                      RANGE_EXPR
                        LITERAL
                          "0"
                        ".."
                        PATH_EXPR
                          PATH
                            PATH_SEGMENT
                              NAME_REF
                                "n"
                      ")"
                    "."
                    NAME_REF
                      "rev"
                    ARG_LIST
                      "("
                      ")"
                  BLOCK
                    "{"
                    EXPR_STMT
                      CONTINUE_EXPR
                        "continue"
                        LABEL_REF
                          NAME_REF
                            "out"
                    "}"
              BIND_STMT
                "val"
                IDENT_PAT
                  NAME
                    "v"
                "="
                LOOP_EXPR
                  LABEL
                    NAME
                      "l"
                    ":"
                  "loop"
                  BLOCK
                    "{"
                    EXPR_STMT
                      BREAK_EXPR
                        "break"
                        LABEL_REF
                          NAME_REF
                            "l"
                        LITERAL
                          "3"
                    "}"
              "}"
        "#]],
    );
}

#[test]
fn a_turbofish_and_a_struct_literal() {
    statement(
        "P { a: Tensor::<f32, [2]>::zeros(), b, ..c }\nx.get::<i32>(at: 1)",
        expect![[r#"
        BLOCK
          "{"
          EXPR_STMT
            STRUCT_LIT
              PATH
                PATH_SEGMENT
                  NAME_REF
                    "P"
              STRUCT_LIT_FIELD_LIST
                "{"
                STRUCT_LIT_FIELD
                  NAME_REF
                    "a"
                  ":"
                  CALL_EXPR
                    PATH_EXPR
                      PATH
                        PATH_SEGMENT
                          NAME_REF
                            "Tensor"
                          "::"
                          TYPE_ARG_LIST
                            "<"
                            PATH_TYPE
                              PATH
                                PATH_SEGMENT
                                  NAME_REF
                                    "f32"
                            ","
                            SHAPE_ARG
                              "["
                              DIM
                                "2"
                              "]"
                            ">"
                        "::"
                        PATH_SEGMENT
                          NAME_REF
                            "zeros"
                    ARG_LIST
                      "("
                      ")"
                ","
                STRUCT_LIT_FIELD
                  NAME_REF
                    "b"
                ","
                STRUCT_BASE
                  ".."
                  PATH_EXPR
                    PATH
                      PATH_SEGMENT
                        NAME_REF
                          "c"
                "}"
          EXPR_STMT
            METHOD_CALL_EXPR
              PATH_EXPR
                PATH
                  PATH_SEGMENT
                    NAME_REF
                      "x"
              "."
              NAME_REF
                "get"
              "::"
              TYPE_ARG_LIST
                "<"
                PATH_TYPE
                  PATH
                    PATH_SEGMENT
                      NAME_REF
                        "i32"
                ">"
              ARG_LIST
                "("
                ARG
                  NAME_REF
                    "at"
                  ":"
                  LITERAL
                    "1"
                ")"
          "}"
    "#]],
    );
}

#[test]
fn precedence() {
    shapes(
        &[
            "a + b * c - d",
            "-a.b @ c as f32 * d",
            "a << b & c ^ d | e == f",
            "a == b && c || d",
            "a ?? b ?? c",
            "a..b + 1",
            "f >> g >> h",
            "x |> f |> g",
            "!a && -b < c",
            "&mut a.b[0]?.c(1)",
            "*p + 1",
            "a? ?? b",
            "a??",
            "a & &b",
            "a && &b",
            "x as u64 < n",
            "|a| a + 1",
            "- -x",
        ],
        expect![[r#"
            a + b * c - d  =>  ((a + (b * c)) - d)
            -a.b @ c as f32 * d  =>  (((- (a . b)) @ (c as f32)) * d)
            a << b & c ^ d | e == f  =>  (((((a << b) & c) ^ d) | e) == f)
            a == b && c || d  =>  (((a == b) && c) || d)
            a ?? b ?? c  =>  (a ?? (b ?? c))
            a..b + 1  =>  (a .. (b + 1))
            f >> g >> h  =>  ((f >> g) >> h)
            x |> f |> g  =>  ((x |> f) |> g)
            !a && -b < c  =>  ((! a) && ((- b) < c))
            &mut a.b[0]?.c(1)  =>  (& mut ((((a . b) [0]) ?) . c (1)))
            *p + 1  =>  ((* p) + 1)
            a? ?? b  =>  ((a ?) ?? b)
            a??  =>  ((a ?) ?)
            a & &b  =>  (a & (& b))
            a && &b  =>  (a && (& b))
            x as u64 < n  =>  ((x as u64) < n)
            |a| a + 1  =>  ((| (a) |) (a + 1))
            - -x  =>  (- (- x))
        "#]],
    );
}

#[test]
fn lines() {
    shapes(
        &[
            "a\n+ b",
            "a +\nb",
            "a\n- b",
            "a\n(b)",
            "a\n[b]",
            "a\n* b",
            "a\n& b",
            "a\n|> f",
            "a\n.b()",
            "a\n&& b",
            "(a\n- b)",
            "f(a\n, b)",
            "[a\n* b]",
            "return\na",
            "break\na",
            "if c { a }\n-b",
            "if c { a }\nelse { b }",
            "a\n@ b",
            "x = a\n== b",
            "a\n?? b",
        ],
        expect![[r#"
            a
            + b  =>  (a + b)
            a +
            b  =>  (a + b)
            a
            - b  =>  a ; (- b)
            a
            (b)  =>  a ; (( b ))
            a
            [b]  =>  a ; ([ b ])
            a
            * b  =>  a ; (* b)
            a
            & b  =>  a ; (& b)
            a
            |> f  =>  (a |> f)
            a
            .b()  =>  (a . b ())
            a
            && b  =>  (a && b)
            (a
            - b)  =>  (( (a - b) ))
            f(a
            , b)  =>  (f (a ; , b))
            [a
            * b]  =>  ([ (a * b) ])
            return
            a  =>  (return) ; a
            break
            a  =>  (break) ; a
            if c { a }
            -b  =>  (if c { a }) ; (- b)
            if c { a }
            else { b }  =>  (if c { a } else { b })
            a
            @ b  =>  a
            x = a
            == b  =>  (x = (a == b))
            a
            ?? b  =>  (a ?? b)
        "#]],
    );
}

#[test]
fn heads_hold_no_struct_literals() {
    shapes(
        &[
            "if a { b }",
            "if (P { x }).y { b }",
            "while f(P { x }) { }",
            "match a { }",
            "for x in a { }",
            "P { x }",
        ],
        expect![[r#"
            if a { b }  =>  (if a { b })
            if (P { x }).y { b }  =>  (if ((( (((P)) ({ (x) })) )) . y) { b })
            while f(P { x }) { }  =>  (while (f (P { x })) { })
            match a { }  =>  (match a ({ }))
            for x in a { }  =>  (for (x) in a { })
            P { x }  =>  (((P)) ({ (x) }))
        "#]],
    );
}
