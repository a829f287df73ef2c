[
  (block)
  (fields)
  (variants)
  (members)
  (module_items)
  (import_list)
  (arms)
  (field_values)
  (parameters)
  (arguments)
  (array_expression)
  (attribute_arguments)
  (block_comment)
] @fold
(string) @fold
(doc_comment)+ @fold
(import)+ @fold
