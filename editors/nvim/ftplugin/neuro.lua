vim.bo.commentstring = '// %s'
vim.bo.comments = 's1:/*,mb:*,ex:*/,:///,://'
vim.bo.expandtab = true
vim.bo.shiftwidth = 4
vim.bo.softtabstop = 4
vim.bo.suffixesadd = '.nr'
-- Colours by the tree-sitter parser where it is built (syntax/tree-sitter-neuro); else those of syntax/neuro.vim.
pcall(vim.treesitter.start, 0, 'neuro')
vim.b.undo_ftplugin = 'setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< suffixesadd<'
