# A model that says what ptx-7.5 says in other words: its own closure of co, its own fr, observation by recursion, base
# causality step by step. What counts atomics, and what is known along their chain, serves there too: without it these
# take minutes.
cat >"$T/own.cat" <<'CAT'
"PTX, plainly"
let before = co+
let passes = rf^-1 ; before
let strong = M & (RLX | ACQ | REL) | F
let ms = ((po | po^-1 | [strong] ; (incl & incl^-1) ; [strong]) & ((M * M & vloc) | _ * F | F * _)) \ id
let release = [W & REL] ; (po & vloc)? ; [W & strong] | [F \ ACQ] ; po ; [W & strong]
let acquire = [R & strong] ; (po & vloc)? ; [R & ACQ] | [R & strong] ; po ; [F \ REL]
let rec seen = ms & rf | seen ; rmw ; seen
let base = po? ; ((ms & (release ; seen ; acquire) | sc | bar) ; po?)+
let cause = vloc & (base | po) | seen ; (vloc & (base | po))
empty (W * W & loc & cause) \ before as Coherence
empty (W * W & loc & ms) \ (before | before^-1) as Order
empty ([F & SC] ; (ms & base) ; [F & SC]) \ sc as Fences
empty rmw & ((ms & passes) ; (ms & before)) as Atomicity
acyclic rf | addr | data | ctrl as No-Thin-Air
irreflexive (rf | passes) ; cause as Causality
CAT
for test in 'atomics 16' 'ticket-lock 8' 'grid-barrier 12' 'sb-ring 100'; do
  bench/generate $test >"$T/test.litmus"
  try --quiet --timeout 600 --model "$T/own.cat" "$T/test.litmus"
done
