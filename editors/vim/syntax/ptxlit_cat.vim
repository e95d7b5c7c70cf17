" Memory models in the language cat.
if exists("b:current_syntax") | finish | endif
syntax case match
syntax sync fromstart
syntax match catName "\v<_?[A-Za-z][A-Za-z0-9_.-]*"
syntax match catBuiltin "\v[A-Za-z0-9_.-]@1<!(@BUILTINS|@)[A-Za-z0-9_.-]@!"
syntax match catKeyword "\v[A-Za-z0-9_.-]@1<!(@KEYWORDS|@)[A-Za-z0-9_.-]@!"
syntax region catString start=+"+ end=+"+
syntax match catComment "\v(//|#).*$"
syntax region catComment start="(\*" end="\*)" contains=catComment
syntax region catComment start="/\*" end="\*/"
highlight default link catBuiltin Identifier
highlight default link catKeyword Keyword
highlight default link catString String
highlight default link catComment Comment
let b:current_syntax = "ptxlit_cat"
