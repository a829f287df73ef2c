(doc_comment) @annotation
(attribute) @annotation

(function "func" @context name: (identifier) @name parameters: (parameters) @context) @item
(function_signature "func" @context name: (identifier) @name parameters: (parameters) @context) @item
(struct "struct" @context name: (identifier) @name) @item
(field name: (identifier) @name) @item
(enum "enum" @context name: (identifier) @name) @item
(variant name: (identifier) @name) @item
(trait "trait" @context name: (identifier) @name) @item
(impl "impl" @context trait: (_)? @name "for"? @context type: (_) @name) @item
(constant "const" @context name: (identifier) @name) @item
(newtype "newtype" @context name: (identifier) @name) @item
(type_alias "type" @context name: (identifier) @name) @item
(module "module" @context name: (identifier) @name) @item
