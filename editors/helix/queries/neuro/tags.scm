(function name: (identifier) @name) @definition.function
(members (function name: (identifier) @name) @definition.method)
(members (function_signature name: (identifier) @name) @definition.method)
(struct name: (identifier) @name) @definition.class
(enum name: (identifier) @name) @definition.class
(newtype name: (identifier) @name) @definition.class
(type_alias name: (identifier) @name) @definition.class
(trait name: (identifier) @name) @definition.interface
(module name: (identifier) @name) @definition.module
(constant name: (identifier) @name) @definition.constant

(call_expression function: (path (identifier) @name)) @reference.call
(call_expression function: (path (qualified_path (identifier) @name .))) @reference.call
(method_call name: (identifier) @name) @reference.call
(struct_literal type: (path (identifier) @name)) @reference.class
(impl trait: (type_path (identifier) @name)) @reference.implementation
