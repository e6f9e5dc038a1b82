-- :checkhealth assistant-flow
local M = {}

function M.check()
  -- Before Neovim 0.10 these functions have other names.
  local start = vim.health and vim.health.start or require("health").report_start
  local ok = vim.health and vim.health.ok or require("health").report_ok
  local warn = vim.health and vim.health.warn or require("health").report_warn
  local fail = vim.health and vim.health.error or require("health").report_error

  start("Assistant Flow")
  local plugin = require("assistant-flow")
  local program = plugin.options().cmd[1]
  if vim.fn.executable(program) == 1 then
    ok("Language server: " .. vim.fn.exepath(program))
    if program == "assistant-flow" then
      local version = vim.fn.systemlist({ program, "--version" })
      if vim.v.shell_error == 0 then
        ok("Version " .. (version[1] or "unknown"))
      else
        fail("`assistant-flow --version` failed: " .. table.concat(version, " "), { "It needs Node 20.19 or newer." })
      end
    end
  else
    fail('"' .. program .. '" is not on the PATH.', {
      "Install the command line, or set `cmd` in vim.g.assistant_flow.",
    })
  end
  if plugin.setup_dap() then
    ok("Debugger: registered with nvim-dap")
  else
    warn("nvim-dap is not installed, so flows can't be debugged.")
  end
end

return M
