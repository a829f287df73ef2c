-- How Neovim starts the language server. `vim.lsp.config('neuro', { ... })` overrides any of it.
return {
  cmd = { 'neurc', 'lsp' },
  filetypes = { 'neuro' },
  root_markers = { 'neuro.toml', '.git' },
  init_options = {
    -- This plugin shows runs itself, so the server sends no message about them.
    showsRuns = true,
    worker = { timeoutSeconds = 60, memoryMiB = 2048 },
  },
}
