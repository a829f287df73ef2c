-- A session as a user has it: open, read, break, repair, run. Every step waits for what it expects and fails by name.
local report = {}
local failed = false

local function step(name, ok, detail)
  table.insert(report, (ok and 'ok    ' or 'FAIL  ') .. name .. (ok and '' or ': ' .. vim.inspect(detail)))
  failed = failed or not ok
end

local function eventually(name, condition)
  local value
  local ok = vim.wait(15000, function()
    value = condition()
    return value and true or false
  end, 20)
  step(name, ok, value)
  return value
end

local function finish()
  vim.fn.writefile(report, vim.env.NEURO_REPORT)
  vim.cmd(failed and 'cquit 1' or 'qall!')
end

local program = {
  '@grad',
  'func spread(w: &mut Tensor<f64, [3]>, centre: f64) -> Tensor<f64, []> {',
  '    val shifted = w - centre',
  '    val squares = &shifted * &shifted',
  '    Tensor::scalar(squares.sum())',
  '}',
  '',
  'func main() -> i32 {',
  '    println("hello from the worker")',
  '    3',
  '}',
}

local path = vim.env.NEURO_PROJECT .. '/spread.nr'
vim.fn.writefile(program, path)

-- With `-l`, plugins are not loaded by themselves.
vim.cmd('runtime! ftdetect/neuro.lua plugin/neuro.lua')
vim.lsp.config('neuro', { cmd = { vim.env.NEURC, 'lsp' } })
vim.cmd('filetype plugin on')
vim.cmd.edit(path)
local buffer = vim.api.nvim_get_current_buf()
step('the file type is neuro', vim.bo[buffer].filetype == 'neuro', vim.bo[buffer].filetype)

local client = eventually('the server attaches', function()
  return vim.lsp.get_clients({ bufnr = buffer, name = 'neuro' })[1]
end)
if not client then
  finish()
end

local function hover_text(line, column)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = column },
  }
  local answer = client:request_sync('textDocument/hover', params, 10000, buffer)
  return answer and answer.result and answer.result.contents.value or ''
end

local on_function = hover_text(1, 6)
step('hover on the function shows loss, gradient and Hessian', on_function:find('loss : Tensor<f64, []>', 1, true)
  and on_function:find('∂loss/∂w : Tensor<f64, [3]>', 1, true)
  and on_function:find('Tensor<f64, [3, 3]>', 1, true), on_function)
local on_local = hover_text(3, 9)
step('hover on a local shows its shape', on_local:find('squares: Tensor<f64, [3]>', 1, true), on_local)

vim.api.nvim_buf_set_lines(buffer, 4, 5, false, { '    Tensor::scalar(squares.smu())' })
local diagnostic = eventually('a mistake is marked at its word', function()
  return vim.diagnostic.get(buffer)[1]
end)
step('the mark has the right place', diagnostic and diagnostic.lnum == 4 and diagnostic.col == 27, diagnostic)
vim.api.nvim_buf_set_lines(buffer, 4, 5, false, { '    Tensor::scalar(squares.sum())' })
eventually('the mark goes away', function()
  return #vim.diagnostic.get(buffer) == 0
end)

local lenses = client:request_sync('textDocument/codeLens', {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
}, 10000, buffer).result
local titles = vim.tbl_map(function(lens)
  return lens.command.title
end, lenses)
step('the lenses are there', vim.deep_equal(titles, { '▶ gradient', 'derivative IR', '▶ run' }), titles)

vim.api.nvim_win_set_cursor(0, { 2, 6 })
vim.cmd.NeuroGradient()
local mark = eventually('the gradient is shown behind the function', function()
  local namespace = vim.api.nvim_get_namespaces().neuro
  return vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })[1]
end)
local shown = mark and vim.iter(mark[4].virt_text):map(function(chunk)
  return chunk[1]
end):join('') or ''
step('loss and gradient are shown', mark and mark[2] == 1 and shown:find('loss ', 1, true) and shown:find('∂/∂w [', 1, true), shown)

vim.cmd.NeuroDerivative()
local view = eventually('the derivative view opens', function()
  local found = vim.fn.bufnr('^neuro://derivative/spread$')
  return found > 0 and #vim.api.nvim_buf_get_lines(found, 0, -1, false) > 3 and found
end)
local text = view and table.concat(vim.api.nvim_buf_get_lines(view, 0, -1, false), '\n') or ''
step('the view shows the graph', text:find('tensor<3xf64>', 1, true), text)

vim.api.nvim_buf_set_lines(buffer, 8, 9, false, { '    println("hello from unsaved text")' })
vim.cmd.NeuroRun()
local run = eventually('the program runs', function()
  return require('neuro').last_run and require('neuro').last_run.output and require('neuro').last_run
end)
local output = run and table.concat(vim.api.nvim_buf_get_lines(run.output, 0, -1, false), '\n') or ''
step('unsaved text is what runs', output:find('hello from unsaved text', 1, true), output)
step('the status is shown', output:find('[status 3]', 1, true), output)

finish()
