; Scopes.
(source_file) @local.scope
(module_items) @local.scope
(function) @local.scope
(function_signature) @local.scope
(struct) @local.scope
(enum) @local.scope
(trait) @local.scope
(impl) @local.scope
(block) @local.scope
(closure_expression) @local.scope
(arm) @local.scope
(for_loop) @local.scope

; What names are given to.
(function name: (identifier) @local.definition.function
  (#set! definition.function.scope "parent"))
(struct name: (identifier) @local.definition.type
  (#set! definition.type.scope "parent"))
(enum name: (identifier) @local.definition.type
  (#set! definition.type.scope "parent"))
(trait name: (identifier) @local.definition.type
  (#set! definition.type.scope "parent"))
(newtype name: (identifier) @local.definition.type)
(type_alias name: (identifier) @local.definition.type)
(constant name: (identifier) @local.definition.constant)
(constant_statement name: (identifier) @local.definition.constant)
(module name: (identifier) @local.definition.namespace)
(import path: (identifier) @local.definition.import .)
(import alias: (identifier) @local.definition.import)
(import_entry name: (identifier) @local.definition.import .)
(import_entry alias: (identifier) @local.definition.import)
(type_parameter name: (identifier) @local.definition.type)
(const_parameter name: (identifier) @local.definition.constant)
(parameter name: (identifier) @local.definition.parameter)
(self_parameter "self" @local.definition.parameter)
(closure_parameter name: (identifier) @local.definition.parameter)
(identifier_pattern (identifier) @local.definition.var)
(rest_pattern name: (identifier) @local.definition.var)
(field_pattern name: (identifier) @local.definition.var .)
(label name: (identifier) @local.definition)
(pool_statement name: (identifier) @local.definition)

; Uses.
(path (identifier) @local.reference)
(type_path (identifier) @local.reference)
(label_reference (identifier) @local.reference)
(self) @local.reference
