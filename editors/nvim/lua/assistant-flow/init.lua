-- Assistant flows in Neovim 0.7 and newer: file types, the language server, and the debugger for nvim-dap.
local M = {}

-- Options, with their defaults. Set `vim.g.assistant_flow` to a table with those that differ.
local defaults = {
  cmd = { "assistant-flow", "lsp", "--stdio" },
  dap_cmd = { "assistant-flow", "dap" },
  settings = { assistantFlow = {} },
}

-- File patterns by file type.
M.patterns = {
  ["assistant-flow"] = { "*.flow.yaml", "*.flow.yml" },
  ["assistant-flow-test"] = { "*.flowtest.yaml", "*.flowtest.yml" },
  ["assistant-flow-policies"] = { "assistant-flow.policies.yaml" },
  ["assistant-flow-project"] = { "assistant-flow.project.yaml" },
}
M.filetypes = vim.tbl_keys(M.patterns)
table.sort(M.filetypes)

function M.options()
  return vim.tbl_deep_extend("force", defaults, vim.g.assistant_flow or {})
end

local function root_of(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h")
  local git = vim.fn.finddir(".git", folder .. ";")
  return git ~= "" and vim.fn.fnamemodify(git, ":p:h:h") or folder
end

-- Neovim 0.7 has no vim.lsp.start, so clients are kept by root folder.
local clients = {}

local function start(buffer)
  local options = M.options()
  local config = {
    name = "assistant-flow",
    cmd = options.cmd,
    root_dir = root_of(buffer),
    settings = options.settings,
  }
  if vim.lsp.start then
    vim.lsp.start(config)
    return
  end
  local id = clients[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

-- Registers the debugger with nvim-dap, if it is installed. Configurations that you added are kept.
function M.setup_dap()
  local installed, dap = pcall(require, "dap")
  if not installed or dap.adapters["assistant-flow"] then
    return installed
  end
  local cmd = M.options().dap_cmd
  dap.adapters["assistant-flow"] = {
    type = "executable",
    command = cmd[1],
    args = vim.list_slice(cmd, 2),
  }
  local launch = { type = "assistant-flow", request = "launch", program = "${file}", cwd = "${workspaceFolder}" }
  for filetype, name in pairs({ ["assistant-flow"] = "Debug Flow", ["assistant-flow-test"] = "Debug Test" }) do
    dap.configurations[filetype] = dap.configurations[filetype]
      or { vim.tbl_extend("force", { name = name }, launch) }
  end
  return true
end

function M.setup()
  local group = vim.api.nvim_create_augroup("assistant-flow", {})
  for filetype, patterns in pairs(M.patterns) do
    vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, {
      group = group,
      pattern = patterns,
      callback = function()
        vim.bo.filetype = filetype
      end,
    })
  end
  local has_yaml = vim.treesitter and vim.treesitter.language and vim.treesitter.language.register
  if has_yaml then
    vim.treesitter.language.register("yaml", M.filetypes)
  end
  local uses_config = vim.lsp.enable ~= nil -- Neovim 0.11 and newer.
  if uses_config then
    local options = M.options()
    vim.lsp.config("assistant-flow", {
      cmd = options.cmd,
      filetypes = M.filetypes,
      root_markers = { ".git" },
      settings = options.settings,
    })
    vim.lsp.enable("assistant-flow")
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = M.filetypes,
    callback = function(event)
      vim.bo.syntax = "yaml"
      vim.bo.commentstring = "# %s"
      vim.bo.expandtab = true
      vim.bo.shiftwidth = 2
      if not uses_config then
        start(event.buf)
      end
      M.setup_dap()
    end,
  })
end

return M
