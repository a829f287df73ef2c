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
] @indent

["}" ")" "]"] @outdent
