# A flag that cannot be looked for costs a text its line, not the verdict; asked for by itself it is not known. Counting
# executions goes no further either.
cat >"$T/model.cat" <<'END'
"A recursion in a flag that is too large to unfold"
let rec z = ext | po | (sc ; z ; z)
acyclic po & loc | rf | co | fr as Coherent
flag ~empty z as far
END
try --model "$T/model.cat" litmus/classic/4.SB+fence.sc.gpu.litmus
try --model "$T/model.cat" --quiet --races litmus/classic/4.SB+fence.sc.gpu.litmus
try --model "$T/model.cat" --quiet --races --executions litmus/classic/4.SB+fence.sc.gpu.litmus
