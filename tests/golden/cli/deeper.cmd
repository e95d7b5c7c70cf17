# Verdicts past the default bound: with twice as many iterations, or four times, the loop ends, or a state is there. By
# hand: the atomics of P0 leave 1 to 6 one after the other, and P1 may see the flag without the last of them; of ten
# that two threads share, one finds 9 and the other then 10. Fewer iterations than the default are not gone past.
cat >"$T/six.litmus" <<'END'
PTX six
{ x=0; y=0; }
 P0@cta 0,gpu 0                           | P1@cta 1,gpu 0         ;
 L: atom.relaxed.gpu.add.u32 r0, [x], 1   | ld.relaxed.gpu r0, y   ;
 bne r0, 5, L                             | ld.relaxed.gpu r1, x   ;
 st.relaxed.gpu y, 1                      |                        ;
exists (1:r0=1 /\ 1:r1=3)
END
cat >"$T/shared.litmus" <<'END'
PTX shared
{ x=0; }
 P0@cta 0,gpu 0                         | P1@cta 1,gpu 0                         ;
 L: atom.relaxed.gpu.add.u32 r0, [x], 1 | M: atom.relaxed.gpu.add.u32 r0, [x], 1 ;
 blt r0, 9, L                           | blt r0, 9, M                           ;
exists (x=11)
END
cat >"$T/racy.litmus" <<'END'
PTX racy
{ x=0; y=0; }
 P0@cta 0,gpu 0                         | P1@cta 1,gpu 0 ;
 L: atom.relaxed.gpu.add.u32 r0, [x], 1 | st.weak y, 1   ;
 bne r0, 5, L                           |                ;
 st.weak y, 2                           |                ;
exists (y=3)
END
sed -e 's/PTX six/PTX many/' -e 's/r0, 5, L/r0, 50, L/' "$T/six.litmus" >"$T/many.litmus"
try --quiet --model ptx,sc "$T/six.litmus" "$T/shared.litmus" "$T/many.litmus"
try --quiet --unroll 3 "$T/six.litmus"
try --certify "$T/six.litmus"
ptxlit explain "$T/six.litmus" | grep 'P0.*writes x='
# Of executions with six turns too, the picture of what is forbidden.
sed -e 's/ld.relaxed.gpu r0/ld.acquire.gpu r0/' -e 's/st.relaxed/st.release/' -e 's/r1=3/r1=0/' \
  "$T/six.litmus" >"$T/not.litmus"
ptxlit graph "$T/not.litmus" | sed -n 1,3p
# The race comes after the bound; where iterations are left out, that is no answer.
ptxlit races "$T/racy.litmus" | sed -n 1,4p
ptxlit races --unroll 3 "$T/racy.litmus"
