" Mappings from CUDA C++ to PTX.
if exists("b:current_syntax") | finish | endif
syntax case match
syntax match mapOpcode "\v([:|;]\s*)@<=(@OPCODES|@)>"
syntax match mapQualifier "\v\.(S|@QUALIFIERS|@)>(::)@!"
syntax match mapKeyword "\v^\s*(@OPERATIONS|@)(\s+(@ORDERS|@))?\ze\s*:"
syntax match mapKeyword "\v^Source\ze\s*\="
syntax region mapString start=+^"+ end=+"+
syntax match mapComment "//.*$"
highlight default link mapOpcode Function
highlight default link mapQualifier Type
highlight default link mapKeyword Keyword
highlight default link mapString String
highlight default link mapComment Comment
let b:current_syntax = "ptxlit_map"
