-- Drives the language server through editors/nvim and writes the resulting state of Neovim as JSON. Works with 0.7 and newer.
-- The test starts Neovim with the plugin and its options; OUTPUT is the file to write.
local file = vim.fn.expand("%:p")
local result = {}

-- Answers each question of the server with its first button.
vim.lsp.handlers["window/showMessageRequest"] = function(_, params)
  result.asked = params.message
  return params.actions[1]
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then error("never happened: " .. what) end
end

local client_id
wait("attach", function()
  for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == "assistant-flow" and vim.lsp.buf_is_attached(0, client.id) then client_id = client.id end
  end
  return client_id
end)
wait("start", function()
  local client = vim.lsp.get_client_by_id(client_id)
  return client and client.initialized
end)

local function utf16(line, byte)
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1] or ""
  local _, units = vim.str_utfindex(text, math.min(byte, #text))
  return units
end

-- Neovim converts the UTF-16 positions of the protocol to bytes.
local function diagnostics()
  return vim.tbl_map(function(d)
    local lsp = (d.user_data or {}).lsp or {}
    return {
      source = d.source,
      code = d.code or lsp.code,
      severity = d.severity,
      message = d.message,
      relatedInformation = lsp.relatedInformation,
      range = {
        start = { line = d.lnum, character = utf16(d.lnum, d.col) },
        ["end"] = { line = d.end_lnum, character = utf16(d.end_lnum, d.end_col) },
      },
    }
  end, vim.diagnostic.get(0))
end

local function place(text, after)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  for number, line in ipairs(lines) do
    local start, stop = line:find(text, 1, true)
    if start then
      vim.api.nvim_win_set_cursor(0, { number, after and stop or start - 1 })
      return
    end
  end
  error("not in the file: " .. text)
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") end

local function request(method)
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 60000))
  for _, answer in pairs(answers) do
    return answer.result
  end
end

-- A stand-in for nvim-dap, which the plugin registers the debugger with.
local function registered()
  local dap = package.loaded.dap
  return { adapter = dap.adapters["assistant-flow"], configurations = vim.tbl_keys(dap.configurations) }
end

local function health()
  vim.cmd("checkhealth assistant-flow")
  local report = text()
  vim.cmd("bwipeout!")
  return report
end

local function run()
  result.filetype = vim.bo.filetype
  result.dap = registered()
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  result.diagnostics = diagnostics()

  place("- to: ", true)
  local items = request("textDocument/completion")
  result.completion = vim.tbl_map(function(item) return item.label end, items.items or items)

  place("entry: greet", false)
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], 8 })
  result.hover = request("textDocument/hover").contents.value

  local from = vim.api.nvim_win_get_cursor(0)[1]
  vim.lsp.buf.definition()
  wait("definition", function() return vim.api.nvim_win_get_cursor(0)[1] ~= from end)
  result.definition = vim.api.nvim_get_current_line()

  vim.lsp.buf.rename("welcome")
  wait("rename", function() return text():find("entry: welcome", 1, true) ~= nil end)
  result.renamed = text()

  place("acount_id", false)
  local select = vim.ui.select
  vim.ui.select = function(choices, options, choose)
    for _, choice in ipairs(choices) do
      local title = options.format_item and options.format_item(choice) or tostring(choice)
      if title:find("account_id", 1, true) and not title:find("gnore", 1, true) then
        result.action = title
        vim.ui.select = select
        return choose(choice)
      end
    end
    error("no action to choose")
  end
  vim.lsp.buf.code_action()
  wait("code action", function() return not text():find("acount_id", 1, true) end)
  result.fixed = text()

  if vim.env.ASSISTANT_FLOW_BASE_URL then
    -- The platform's finding is only shown while the rule that reports the same is off.
    local settings = { assistantFlow = { rules = { ["duplicate-edge"] = "off" } } }
    vim.lsp.get_client_by_id(client_id).notify("workspace/didChangeConfiguration", { settings = settings })
    vim.cmd("silent write")
    wait("findings of the platform", function()
      for _, d in ipairs(vim.diagnostic.get(0)) do
        if d.source == "platform" then return true end
      end
    end)
    result.saved = diagnostics()

    -- The push returned the revision with the names of its tools. Typing a name inserts its ID.
    place("tool: ", true)
    local row = vim.api.nvim_win_get_cursor(0)[1]
    local before = vim.api.nvim_get_current_line():match("^%s*tool: ")
    vim.api.nvim_set_current_line(before .. "look")
    vim.api.nvim_win_set_cursor(0, { row, #before + 4 })
    wait("completion of a tool by its name", function()
      local tools = request("textDocument/completion")
      for _, item in ipairs(tools.items or tools) do
        if vim.startswith(item.filterText or item.label, "look") and item.label == "look_up_account" then
          vim.lsp.util.apply_text_edits({ item.textEdit }, 0, "utf-16")
          result.tool = vim.trim(vim.api.nvim_get_current_line())
          return true
        end
      end
    end)
  end
  result.health = health()
end

local ok, failure = xpcall(run, debug.traceback)
if not ok then result.failure = failure end
local out = assert(io.open(vim.env.OUTPUT, "w"))
out:write(vim.fn.json_encode(result))
out:close()
vim.cmd("qall!")
