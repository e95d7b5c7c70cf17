# Every execution of an outcome: two writes of one value, and either may be the one that is read.
cat >"$T/t.litmus" <<'END'
PTX two-writers
{ x=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       | P2@cta 2,gpu 0       ;
 st.relaxed.gpu x, 1  | st.relaxed.gpu x, 1  | ld.relaxed.gpu r0, x ;
exists (2:r0=1)
END
ptxlit graph --pick=every "$T/t.litmus" | grep -e ' rf ' -e '^ends'
ptxlit graph --pick=every "$T/t.litmus" 2:r0=0 | grep -e ' fr ' -e '^ends'
# No execution has this outcome.
ptxlit graph --pick=every --model sc litmus/classic/SB.litmus
echo "status $?"
