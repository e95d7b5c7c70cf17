# The missing links of a cycle are those that `fix` would add, and no others.
# A signal and its test order accesses of tensor memory even if they are relaxed.
try explain litmus/async/tcgen05+epilogue+no-fence.litmus
# A proxy fence that is in its place already.
try explain litmus/proxies/MP+gen+texture+relaxed-flag.litmus
# An axiom that asks only for some order of two writes excludes no cycle of them.
cat > "$T/total.cat" <<'END'
"Total"
include "cos.cat"
acyclic po-loc | rf | co | fr as Coherence
empty (([W] ; (po-loc | rf)+ ; [W]) & loc) \ (co | co^-1) as Total
END
try explain --model "$T/total.cat" litmus/classic/S.litmus
