/**
 * Neuro for editors.
 *
 * The reference is the parser of the compiler (`crates/syntax`); a test compares the two on every program
 * of the repository. `src/scanner.c` reads what depends on more than one character to come: where a
 * statement ends, numbers, strings with their holes, nested comments.
 *
 * Operators are in two layers, so that comparisons do not chain: `_tight` is everything that binds more
 * tightly than a comparison. In the head of an `if`, a loop or a `match`, `Name {` begins the block: rules
 * with `_head` in their name are the same expressions without struct literals. A block is an operand there where
 * one is missing otherwise, so behind `return` and `..` a brace begins the body.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const LEVEL = {
  pipe: 1,
  compose: 2,
  range: 3,
  coalesce: 4,
  or: 5,
  and: 6,
  compare: 7,
  bit_or: 8,
  bit_xor: 9,
  bit_and: 10,
  shift: 11,
  sum: 12,
  product: 13,
  matmul: 14,
  cast: 15,
  prefix: 16,
  postfix: 17,
  member: 18,
};

/** Operators that bind more tightly than a comparison. */
const TIGHT = [
  ['|', LEVEL.bit_or],
  ['^', LEVEL.bit_xor],
  ['&', LEVEL.bit_and],
  ['<<', LEVEL.shift],
  ['+', LEVEL.sum],
  ['-', LEVEL.sum],
  ['*', LEVEL.product],
  ['/', LEVEL.product],
  ['%', LEVEL.product],
  ['@', LEVEL.matmul],
];

/** Operators that bind less tightly than a comparison, `??` and ranges excepted. */
const LOOSE = [
  ['&&', LEVEL.and],
  ['||', LEVEL.or],
  ['>>', LEVEL.compose],
  ['|>', LEVEL.pipe],
];

const KEYWORDS = [
  'func', 'val', 'mut', 'const', 'if', 'else', 'while', 'for', 'in', 'loop', 'break', 'continue',
  'return', 'match', 'struct', 'enum', 'impl', 'trait', 'type', 'newtype', 'import', 'export', 'module',
  'self', 'Self', 'where', 'as', 'dyn', 'move', 'unsafe', 'pool', 'true', 'false',
];

/** Entries between commas, perhaps with one behind the last. */
const commas1 = (entry) => seq(entry, repeat(seq(',', entry)), optional(','));
const commas = (entry) => optional(commas1(entry));

/** Entries with at least one comma. */
const tuple = (entry) =>
  choice(seq(entry, ','), seq(entry, repeat1(seq(',', entry)), optional(',')));

/** Entries between commas or on lines of their own. */
const lines = ($, entry) =>
  optional(
    seq(entry, repeat(seq(choice(',', $._newline), entry)), optional(choice(',', $._newline))),
  );

/** The same, where the last entry may be another one. */
const lines_and_last = ($, entry, last) =>
  optional(
    seq(
      repeat(seq(entry, choice(',', $._newline))),
      choice(entry, last),
      optional(choice(',', $._newline)),
    ),
  );

/** What may have a value behind it and has none: in a head, a brace behind it begins the body. */
const without_value = (head, level, rule) =>
  head ? prec(LEVEL.member + 1, rule) : prec.right(level, rule);

/** The rules of expressions, once for everywhere and once for heads. */
function expressions(head) {
  const suffix = head ? '_head' : '';
  const own = ($, name) => (head ? alias($[`_${name}_head`], $[name]) : $[name]);
  const expr = ($) => $[`_expression${suffix}`];
  const tight = ($) => $[`_tight${suffix}`];
  const operand = ($) => $[`_operand${suffix}`];
  const rules = {
    expression: ($) =>
      choice(
        tight($),
        own($, 'comparison'),
        own($, 'logical_expression'),
        own($, 'range_expression'),
      ),

    tight: ($) =>
      choice(
        operand($),
        own($, 'binary_expression'),
        own($, 'cast_expression'),
        own($, 'prefix_expression'),
        own($, 'borrow_expression'),
        own($, 'closure_expression'),
        own($, 'return_expression'),
        own($, 'break_expression'),
        $.continue_expression,
      ),

    // What `.`, `(`, `[` and `?` may stand behind.
    operand: ($) =>
      choice(
        $._atom,
        ...(head ? [alias($._head_block, $.block)] : [$.block, $.struct_literal]),
        own($, 'call_expression'),
        own($, 'method_call'),
        own($, 'field_expression'),
        own($, 'index_expression'),
        own($, 'try_expression'),
      ),

    binary_expression: ($) =>
      choice(
        ...TIGHT.map(([operator, level]) =>
          prec.left(
            level,
            seq(field('left', tight($)), field('operator', operator), field('right', tight($))),
          ),
        ),
      ),

    comparison: ($) =>
      prec.left(
        LEVEL.compare,
        seq(
          field('left', tight($)),
          field('operator', choice('==', '!=', '<', '>', '<=', '>=')),
          field('right', tight($)),
        ),
      ),

    logical_expression: ($) =>
      choice(
        ...LOOSE.map(([operator, level]) =>
          prec.left(
            level,
            seq(field('left', expr($)), field('operator', operator), field('right', expr($))),
          ),
        ),
        prec.right(
          LEVEL.coalesce,
          seq(field('left', expr($)), field('operator', '??'), field('right', expr($))),
        ),
      ),

    range_expression: ($) => {
      const start = optional(field('start', expr($)));
      const operator = field('operator', choice('..', '..='));
      return choice(
        prec.right(LEVEL.range, seq(start, operator, field('end', expr($)))),
        prec.right(LEVEL.range, seq(start, without_value(head, LEVEL.range, operator))),
      );
    },

    cast_expression: ($) =>
      prec.left(LEVEL.cast, seq(field('value', tight($)), 'as', field('type', $._cast_type))),

    prefix_expression: ($) =>
      prec(
        LEVEL.prefix,
        seq(field('operator', choice('-', '!', '~', '*')), field('operand', tight($))),
      ),

    borrow_expression: ($) =>
      prec(LEVEL.prefix, seq('&', optional('mut'), field('operand', tight($)))),

    call_expression: ($) =>
      prec(LEVEL.postfix, seq(field('function', operand($)), field('arguments', $.arguments))),

    method_call: ($) =>
      prec(
        LEVEL.member,
        seq(
          field('receiver', operand($)),
          '.',
          field('name', $.identifier),
          optional(seq('::', field('type_arguments', $.type_arguments))),
          field('arguments', $.arguments),
        ),
      ),

    field_expression: ($) =>
      prec(
        LEVEL.postfix,
        seq(
          field('value', operand($)),
          '.',
          field('field', choice($.identifier, $.integer)),
        ),
      ),

    index_expression: ($) =>
      prec(LEVEL.postfix, seq(field('value', operand($)), field('indexes', $.indexes))),

    try_expression: ($) =>
      prec(
        LEVEL.postfix,
        seq(
          field('value', operand($)),
          choice('?', alias(head ? $._two_tries_head : $._two_tries, '??')),
        ),
      ),

    closure_expression: ($) =>
      prec.right(
        seq(
          optional('move'),
          field('parameters', $.closure_parameters),
          choice(
            seq('->', field('result', $._type), field('body', $.block)),
            field('body', expr($)),
          ),
        ),
      ),

    return_expression: ($) =>
      choice(
        prec.right(seq('return', field('value', expr($)))),
        without_value(head, 0, 'return'),
      ),

    break_expression: ($) => {
      const jump = ['break', optional(field('label', $.label_reference))];
      return choice(
        prec.right(seq(...jump, field('value', expr($)))),
        without_value(head, 0, seq(...jump)),
      );
    },
  };
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => {
      const hidden = head || ['expression', 'tight', 'operand'].includes(name);
      return [(hidden ? '_' : '') + name + suffix, rule];
    }),
  );
}

module.exports = grammar({
  name: 'neuro',

  word: ($) => $.identifier,

  externals: ($) => [
    // The end of a statement, of an arm and of an entry on a line of its own.
    $._newline,
    // The end of an item: a brace on the next line still belongs to it.
    $._item_end,
    // In front of the label of a loop; takes no text.
    $._label_ahead,
    // `??` behind which no operand follows: `?` twice.
    $._two_tries,
    $._two_tries_head,
    $.integer,
    $.float,
    $._string_open,
    $.string_text,
    $._string_close,
    $.format,
    $._comment_rest,
    // What begins like one of these and is malformed. In no rule, so it is an error wherever it stands.
    $._malformed,
    // In no rule: it is only asked for while the parser recovers from an error.
    $._recovering,
  ],

  extras: ($) => [/[ \t\r\n]/, $.line_comment, $.doc_comment, $.block_comment],

  reserved: { global: (_) => KEYWORDS },

  supertypes: ($) => [$._item, $._statement, $._expression, $._type, $._pattern],

  conflicts: ($) => [],

  rules: {
    source_file: ($) => seq(optional($.file_attribute), optional(items($, $._item))),

    line_comment: (_) => token(choice(/\/\/([^\/\n][^\n]*)?/, /\/\/\/\/[^\n]*/)),
    // Three slashes and no fourth.
    doc_comment: (_) => token(/\/\/\/([^\/\n][^\n]*)?/),
    block_comment: ($) => seq('/*', $._comment_rest),

    identifier: (_) => /\p{XID_Start}\p{XID_Continue}*|_\p{XID_Continue}+/,
    lifetime: (_) => /'[\p{XID_Start}_]\p{XID_Continue}*/,

    // Items.

    _item: ($) =>
      choice(
        $.function,
        $.struct,
        $.enum,
        $.trait,
        $.impl,
        $.constant,
        $.newtype,
        $.type_alias,
        $.import,
        $.module,
      ),

    // The same as an attribute, at the only place where one stands without an item.
    file_attribute: ($) => prec(1, seq('@', field('name', alias('no_prelude', $.identifier)))),

    attribute: ($) =>
      seq(
        '@',
        field('name', choice($.identifier, alias('no_prelude', $.identifier))),
        optional(field('arguments', $.attribute_arguments)),
      ),
    attribute_arguments: ($) => seq('(', commas($.attribute_argument), ')'),
    attribute_argument: ($) =>
      choice(
        field('name', $.identifier),
        seq(field('label', $.identifier), ':', field('value', $._expression)),
      ),

    _attributes: ($) => repeat1($.attribute),

    function: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        $._function_head,
        optional($.where_clause),
        field('body', $.block),
      ),
    // A member of a trait may end without a body.
    function_signature: ($) =>
      seq(
        optional($._attributes),
        $._function_head,
        optional(alias($._last_where_clause, $.where_clause)),
      ),
    _function_head: ($) =>
      seq(
        'func',
        field('name', $.identifier),
        optional(field('generics', $.generic_parameters)),
        field('parameters', $.parameters),
        optional(seq('->', field('result', $._type))),
      ),

    parameters: ($) => seq('(', commas(choice($.self_parameter, $.parameter)), ')'),
    self_parameter: ($) => seq(optional('&'), optional($.lifetime), optional('mut'), 'self'),
    parameter: ($) =>
      seq(
        optional(field('label', choice($.identifier, '_'))),
        field('name', $.identifier),
        ':',
        field('type', $._type),
      ),

    generic_parameters: ($) =>
      seq('<', commas1(choice($.type_parameter, $.const_parameter, $.lifetime)), '>'),
    type_parameter: ($) =>
      seq(field('name', $.identifier), optional(seq(':', field('bounds', $.bounds)))),
    const_parameter: ($) =>
      seq('const', field('name', $.identifier), ':', field('type', $._type)),
    bounds: ($) => seq($.bound, repeat(seq('+', $.bound))),
    bound: ($) => $.type_path,
    type_path_plain: ($) => seq($._path_start, repeat(seq('::', $._path_name))),
    associated_bindings: ($) => seq('<', commas1($.associated_binding), '>'),
    associated_binding: ($) => seq(field('name', $.identifier), '=', field('type', $._type)),
    // A brace behind a comma begins the body.
    where_clause: ($) => prec.left(seq('where', commas1($._where_predicate))),
    // At the end of a member without a body: a comma does not end it, another line goes on with it.
    _last_where_clause: ($) =>
      seq('where', $._where_predicate, repeat(seq(',', $._where_predicate))),
    _where_predicate: ($) =>
      choice(
        alias($._where_bound, $.where_bound),
        alias($._expression_head, $.where_condition),
      ),
    _where_bound: ($) => seq(field('name', $.identifier), ':', field('bounds', $.bounds)),

    struct: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        'struct',
        field('name', $.identifier),
        optional(field('generics', $.generic_parameters)),
        optional($.where_clause),
        field('body', $.fields),
      ),
    fields: ($) => seq('{', lines($, $.field), '}'),
    field: ($) =>
      seq(optional('export'), field('name', $.identifier), ':', field('type', $._type)),

    enum: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        'enum',
        field('name', $.identifier),
        optional(field('generics', $.generic_parameters)),
        optional($.where_clause),
        field('body', $.variants),
      ),
    variants: ($) => seq('{', lines($, $.variant), '}'),
    variant: ($) =>
      seq(field('name', $.identifier), optional(field('payload', choice($.payload, $.fields)))),
    payload: ($) => seq('(', commas($._type), ')'),

    trait: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        'trait',
        field('name', $.identifier),
        optional(field('generics', $.generic_parameters)),
        optional($.where_clause),
        field('body', alias($.trait_members, $.members)),
      ),
    trait_members: ($) =>
      seq('{', optional(items($, choice($.function, $.function_signature, $.associated_type))), '}'),

    impl: ($) =>
      seq(
        optional($._attributes),
        'impl',
        optional(field('generics', $.generic_parameters)),
        choice(
          seq(field('trait', $.type_path), 'for', field('type', $._type)),
          field('type', $._type),
        ),
        optional($.where_clause),
        field('body', $.members),
      ),
    members: ($) => seq('{', optional(items($, choice($.function, $.associated_type))), '}'),
    associated_type: ($) =>
      seq(
        optional($._attributes),
        'type',
        field('name', $.identifier),
        optional(seq('=', field('type', $._type))),
      ),

    constant: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        'const',
        field('name', $.identifier),
        ':',
        field('type', $._type),
        '=',
        field('value', $._expression),
      ),
    newtype: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        'newtype',
        field('name', $.identifier),
        '=',
        field('type', $._type),
      ),
    type_alias: ($) =>
      seq(
        optional($._attributes),
        'type',
        field('name', $.identifier),
        '=',
        field('type', $._type),
      ),
    module: ($) =>
      seq(
        optional($._attributes),
        'module',
        field('name', $.identifier),
        field('body', $.module_items),
      ),
    module_items: ($) => seq('{', optional(items($, $._item)), '}'),

    import: ($) =>
      seq(
        optional($._attributes),
        optional('export'),
        'import',
        optional(seq('.', '/')),
        field('path', $.identifier),
        repeat(seq('::', field('path', $.identifier))),
        optional(choice($._rename, seq('::', field('names', $.import_list)))),
      ),
    import_list: ($) => seq('{', lines($, $.import_entry), '}'),
    import_entry: ($) => seq(field('name', $.identifier), optional($._rename)),
    _rename: ($) => seq('as', field('alias', $.identifier)),

    // Types.

    _type: ($) => choice($._type_but_slice, $.slice_type),
    _type_but_slice: ($) =>
      choice(
        $.reference_type,
        $.array_type,
        $.tuple_type,
        $.function_type,
        $.parenthesized_type,
        $.dyn_type,
        $.impl_type,
        $.type_path,
      ),
    reference_type: ($) =>
      seq('&', optional($.lifetime), optional('mut'), field('type', $._type)),
    array_type: ($) =>
      seq(
        '[',
        field('element', $._type),
        ';',
        field('length', choice($.integer, $.identifier)),
        ']',
      ),
    slice_type: ($) => seq('[', field('element', $._type), ']'),
    parenthesized_type: ($) => seq('(', $._type, ')'),
    tuple_type: ($) => seq('(', tuple($._type), ')'),
    function_type: ($) =>
      prec.right(
        seq(field('parameters', $.type_list), '->', field('result', $._type)),
      ),
    type_list: ($) => seq('(', commas($._type), ')'),
    dyn_type: ($) => seq('dyn', $.bound),
    impl_type: ($) => seq('impl', $.bound),

    type_path: ($) =>
      prec.right(
        seq(
          $._path_start,
          repeat(
            choice(
              $.type_arguments,
              // Only in a bound.
              $.associated_bindings,
              seq('::', choice($._path_name, $.type_arguments)),
            ),
          ),
        ),
      ),
    _path_start: ($) => choice($.identifier, alias('Self', $.self_type)),
    _path_name: ($) => choice($.identifier, alias('Self', $.self_type), $.self),

    type_arguments: ($) => seq('<', commas1($._type_argument), '>'),
    _type_argument: ($) =>
      choice($._type_but_slice, $.shape, $.lifetime, $._literal, $.negative_literal),
    negative_literal: ($) => seq('-', choice($.integer, $.float)),
    shape: ($) => seq('[', commas($.dimension), ']'),
    dimension: ($) =>
      seq(
        optional(seq(field('axis', $.identifier), ':')),
        field('extent', choice($.integer, $.identifier, '?')),
      ),

    // A cast takes no type arguments behind a name: `<` compares.
    _cast_type: ($) =>
      choice(
        alias($.type_path_plain, $.type_path),
        $.reference_type,
        $.array_type,
        $.slice_type,
        $.tuple_type,
        $.function_type,
        $.parenthesized_type,
        $.dyn_type,
        $.impl_type,
      ),

    // Statements.

    block: ($) => statements($),
    // Less tight than what may end in front of it.
    _head_block: ($) => prec(-10, statements($)),
    _statement: ($) =>
      choice($.binding, $.assignment, $.pool_statement, $.expression_statement, $.constant_statement),
    constant_statement: ($) =>
      seq(
        'const',
        field('name', $.identifier),
        ':',
        field('type', $._type),
        '=',
        field('value', $._expression),
      ),
    expression_statement: ($) => $._expression,
    binding: ($) =>
      seq(
        choice('val', 'mut'),
        field('pattern', $._pattern),
        optional(seq(':', field('type', $._type))),
        '=',
        field('value', $._expression),
        optional(field('alternative', $.else_block)),
      ),
    else_block: ($) =>
      seq('else', optional(seq('|', choice($.identifier_pattern, $.wildcard), '|')), $.block),
    assignment: ($) =>
      seq(
        field('place', $._expression),
        field('operator', choice('=', '+=', '-=', '*=', '/=', '%=')),
        field('value', $._expression),
      ),
    pool_statement: ($) =>
      seq('pool', optional(field('name', $.identifier)), field('body', $.block)),

    // Patterns.

    _pattern: ($) =>
      choice(
        $.wildcard,
        $.identifier_pattern,
        $.tuple_pattern,
        $.array_pattern,
        $.literal_pattern,
        $.range_pattern,
        $.variant_pattern,
        $.struct_pattern,
        $.path_pattern,
      ),
    _patterns: ($) => choice($._pattern, $.or_pattern),
    or_pattern: ($) => seq($._pattern, repeat1(seq('|', $._pattern))),
    wildcard: (_) => '_',
    identifier_pattern: ($) => $.identifier,
    // An element of a tuple, an array or a variant, or the rest of them.
    _element_pattern: ($) => choice($._patterns, $.rest_pattern),
    tuple_pattern: ($) => seq('(', commas1($._element_pattern), ')'),
    array_pattern: ($) => seq('[', commas($._element_pattern), ']'),
    rest_pattern: ($) => seq('..', optional(field('name', $.identifier))),
    literal_pattern: ($) => choice($._literal, $.negative_literal, $.string),
    range_pattern: ($) =>
      seq(
        field('start', $.literal_pattern),
        choice('..', '..='),
        field('end', alias($._range_end, $.literal_pattern)),
      ),
    _range_end: ($) => choice($._literal, $.negative_literal),
    variant_pattern: ($) => seq(field('path', $.path), '(', commas($._element_pattern), ')'),
    struct_pattern: ($) =>
      seq(
        field('path', $.path),
        '{',
        lines_and_last($, $.field_pattern, $.rest_pattern),
        '}',
      ),
    field_pattern: ($) =>
      seq(field('name', $.identifier), optional(seq(':', field('pattern', $._patterns)))),
    path_pattern: ($) => $.qualified_path,

    // Paths of expressions: type arguments stand behind `::`.

    path: ($) => choice($._simple_path, $.qualified_path),
    _simple_path: ($) => choice($.identifier, alias('Self', $.self_type)),
    qualified_path: ($) =>
      prec.right(
        seq(
          choice($._path_start, $.self),
          repeat1(seq('::', choice($._path_name, $.type_arguments))),
        ),
      ),

    // Expressions.

    ...expressions(false),
    ...expressions(true),

    _atom: ($) =>
      choice(
        $._literal,
        $.string,
        $.path,
        $.self,
        $.parenthesized_expression,
        $.tuple_expression,
        $.array_expression,
        $.unsafe_block,
        $.if_expression,
        $.match_expression,
        $.while_loop,
        $.for_loop,
        $.loop,
      ),
    self: (_) => 'self',

    _literal: ($) => choice($.integer, $.float, $.character, $.boolean),
    boolean: (_) => choice('true', 'false'),
    character: (_) =>
      token(
        seq(
          "'",
          choice(
            /[^'\\\n]/,
            /\\[nrt0\\']/,
            /\\x[0-9a-fA-F]{2}/,
            /\\u\{0*([0-9a-fA-F]{1,3}|[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}|[1-9a-fA-F][0-9a-fA-F]{4}|10[0-9a-fA-F]{4})\}/,
          ),
          "'",
        ),
      ),

    string: ($) =>
      seq(
        field('open', alias($._string_open, '"')),
        repeat(choice($.string_text, $.escape, $.hole)),
        field('close', alias($._string_close, '"')),
      ),
    escape: (_) =>
      token.immediate(
        choice(
          /\\[nrt0\\"{}]/,
          /\\x[0-9a-fA-F]{2}/,
          /\\u\{0*([0-9a-fA-F]{1,3}|[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}|[1-9a-fA-F][0-9a-fA-F]{4}|10[0-9a-fA-F]{4})\}/,
        ),
      ),
    hole: ($) =>
      seq('{', field('value', $._expression), optional(seq(':', field('format', $.format))), '}'),

    parenthesized_expression: ($) => seq('(', $._expression, ')'),
    tuple_expression: ($) => seq('(', tuple($._expression), ')'),
    array_expression: ($) =>
      seq('[', commas(choice($._expression, $.aliased_expression)), ']'),
    // Only in the arguments of an attribute.
    aliased_expression: ($) => seq(field('alias', $.identifier), ':', $._expression),

    struct_literal: ($) =>
      prec(1, seq(field('type', choice($.path, $.self)), field('body', $.field_values))),
    field_values: ($) => seq('{', lines_and_last($, $.field_value, $.base_value), '}'),
    field_value: ($) =>
      seq(field('name', $.identifier), optional(seq(':', field('value', $._expression)))),
    base_value: ($) => seq('..', $._expression),

    arguments: ($) => seq('(', commas($.argument), ')'),
    argument: ($) =>
      seq(optional(seq(field('label', $.identifier), ':')), field('value', $._expression)),
    indexes: ($) => seq('[', commas($._expression), ']'),

    unsafe_block: ($) => seq('unsafe', $.block),

    if_expression: ($) =>
      prec.right(
        seq(
          'if',
          field('condition', $._expression_head),
          field('consequence', $.block),
          optional(seq('else', field('alternative', choice($.if_expression, $.block)))),
        ),
      ),

    match_expression: ($) =>
      seq('match', field('value', $._expression_head), field('body', $.arms)),
    arms: ($) => seq('{', lines($, $.arm), '}'),
    arm: ($) =>
      seq(
        field('pattern', $._patterns),
        optional(field('guard', $.guard)),
        '=>',
        field('body', $._expression),
      ),
    guard: ($) => seq('if', $._expression_head),

    label: ($) => seq($._label_ahead, field('name', $.identifier), ':'),
    label_reference: ($) => prec(-1, $.identifier),
    continue_expression: ($) =>
      prec.right(seq('continue', optional(field('label', $.label_reference)))),
    while_loop: ($) =>
      seq(
        optional($.label),
        'while',
        field('condition', $._expression_head),
        field('body', $.block),
      ),
    for_loop: ($) =>
      seq(
        optional($.label),
        'for',
        field('pattern', $._pattern),
        'in',
        field('values', $._expression_head),
        field('body', $.block),
      ),
    loop: ($) => seq(optional($.label), 'loop', field('body', $.block)),

    closure_parameters: ($) => choice('||', seq('|', commas($.closure_parameter), '|')),
    closure_parameter: ($) =>
      seq(
        field('name', choice($.identifier, $.wildcard)),
        optional(seq(':', field('type', $._type))),
      ),
  },
});

/** Items, each behind the end of the line of the one before. */
function items($, item) {
  return seq(item, repeat(seq($._item_end, item)), optional($._item_end));
}

/** Statements in braces. */
function statements($) {
  return seq(
    '{',
    optional(seq($._statement, repeat(seq($._newline, $._statement)), optional($._newline))),
    '}',
  );
}
