; The names of captures are those of Zed. A later pattern wins.

(identifier) @variable
(type_path (identifier) @type)
((identifier) @type
  (#match? @type "^[A-Z][A-Za-z0-9]*[a-z]"))
((identifier) @constant
  (#match? @constant "^[A-Z][A-Z0-9_]+$"))
((identifier) @type.builtin
  (#any-of? @type.builtin
    "i8" "i16" "i32" "i64" "u8" "u16" "u32" "u64" "f16" "bf16" "f32" "f64" "bool" "char" "string" "void"
    "Tensor" "Vec" "HashMap" "BTreeMap" "Option" "Result" "StringBuilder"))
(self_type) @type.builtin

(function name: (identifier) @function)
(function_signature name: (identifier) @function)
(struct name: (identifier) @type)
(enum name: (identifier) @enum)
(trait name: (identifier) @type.interface)
(newtype name: (identifier) @type)
(type_alias name: (identifier) @type)
(constant name: (identifier) @constant)
(constant_statement name: (identifier) @constant)
(const_parameter name: (identifier) @constant)
(field name: (identifier) @property)
(variant name: (identifier) @variant)
(parameter name: (identifier) @variable.parameter)
(parameter label: (identifier) @label)
(closure_parameter name: (identifier) @variable.parameter)
(dimension axis: (identifier) @label)
(dimension extent: (identifier) @constant)

(field_expression field: (identifier) @property)
(field_value name: (identifier) @property)
(field_pattern name: (identifier) @property)
(argument label: (identifier) @variable.parameter)
(call_expression function: (path (identifier) @function))
(call_expression function: (path (qualified_path (identifier) @function .)))
(method_call name: (identifier) @function.method)
((identifier) @constant.builtin
  (#any-of? @constant.builtin "Some" "None" "Ok" "Err"))
(variant_pattern path: (path (identifier) @variant))
(variant_pattern path: (path (qualified_path (identifier) @variant .)))
(path_pattern (qualified_path (identifier) @variant .))
(self) @variable.special
(self_parameter "self" @variable.special)
(label name: (identifier) @label)
(label_reference (identifier) @label)
(lifetime) @lifetime

(attribute_argument label: (identifier) @property)
(aliased_expression alias: (identifier) @property)
(integer) @number
(float) @number
(boolean) @boolean
(character) @string
(string) @string
(string_text) @string
(escape) @string.escape
(format) @string.special
[(line_comment) (block_comment)] @comment
(doc_comment) @comment.doc

[
  "func" "val" "mut" "const" "if" "else" "while" "for" "in" "loop" "break" "continue" "return" "match" "struct" "enum"
  "impl" "trait" "type" "newtype" "import" "export" "module" "where" "as" "dyn" "move" "unsafe" "pool"
] @keyword
[
  "+" "-" "*" "/" "%" "@" "=" "+=" "-=" "*=" "/=" "%=" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "&" "|" "^" "~"
  "<<" ">>" "??" "?" ".." "..=" "|>" "->" "=>"
] @operator
(type_arguments ["<" ">"] @punctuation.bracket)
(generic_parameters ["<" ">"] @punctuation.bracket)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "::" "." ";"] @punctuation.delimiter
(hole ["{" "}" ":"] @punctuation.special)
(attribute "@" @attribute name: (identifier) @attribute)
(file_attribute "@" @attribute name: (identifier) @attribute)
