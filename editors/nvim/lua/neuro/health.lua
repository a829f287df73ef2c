local M = {}

--- `:checkhealth neuro`
function M.check()
  vim.health.start('neuro')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim starts the server by vim.lsp.enable')
  else
    vim.health.warn('Neovim before 0.11: the server is started by an autocommand')
  end
  local config = vim.lsp.config and vim.lsp.config.neuro or { cmd = { 'neurc', 'lsp' } }
  local program = config.cmd[1]
  if vim.fn.executable(program) == 0 then
    vim.health.error('`' .. program .. '` is not executable', {
      'Build it with `cargo install --path crates/neurc`, or',
      "point to it: vim.lsp.config('neuro', { cmd = { '/path/to/neurc', 'lsp' } })",
    })
    return
  end
  local version = vim.system({ program, '--version' }, { text = true }):wait()
  if version.code == 0 then
    vim.health.ok(vim.trim(version.stdout) .. ' (' .. vim.fn.exepath(program) .. ')')
  else
    vim.health.error('`' .. program .. ' --version` failed: ' .. vim.trim(version.stderr or ''))
  end
end

return M
