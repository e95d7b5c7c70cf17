try --executions tests/golden/tests/SB.litmus
printf 'PTX races\n{ x=0; }\nP0@cta 0,gpu 0|P1@cta 1,gpu 0;\nst.weak x,1|st.weak x,2;\nexists (x=1)\n' >$T/r.litmus
try --executions $T/r.litmus
try --executions --engine enumerate $T/r.litmus
sed 's/exists.*/forall (x=1)/' $T/r.litmus >$T/f.litmus
try --executions $T/f.litmus
