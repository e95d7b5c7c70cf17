try --executions tests/golden/tests/SB.litmus
printf 'PTX races\n{\nx=0;\n}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x,1 | st.weak x,2 ;\n%s\n' 'exists (x=1)' >$T/r.litmus
try --executions $T/r.litmus
try --executions --engine enumerate $T/r.litmus
sed 's/exists.*/forall (x=1)/' $T/r.litmus >$T/f.litmus
try --executions $T/f.litmus
