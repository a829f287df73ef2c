; Scopes.
(function) @local.scope
(function_signature) @local.scope
(block) @local.scope
(closure_expression) @local.scope
(arm) @local.scope
(for_loop) @local.scope

; What names are given to.
(parameter name: (identifier) @local.definition.variable.parameter)
(closure_parameter name: (identifier) @local.definition.variable.parameter)
(const_parameter name: (identifier) @local.definition.constant)
(type_parameter name: (identifier) @local.definition.type.parameter)

; Uses.
(path (identifier) @local.reference)
(type_path (identifier) @local.reference)
