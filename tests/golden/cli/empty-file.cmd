: >"$T/empty.litmus"
printf '\n\n   \n' >"$T/blank.litmus"
printf '(* only a comment *)\n' >"$T/comment.litmus"
: >"$T/empty.cat"
try "$T/empty.litmus"
try "$T/blank.litmus"
try "$T/comment.litmus"
try --model "$T/empty.cat" tests/golden/tests/SB.litmus
