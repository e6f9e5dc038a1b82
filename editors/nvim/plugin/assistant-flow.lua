-- Loaded by Neovim when this folder is on 'runtimepath'. Options go into vim.g.assistant_flow before that.
if vim.g.loaded_assistant_flow then
  return
end
vim.g.loaded_assistant_flow = true
require("assistant-flow").setup()
