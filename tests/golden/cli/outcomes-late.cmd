# An outcome that only more turns bring is never denied: with two iterations written out it is unknown, with more it is
# there. Worked out by hand. P0 has no fence behind the slow way, of four turns or more: SB is weak there, but not under
# sc, where one machine of all locations knows that it is not.
cat >"$T/weak-way.litmus" <<'END'
PTX weak-way
{ x=0; s=0; a=0; b=0; }
 P0@cta 0,gpu 0                      | P1@cta 1,gpu 0             | P2@cta 2,gpu 0            ;
 ld.relaxed.gpu.u32 r6, [s]          | st.relaxed.gpu.u32 [b], 1  | st.relaxed.gpu.u32 [s], 1 ;
 beq r6, 1, F                        | fence.sc.gpu               | st.relaxed.gpu.u32 [x], 0 ;
L:                                   | ld.relaxed.gpu.u32 r1, [a] |                           ;
 atom.relaxed.gpu.inc.u32 r0, [x], 7 |                            |                           ;
 bne r0, 3, L                        |                            |                           ;
 st.relaxed.gpu.u32 [a], 1           |                            |                           ;
 ld.relaxed.gpu.u32 r1, [b]          |                            |                           ;
 bra E                               |                            |                           ;
F:                                   |                            |                           ;
 st.relaxed.gpu.u32 [a], 1           |                            |                           ;
 fence.sc.gpu                        |                            |                           ;
 ld.relaxed.gpu.u32 r1, [b]          |                            |                           ;
E:                                   |                            |                           ;
exists (0:r1=0 /\ 1:r1=0)
END
# P1 comes to the barrier once or seven times before P0 finds f=1, and each time P0 goes round once more: P0 cannot find
# at once what P1 stores, and end, and so be waited for no longer (B9, G42).
cat >"$T/barrier-in-loop.litmus" <<'END'
PTX barrier-in-loop
{ f=0; s=0; }
 P0@cta 0,gpu 0                       | P1@cta 0,gpu 0             | P2@cta 1,gpu 0            ;
L:                                    | ld.relaxed.gpu.u32 r6, [s] | st.relaxed.gpu.u32 [s], 1 ;
 barrier.cta.sync 0                   | beq r6, 1, G               |                           ;
 atom.relaxed.gpu.exch.b32 r0, [f], 0 | barrier.cta.sync 0         |                           ;
 beq r0, 0, L                         | barrier.cta.sync 0         |                           ;
                                      | barrier.cta.sync 0         |                           ;
                                      | barrier.cta.sync 0         |                           ;
                                      | barrier.cta.sync 0         |                           ;
                                      | barrier.cta.sync 0         |                           ;
                                      | G:                         |                           ;
                                      | st.relaxed.gpu.u32 [f], 1  |                           ;
                                      | barrier.cta.sync 0         |                           ;
exists (1:r6=0)
END
# x becomes 5, 3 and 1 in three turns of P0, or P1 does not wait for it: the turn between the first and the last one
# reads what neither of them does.
cat >"$T/down-hill.litmus" <<'END'
PTX down-hill
{ x=0; y=5; f=0; s=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0             | P2@cta 2,gpu 0            ;
L:                                    | ld.relaxed.gpu.u32 r6, [s] | st.relaxed.gpu.u32 [s], 1 ;
 ld.relaxed.gpu.u32 r2, [y]           | beq r6, 1, G               |                           ;
 st.relaxed.gpu.u32 [x], r2           | A:                         |                           ;
 atom.relaxed.gpu.exch.b32 r0, [f], 0 | ld.relaxed.gpu.u32 r1, [x] |                           ;
 beq r0, 0, L                         | bne r1, 5, A               |                           ;
                                      | st.relaxed.gpu.u32 [y], 3  |                           ;
                                      | B:                         |                           ;
                                      | ld.relaxed.gpu.u32 r1, [x] |                           ;
                                      | bne r1, 3, B               |                           ;
                                      | st.relaxed.gpu.u32 [y], 1  |                           ;
                                      | C:                         |                           ;
                                      | ld.relaxed.gpu.u32 r1, [x] |                           ;
                                      | bne r1, 1, C               |                           ;
                                      | G:                         |                           ;
                                      | st.relaxed.gpu.u32 [f], 1  |                           ;
exists (1:r6=0)
END
for test in weak-way barrier-in-loop down-hill; do
  for bound in 2 8; do
    echo "$bound iterations"
    ptxlit --quiet --unroll=$bound --model=ptx,sc "$T/$test.litmus" 2>&1 | sed "s|$T/||g"
  done
done
