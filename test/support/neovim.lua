-- Edits a file with the language server, and prints what a person would see: findings, a hover, the fixed text.
-- Works in Neovim 0.7, which has neither vim.lsp.start nor vim.lsp.config.
local program, file = vim.env.BLAZON, vim.env.FILE

local function say(label, value)
  io.stdout:write(label .. ': ' .. vim.json.encode(value) .. '\n')
end

local function wait(condition)
  assert(vim.wait(20000, condition, 10), 'timed out')
end

vim.cmd('edit ' .. vim.fn.fnameescape(file))
local client = vim.lsp.start_client({ name = 'blazon', cmd = { vim.env.NODE, program, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
wait(function()
  return #vim.diagnostic.get(0) > 0
end)
for _, one in ipairs(vim.diagnostic.get(0)) do
  say('finding', { one.lnum, one.col, one.code, one.message })
end

local function ask(method, params)
  local answer = vim.lsp.buf_request_sync(0, method, params, 20000)
  return answer[client].result
end

vim.api.nvim_win_set_cursor(0, { tonumber(vim.env.LINE), tonumber(vim.env.COLUMN) })
say('hover', ask('textDocument/hover', vim.lsp.util.make_position_params()).contents.value)
say('completion', vim.tbl_map(function(item)
  return item.label
end, ask('textDocument/completion', vim.lsp.util.make_position_params()).items))
local params = vim.lsp.util.make_range_params()
params.context = { only = { 'source.fixAll' }, diagnostics = {} }
local action = ask('textDocument/codeAction', params)[1]
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
wait(function()
  return #vim.diagnostic.get(0) == 0
end)
say('text', vim.api.nvim_buf_get_lines(0, 0, -1, true))
vim.lsp.stop_client(client)
wait(function()
  return vim.lsp.client_is_stopped(client)
end)
vim.cmd('qall!')
