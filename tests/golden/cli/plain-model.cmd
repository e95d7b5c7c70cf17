# Models as users write them: base causality in three forms is the same relation, and takes no more clauses than models/
# ptx-7.5.cat on a ring of fences.
for base in '(po? ; synchronizes ; po?)+' 'po? ; (synchronizes ; po?)+' '(po? ; (synchronizes ; po?))+'; do
  cat >"$T/plain.cat" <<END
"PTX 7.5 in its own words"
let strong = (R | W | F) & (RLX | ACQ | REL | ACQ_REL | SC)
let moral = po | po^-1 | (strong * strong) & sr
let observed = moral & rf | (moral & rf) ; (rmw ; (moral & rf))+
let release = [W & REL] ; (po & loc)? ; [W & strong] | [F & (SC | ACQ_REL | REL)] ; po ; [W & strong]
let acquire = [R & strong] ; (po & loc)? ; [R & ACQ] | [R & strong] ; po ; [F & (SC | ACQ_REL | ACQ)]
let synchronizes = moral & (release ; observed ; acquire) | sc | bar
let base = $base
let causes = base | po & loc
let cause = causes | observed ; causes
empty (W * W & loc & moral \ id) \ (co | co^-1) as Total
empty ([W] ; cause ; [W] & loc) \ co as Coherence
empty ([F & SC] ; moral & (po | base) ; [F & SC]) \ sc as Fence-SC
empty rmw & ((moral & fr) ; (moral & co)) as Atomicity
acyclic rf | addr | data | ctrl as No-Thin-Air
acyclic moral & (rf | co | fr) | po & loc as SC-per-Location
irreflexive (rf | fr) ; cause as Causality
END
  bench/generate sb-ring 30 | "$tool" --model "$T/plain.cat" --dump=cnf - | grep '^p cnf'
  for engine in sat enumerate; do
    "$tool" --quiet --engine=$engine --model "$T/plain.cat" litmus/classic/MP.litmus \
      litmus/fences/SB+fence.sc.gpu.litmus litmus/classic/IRIW.litmus litmus/loops/MP+spin-acquire.litmus
  done
done
