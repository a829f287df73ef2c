(function body: (_) @function.inside) @function.around
(closure_expression body: (_) @function.inside) @function.around

(struct body: (_) @class.inside) @class.around
(enum body: (_) @class.inside) @class.around
(trait body: (_) @class.inside) @class.around
(impl body: (_) @class.inside) @class.around

(parameters ((_) @parameter.inside . ","? @parameter.around) @parameter.around)
(arguments ((_) @parameter.inside . ","? @parameter.around) @parameter.around)
(closure_parameters ((_) @parameter.inside . ","? @parameter.around) @parameter.around)
(type_arguments ((_) @parameter.inside . ","? @parameter.around) @parameter.around)

(field_value value: (_) @entry.inside) @entry.around
(arm) @entry.around

[(line_comment) (block_comment) (doc_comment)] @comment.inside
(line_comment)+ @comment.around
(doc_comment)+ @comment.around
(block_comment) @comment.around
