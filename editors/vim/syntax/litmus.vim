" Litmus tests of PTX.
if exists("b:current_syntax") | finish | endif
syntax case match
syntax sync fromstart
syntax match litmusOpcode "\v(^|[ |;\]])@1<=(@OPCODES|@)>"
syntax match litmusQualifier "\v\.(@QUALIFIERS|@)>(::)@!"
syntax match litmusKeyword "\v<(exists|forall|filter|locations|aliases|kernel|grid|block)>"
syntax match litmusKeyword "\v%^(PTX|CUDA)>"
syntax match litmusKeyword "\v^[A-Z][A-Za-z0-9_.-]*\ze\s*\=[^;]*$"
syntax match litmusThread "\v<P\d+(\s*,\s*P\d+)*\@[^|;]*"
syntax match litmusNumber "\v<(0[xX][0-9a-fA-F]+|0[fFdD][0-9a-fA-F]+|\d+)[uU]?>"
syntax region litmusString start=+"+ end=+"+
syntax match litmusComment "//.*$"
syntax region litmusComment start="(\*" end="\*)" contains=litmusComment
highlight default link litmusOpcode Function
highlight default link litmusQualifier Type
highlight default link litmusKeyword Keyword
highlight default link litmusThread PreProc
highlight default link litmusNumber Number
highlight default link litmusString String
highlight default link litmusComment Comment
let b:current_syntax = "litmus"
