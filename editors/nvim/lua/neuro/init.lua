--- Runs, gradients and derivative views of the Neuro language server.
---
--- The server does the work: each command here is one of its commands, so what this file owns is only how
--- results are shown. Start at `M.setup`.
local M = {}

local namespace = vim.api.nvim_create_namespace('neuro')

--- What is known of each run, by client and run: the buffer it was started from and its function.
local runs = {}

local function run_key(client_id, run)
  return client_id .. ':' .. run
end

--- The server's client for a buffer, or an explanation in the message area.
local function client_of(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'neuro' })[1]
  if not client then
    vim.notify('neuro: no language server for this buffer; see :checkhealth neuro', vim.log.levels.WARN)
  end
  return client
end

--- The function around the cursor that has a lens with this command.
local function function_here(buffer, client, command, callback)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  client:request('textDocument/codeLens', params, function(err, lenses)
    if err then
      vim.notify('neuro: ' .. err.message, vim.log.levels.ERROR)
      return
    end
    local row = vim.api.nvim_win_get_cursor(0)[1] - 1
    local best
    for _, lens in ipairs(lenses or {}) do
      if lens.command.command == command and (lens.range.start.line <= row or not best) then
        best = lens
      end
    end
    if best then
      callback(best.command.arguments[1]['function'], best.range.start.line)
    else
      vim.notify('neuro: no function here has a derivative', vim.log.levels.WARN)
    end
  end, buffer)
end

local function execute(client, buffer, command, argument, callback)
  argument.uri = vim.uri_from_bufnr(buffer)
  client:request('workspace/executeCommand', { command = command, arguments = { argument } }, function(err, result)
    if err then
      vim.notify('neuro: ' .. err.message, vim.log.levels.ERROR)
    elseif callback then
      callback(result)
    end
  end, buffer)
end

--- A scratch buffer of this name in a window; made when it does not exist.
local function scratch(name, filetype)
  local buffer = vim.fn.bufnr('^' .. name .. '$')
  if buffer < 0 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
    vim.bo[buffer].buftype = 'nofile'
    vim.bo[buffer].swapfile = false
    vim.bo[buffer].filetype = filetype
  end
  if vim.fn.bufwinid(buffer) < 0 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd('botright sbuffer ' .. buffer)
    vim.api.nvim_win_set_height(0, math.min(15, math.floor(vim.o.lines / 3)))
    vim.api.nvim_set_current_win(window)
  end
  return buffer
end

local function set_lines(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
end

local function append(buffer, text)
  vim.bo[buffer].modifiable = true
  local last = vim.api.nvim_buf_get_lines(buffer, -2, -1, false)[1] or ''
  vim.api.nvim_buf_set_lines(buffer, -2, -1, false, vim.split(last .. text, '\n', { plain = true }))
  vim.bo[buffer].modifiable = false
end

local function number(value)
  return type(value) == 'number' and string.format('%.6g', value) or tostring(value)
end

--- A gradient in one line: all entries of a small one, the norm of a large one.
local function tensor_text(tensor)
  if #tensor.data > 8 then
    local sum = 0
    for _, entry in ipairs(tensor.data) do
      sum = sum + (type(entry) == 'number' and entry * entry or 0 / 0)
    end
    return string.format('|·| = %.6g', math.sqrt(sum))
  end
  return '[' .. table.concat(vim.tbl_map(number, tensor.data), ', ') .. ']'
end

--- Shows the loss and the gradients behind the function's line.
local function show_gradients(run, params)
  if not vim.api.nvim_buf_is_valid(run.buffer) then
    return
  end
  local text = { { '  loss ' .. number(params.value), 'DiagnosticVirtualTextInfo' } }
  for name, gradient in vim.spairs(params.gradients or {}) do
    table.insert(text, { '  ∂/∂' .. name .. ' ' .. tensor_text(gradient), 'DiagnosticVirtualTextHint' })
  end
  vim.api.nvim_buf_clear_namespace(run.buffer, namespace, run.line, run.line + 1)
  vim.api.nvim_buf_set_extmark(run.buffer, namespace, run.line, 0, { virt_text = text, virt_text_pos = 'eol' })
end

--- The run that a notification belongs to. A run can end before the answer that names it arrives, and its
--- first events are then kept for `started`.
local function run_of(client_id, run)
  local key = run_key(client_id, run)
  runs[key] = runs[key] or { waiting = {} }
  return runs[key]
end

local function on_output(run, params)
  if run.output then
    append(run.output, params.text)
  end
end

local function on_finished(run, params)
  if params.gradients then
    show_gradients(run, params)
  end
  if params.message then
    if run.output then
      append(run.output, params.message .. '\n')
    end
    vim.notify('neuro: ' .. params.message, vim.log.levels.WARN)
  elseif run.output then
    append(run.output, '[status ' .. params.status .. ']')
  end
  run.finished = params
  M.last_run = run
end

local function notification(handle)
  return function(_, params, context)
    local run = run_of(context.client_id, params.run)
    if run.waiting then
      table.insert(run.waiting, function()
        handle(run, params)
      end)
    else
      handle(run, params)
    end
  end
end

--- Tells a run where it came from, and delivers what arrived before.
local function started(client, result, facts)
  local run = run_of(client.id, result.run)
  local waiting = run.waiting or {}
  run.waiting = nil
  for name, value in pairs(facts) do
    run[name] = value
  end
  for _, deliver in ipairs(waiting) do
    deliver()
  end
end

--- Runs the program of the current buffer and shows its output.
function M.run()
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then
    return
  end
  local output = scratch('neuro://output', 'neuro-output')
  set_lines(output, {})
  execute(client, buffer, 'neuro.run', {}, function(result)
    started(client, result, { buffer = buffer, line = 0, output = output })
  end)
end

--- Runs the derivative of the function around the cursor, or of `name`, at sample inputs.
function M.gradient(name)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then
    return
  end
  function_here(buffer, client, 'neuro.gradient', function(found, line)
    local argument = { ['function'] = name or found }
    execute(client, buffer, 'neuro.gradient', argument, function(result)
      started(client, result, { buffer = buffer, line = line })
    end)
  end)
end

--- Shows the derivative of the function around the cursor as graph IR.
function M.derivative(stage)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then
    return
  end
  function_here(buffer, client, 'neuro.derivative', function(name)
    local argument = { ['function'] = name, stage = stage }
    execute(client, buffer, 'neuro.derivative', argument, function(result)
      local view = scratch('neuro://derivative/' .. name, 'neuro-ir')
      set_lines(view, vim.split(result.text, '\n', { plain = true }))
    end)
  end)
end

--- Ends the runs of the current buffer.
function M.stop()
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if client then
    execute(client, buffer, 'neuro.stop', {})
  end
end

--- Starts the server on Neovim before 0.11, which has no `vim.lsp.enable`.
function M.start_with_autocmd()
  local source = vim.api.nvim_get_runtime_file('lsp/neuro.lua', false)[1]
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'neuro',
    callback = function(event)
      local config = vim.tbl_extend('force', { name = 'neuro' }, dofile(source))
      config.root_dir = vim.fs.dirname(vim.fs.find(config.root_markers, {
        upward = true,
        path = vim.fs.dirname(vim.api.nvim_buf_get_name(event.buf)),
      })[1])
      vim.lsp.start(config, { bufnr = event.buf })
    end,
  })
end

--- Defines the commands and what happens when the server tells of a run.
function M.setup()
  vim.lsp.handlers['neuro/runOutput'] = notification(on_output)
  vim.lsp.handlers['neuro/runFinished'] = notification(on_finished)
  vim.lsp.handlers['neuro/serverStatus'] = function() end

  -- The lenses of the server: what it executes is shown as the commands here show it.
  vim.lsp.commands['neuro.run'] = M.run
  vim.lsp.commands['neuro.gradient'] = function(command)
    M.gradient(command.arguments[1]['function'])
  end
  vim.lsp.commands['neuro.derivative'] = function()
    M.derivative()
  end

  local function optional(action)
    return function(event)
      action(event.args ~= '' and event.args or nil)
    end
  end
  vim.api.nvim_create_user_command('NeuroRun', M.run, { desc = 'Run the program of this buffer' })
  vim.api.nvim_create_user_command('NeuroStop', M.stop, { desc = 'Stop the runs of this buffer' })
  vim.api.nvim_create_user_command('NeuroGradient', optional(M.gradient), {
    nargs = '?',
    desc = 'Show the gradients of the function here at sample inputs',
  })
  vim.api.nvim_create_user_command('NeuroDerivative', optional(M.derivative), {
    nargs = '?',
    complete = function()
      return { 'primal', 'derivative', 'optimised', 'loops' }
    end,
    desc = 'Show the derivative of the function here as IR',
  })
end

return M
