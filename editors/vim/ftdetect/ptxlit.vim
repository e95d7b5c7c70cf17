autocmd BufRead,BufNewFile *.litmus set filetype=litmus
autocmd BufRead,BufNewFile *.cat set filetype=ptxlit_cat
" Other tools write .map files too: a table begins with its title.
autocmd BufRead,BufNewFile *.map if getline(1) =~# '^"' | set filetype=ptxlit_map | endif
