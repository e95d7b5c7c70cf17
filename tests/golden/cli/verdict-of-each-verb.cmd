# Where check says unknown or undefined, so does each verb, with the reason.
cp litmus/async/cp.async+mbarrier.litmus $T/async.litmus
cp litmus/cuda/cuda-if-else.litmus $T/cuda.litmus
cat >$T/loop.litmus <<'X'
PTX loop
{ x=0; }
 P0@cta 0,gpu 0            | P1@cta 1,gpu 0     ;
 mov.u32 r0, 0             | st.relaxed.gpu x,1 ;
 LOOP:                     |                    ;
 add.u32 r0, r0, 1         |                    ;
 ld.relaxed.gpu r1, x      |                    ;
 setp.eq.u32 p, r1, 0      |                    ;
 @p bra LOOP               |                    ;
exists (0:r0=40)
X
for verb in "check -q" graph "graph --pick witness" "graph --pick all" races explain "fix -t 100"; do
  for test in async:sc cuda:ptx loop:ptx; do
    echo "== $verb -m ${test#*:} ${test%:*}"
    ptxlit $verb -m "${test#*:}" "$T/${test%:*}.litmus" >$T/out 2>&1
    echo "status $?"
    head -n 4 $T/out
  done
done
# An undefined test is one to races too, which finds none.
ptxlit races litmus/barriers/undefined+arrive-then-sync.litmus
# A change that fix tries stands in no line of the test.
ptxlit fix -f json -t 100 -m coherence 'litmus/loops/MP+spin-acquire.cta+same-cta.litmus' | grep -o '"verdict":"[a-z]*"'
