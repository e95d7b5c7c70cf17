# Loops that write and yet come to nothing: what is repeated for ever is told, in every format, and drawn. Two threads
# that keep each other going; one alone with a store; and a lock that is always given back.
cat >"$T/alone.litmus" <<'END'
PTX alone
{ x=0; y=0; }
 P0@cta 0,gpu 0        | P1@cta 1,gpu 0       ;
 L:                    | st.relaxed.gpu x, 2  ;
 st.relaxed.gpu x, 1   |                      ;
 ld.relaxed.gpu r0, y  |                      ;
 beq r0, 0, L          |                      ;
exists (x=2)
END
cat >"$T/lock.litmus" <<'END'
PTX lock
{ l=1; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0      ;
 L:                             | st.relaxed.gpu l, 0 ;
 atom.relaxed.gpu.exch r0, l, 1 |                     ;
 bne r0, 0, L                   |                     ;
exists (l=1)
END
fro=litmus/loops/exch+to-and-fro.litmus
for test in "$fro" "$T/alone.litmus" "$T/lock.litmus"; do
  for progress in fair obe; do
    ptxlit --check=termination --progress=$progress "$test" | grep -e ^Bound -e ^Termination
  done
done
ptxlit --format=json --check=termination "$fro" | sed -e 's/.*"termination"/"termination"/' -e 's/,"expected".*//'
ptxlit --check=termination --engine=enumerate --unroll 2 "$T/alone.litmus" "$T/lock.litmus" | grep ^Termination
ptxlit graph --pick=deadlock "$fro"
# explain tells the turns that can be repeated, where the bound leaves a verdict open.
cat >"$T/never.litmus" <<'END'
PTX never
{ x=0; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0                 ;
 L0:                            | L1:                            ;
 atom.relaxed.gpu.exch r0, x, 0 | atom.relaxed.gpu.exch r0, x, 0 ;
 beq r0, 0, L0                  | beq r0, 0, L1                  ;
exists (x=1)
END
ptxlit explain "$T/never.litmus"
