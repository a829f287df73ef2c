; The names of captures are those of Helix. A later pattern wins, as in Helix 25.07 and later.

(identifier) @variable

; Names of types, by where they stand and by their spelling.
(type_path (identifier) @type)
((identifier) @type
  (#match? @type "^[A-Z][A-Za-z0-9]*[a-z]"))
((identifier) @constant
  (#match? @constant "^[A-Z][A-Z0-9_]+$"))
(self_type) @type.builtin
((identifier) @type.builtin
  (#any-of? @type.builtin
    "i8" "i16" "i32" "i64" "u8" "u16" "u32" "u64" "f16" "bf16" "f32" "f64" "bool" "char" "string" "void"
    "Tensor" "Vec" "HashMap" "BTreeMap" "Option" "Result" "StringBuilder"))

; Paths lead through modules and types to what they name.
(qualified_path (identifier) @namespace
  (#match? @namespace "^[a-z_]"))
(import path: (identifier) @namespace)
(import_entry name: (identifier) @variable)
(import_entry alias: (identifier) @variable)
(import alias: (identifier) @variable)
(module name: (identifier) @namespace)

; Declarations.
(function name: (identifier) @function)
(function_signature name: (identifier) @function)
(members (function name: (identifier) @function.method))
(members (function_signature name: (identifier) @function.method))
(struct name: (identifier) @type)
(enum name: (identifier) @type)
(trait name: (identifier) @type)
(newtype name: (identifier) @type)
(type_alias name: (identifier) @type)
(associated_type name: (identifier) @type)
(type_parameter name: (identifier) @type)
(const_parameter name: (identifier) @constant)
(constant name: (identifier) @constant)
(constant_statement name: (identifier) @constant)
(field name: (identifier) @variable.other.member)
(variant name: (identifier) @type.enum.variant)
(parameter name: (identifier) @variable.parameter)
(parameter label: (identifier) @label)
(closure_parameter name: (identifier) @variable.parameter)
(dimension axis: (identifier) @label)
(dimension extent: (identifier) @constant)
(where_bound name: (identifier) @type)
(associated_binding name: (identifier) @type)

; Uses.
(field_expression field: (identifier) @variable.other.member)
(field_value name: (identifier) @variable.other.member)
(field_pattern name: (identifier) @variable.other.member)
(argument label: (identifier) @variable.parameter)
(call_expression function: (path (identifier) @function))
(call_expression function: (path (qualified_path (identifier) @function .)))
(call_expression function: (path (qualified_path (identifier) @function . (type_arguments) .)))
(method_call name: (identifier) @function.method)
((call_expression function: (path (identifier) @function.builtin))
  (#any-of? @function.builtin "print" "println" "panic" "assert" "unreachable"))
((identifier) @constant.builtin
  (#any-of? @constant.builtin "Some" "None" "Ok" "Err"))
(variant_pattern path: (path (identifier) @type.enum.variant))
(variant_pattern path: (path (qualified_path (identifier) @type.enum.variant .)))
(path_pattern (qualified_path (identifier) @type.enum.variant .))
(self) @variable.builtin
(self_parameter "self" @variable.builtin)
(label name: (identifier) @label)
(label_reference (identifier) @label)
(lifetime) @label

; Attributes.
(attribute "@" @attribute name: (identifier) @attribute)
(file_attribute "@" @attribute name: (identifier) @attribute)
(attribute_argument label: (identifier) @variable.other.member)
(aliased_expression alias: (identifier) @variable.other.member)

; Literals.
(integer) @constant.numeric.integer
(float) @constant.numeric.float
(boolean) @constant.builtin.boolean
(character) @constant.character
(string) @string
(string_text) @string
(escape) @constant.character.escape
(hole ["{" "}"] @punctuation.special)
(hole ":" @punctuation.special)
(format) @string.special

; Comments.
(line_comment) @comment.line
(block_comment) @comment.block
(doc_comment) @comment.line.documentation

; Words.
"func" @keyword.function
["val" "mut" "const" "type" "newtype" "where" "in" "dyn" "move" "unsafe" "pool"] @keyword
["struct" "enum" "trait" "impl"] @keyword.storage.type
["module" "import"] @keyword.control.import
"export" @keyword.storage.modifier
["if" "else" "match"] @keyword.control.conditional
["for" "while" "loop" "break" "continue"] @keyword.control.repeat
"return" @keyword.control.return
"as" @keyword.operator

; Marks.
[
  "+" "-" "*" "/" "%" "@" "=" "+=" "-=" "*=" "/=" "%=" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "&" "|" "^" "~"
  "<<" ">>" "??" "?" ".." "..=" "|>" "->" "=>"
] @operator
(type_arguments ["<" ">"] @punctuation.bracket)
(generic_parameters ["<" ">"] @punctuation.bracket)
(associated_bindings ["<" ">"] @punctuation.bracket)
(closure_parameters "|" @punctuation.bracket)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "::" "." ";"] @punctuation.delimiter
(wildcard) @special
(hole ["{" "}"] @punctuation.special)
(attribute "@" @attribute)
(file_attribute "@" @attribute)
