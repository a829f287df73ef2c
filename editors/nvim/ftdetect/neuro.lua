-- `.nr` is nroff's in Neovim and Noir's elsewhere: a file below a Noir project is left alone.
vim.filetype.add({
  extension = {
    nr = function(path)
      local marker = vim.fs.find({ 'neuro.toml', 'Nargo.toml', '.git' }, {
        upward = true,
        path = vim.fs.dirname(vim.fn.fnamemodify(path, ':p')),
      })[1]
      if marker and vim.fs.basename(marker) == 'Nargo.toml' then
        return nil
      end
      return 'neuro'
    end,
  },
})
