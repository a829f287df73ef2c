; The names of captures are those of Neovim.

[
  (block)
  (fields)
  (variants)
  (members)
  (module_items)
  (import_list)
  (arms)
  (field_values)
  (struct_pattern)
  (parameters)
  (arguments)
  (attribute_arguments)
  (array_expression)
  (tuple_expression)
  (parenthesized_expression)
  (tuple_type)
  (type_list)
  (indexes)
] @indent.begin

["}" ")" "]"] @indent.branch
["}" ")" "]"] @indent.end
(where_clause) @indent.branch
[(line_comment) (doc_comment) (block_comment)] @indent.auto
(string) @indent.auto
