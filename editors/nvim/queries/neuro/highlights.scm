; The names of captures are those of Neovim and the tree-sitter command line. A later pattern wins.

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
(qualified_path (identifier) @module
  (#match? @module "^[a-z_]"))
(import path: (identifier) @module)
(import_entry name: (identifier) @variable)
(import_entry alias: (identifier) @variable)
(import alias: (identifier) @variable)
(module name: (identifier) @module)

; Declarations.
(function name: (identifier) @function)
(function_signature name: (identifier) @function)
(members (function name: (identifier) @function.method))
(members (function_signature name: (identifier) @function.method))
(struct name: (identifier) @type.definition)
(enum name: (identifier) @type.definition)
(trait name: (identifier) @type.definition)
(newtype name: (identifier) @type.definition)
(type_alias name: (identifier) @type.definition)
(associated_type name: (identifier) @type.definition)
(type_parameter name: (identifier) @type.definition)
(const_parameter name: (identifier) @constant)
(constant name: (identifier) @constant)
(constant_statement name: (identifier) @constant)
(field name: (identifier) @variable.member)
(variant name: (identifier) @constant)
(parameter name: (identifier) @variable.parameter)
(parameter label: (identifier) @label)
(closure_parameter name: (identifier) @variable.parameter)
(dimension axis: (identifier) @label)
(dimension extent: (identifier) @constant)
(where_bound name: (identifier) @type)
(associated_binding name: (identifier) @type)

; Uses.
(field_expression field: (identifier) @variable.member)
(field_value name: (identifier) @variable.member)
(field_pattern name: (identifier) @variable.member)
(argument label: (identifier) @variable.parameter)
(call_expression function: (path (identifier) @function.call))
(call_expression function: (path (qualified_path (identifier) @function.call .)))
(call_expression function: (path (qualified_path (identifier) @function.call . (type_arguments) .)))
(method_call name: (identifier) @function.method.call)
((call_expression function: (path (identifier) @function.builtin))
  (#any-of? @function.builtin "print" "println" "panic" "assert" "unreachable"))
((identifier) @constant.builtin
  (#any-of? @constant.builtin "Some" "None" "Ok" "Err"))
(variant_pattern path: (path (identifier) @constant))
(variant_pattern path: (path (qualified_path (identifier) @constant .)))
(path_pattern (qualified_path (identifier) @constant .))
(self) @variable.builtin
(self_parameter "self" @variable.builtin)
(label name: (identifier) @label)
(label_reference (identifier) @label)
(lifetime) @label

; Attributes.
(attribute "@" @attribute name: (identifier) @attribute)
(file_attribute "@" @attribute name: (identifier) @attribute)
(attribute_argument label: (identifier) @property)
(aliased_expression alias: (identifier) @property)

; Literals.
(integer) @number
(float) @number.float
(boolean) @boolean
(character) @character
(string) @string
(string_text) @string
(escape) @string.escape
(hole ["{" "}"] @punctuation.special)
(hole ":" @punctuation.special)
(format) @string.special

; Comments.
(line_comment) @comment @spell
(block_comment) @comment @spell
(doc_comment) @comment.documentation @spell

; Words.
"func" @keyword.function
["val" "mut" "const" "type" "newtype" "where" "in" "dyn" "move" "unsafe" "pool"] @keyword
["struct" "enum" "trait" "impl"] @keyword.type
["module" "import"] @keyword.import
"export" @keyword.modifier
["if" "else" "match"] @keyword.conditional
["for" "while" "loop" "break" "continue"] @keyword.repeat
"return" @keyword.return
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
(wildcard) @character.special
(hole ["{" "}"] @punctuation.special)
(attribute "@" @attribute)
(file_attribute "@" @attribute)
