" :make checks the test, and the quickfix list has the errors.
if exists("b:did_ftplugin") | finish | endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s
setlocal makeprg=ptxlit\ --quiet\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%-G%.%#
let b:undo_ftplugin = "setlocal commentstring< makeprg< errorformat<"
