# Models that know nothing of PTX: what an acyclic, an irreflexive and an empty axiom lack, and what would supply it.
cat > "$T/ra.cat" <<'END'
"RA"
include "cos.cat"
let sw = [W & REL] ; rf ; [R & ACQ]
let hb = (po | sw)+
irreflexive hb ; (rf | co | fr)? as Coherence
empty rmw & (fr ; co) as Atomicity
empty (([W] ; hb ; [W]) & loc) \ co as Order
END
cat > "$T/order.cat" <<'END'
"Order"
include "cos.cat"
let hb = po & ([RLX | REL | ACQ] ; po ; [REL]) | rf & incl
empty (([W] ; (hb | po-loc)+ ; [W]) & loc) \ co as Order
END
try explain --model tso,docs/examples/pso.cat,coherence litmus/classic/SB.litmus
explain() { ptxlit explain --model "$T/$1.cat" "$2"; }
explain ra litmus/classic/MP.litmus
explain ra litmus/classic/IRIW.litmus
explain ra litmus/classic/MP+release.gpu+acquire.gpu.litmus
explain order litmus/classic/S.litmus
