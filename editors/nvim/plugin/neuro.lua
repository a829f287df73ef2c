if vim.g.loaded_neuro then
  return
end
vim.g.loaded_neuro = true

if vim.fn.has('nvim-0.11') == 1 then
  vim.lsp.enable('neuro')
else
  require('neuro').start_with_autocmd()
end

require('neuro').setup()
