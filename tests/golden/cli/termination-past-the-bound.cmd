# Whether loops end that write however often they go round. Two threads, neither of which can let the other go on for
# ever; a thread with two loops, of which each location rules out one; and a loop entered in the middle, whose lap does
# not begin where the loop does.
cat >"$T/both.litmus" <<'END'
PTX both
{ x=0; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0                 ;
 L0:                            | L1:                            ;
 atom.relaxed.gpu.exch r0, x, 0 | atom.relaxed.gpu.exch r0, x, 1 ;
 beq r0, 0, L0                  | beq r0, 1, L1                  ;
exists (x=1)
END
cat >"$T/two.litmus" <<'END'
PTX two
{ x=0; y=0; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0                 ;
 L:                             | atom.relaxed.gpu.exch r0, x, 1 ;
 atom.relaxed.gpu.exch r0, x, 0 |                                ;
 beq r0, 0, L                   |                                ;
 M:                             |                                ;
 atom.relaxed.gpu.exch r1, x, 0 |                                ;
 beq r1, 1, END                 |                                ;
 atom.relaxed.gpu.exch r2, y, 1 |                                ;
 beq r2, 1, M                   |                                ;
 END:                           |                                ;
exists (x=1)
END
cat >"$T/middle.litmus" <<'END'
PTX middle
{ x=1; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0      ;
 bra MIDDLE                     | st.relaxed.gpu x, 0 ;
 L:                             |                     ;
 st.relaxed.gpu x, 1            |                     ;
 MIDDLE:                        |                     ;
 atom.relaxed.gpu.exch r1, x, 1 |                     ;
 beq r1, 1, L                   |                     ;
exists (0:r1=0)
END
for test in both two middle; do
  for progress in fair hsa obe lobe; do
    ptxlit --check=termination --progress=$progress "$T/$test.litmus" | grep -e ^Termination
  done
done
ptxlit graph --pick=deadlock "$T/middle.litmus"
