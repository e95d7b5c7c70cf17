-- Neovim alone reads this: it starts the language server where the tool is installed, unless g:ptxlit_no_lsp is set.
-- With g:ptxlit_compile it compiles what it opens, and checks sources in CUDA C++ too.
local function start(args)
  if vim.g.ptxlit_no_lsp or vim.fn.executable("ptxlit") == 0 then return end
  if args.match == "cuda" and not vim.g.ptxlit_compile then return end
  local cmd = vim.g.ptxlit_compile and { "ptxlit", "lsp", "--compile" } or { "ptxlit", "lsp" }
  local config = { name = "ptxlit", cmd = cmd, root_dir = vim.fn.fnamemodify(args.file, ":p:h") }
  if vim.lsp.start then
    vim.lsp.start(config)
  else -- before Neovim 0.8
    local server = vim.g.ptxlit_server or vim.lsp.start_client(config)
    vim.g.ptxlit_server = server
    vim.lsp.buf_attach_client(args.buf, server)
  end
end

local types = { "litmus", "ptxlit_cat", "ptxlit_map", "cuda" }
vim.api.nvim_create_autocmd("FileType", { pattern = types, callback = start })
