# What goes on for ever only after more turns than are looked at never `always` ends: a thread that hangs after its 18th
# turn, one that waits for a value that has come and gone, and one that counts round and never gets to 17. Worked out by
# hand; two that do end, after 18 turns, stand beside them.
cat >"$T/late-hang.litmus" <<'END'
PTX late-hang
{ x=0; y=0; }
 P0@cta 0,gpu 0 ;
L: ;
 atom.relaxed.gpu.add.u32 r0, [x], 1 ;
 bne r0, 18, L ;
M: ;
 ld.relaxed.gpu.u32 r1, [y] ;
 beq r1, 0, M ;
exists (x=19)
END
cat >"$T/late-hang-two.litmus" <<'END'
PTX late-hang-two
{ x=0; y=0; }
 P0@cta 0,gpu 0                  | P1@cta 1,gpu 0 ;
L:                               | M: ;
 ld.relaxed.gpu.u32 r0, [x]      | ld.relaxed.gpu.u32 r0, [x] ;
 add r0, r0, 1                   | beq r0, 18, M ;
 st.relaxed.gpu.u32 [x], r0      | ;
 bne r0, 18, L                   | ;
exists (x=18)
END
cat >"$T/cycle-of-three.litmus" <<'END'
PTX cycle-of-three
{ x=0; }
 P0@cta 0,gpu 0                  ;
L:                               ;
 ld.relaxed.gpu.u32 r0, [x] ;
 add r0, r0, 1 ;
 and r0, r0, 15 ;
 st.relaxed.gpu.u32 [x], r0 ;
 bne r0, 17, L ;
exists (x=1)
END
cat >"$T/ends-two.litmus" <<'END'
PTX ends-two
{ x=0; y=0; }
 P0@cta 0,gpu 0                  | P1@cta 1,gpu 0 ;
L:                               | M: ;
 ld.relaxed.gpu.u32 r0, [x]      | ld.relaxed.gpu.u32 r0, [x] ;
 add r0, r0, 1                   | bne r0, 18, M ;
 st.relaxed.gpu.u32 [x], r0      | ;
 bne r0, 18, L                   | ;
exists (x=18)
END
cat >"$T/counts-down.litmus" <<'END'
PTX counts-down
{ x=18; }
 P0@cta 0,gpu 0                  ;
L:                               ;
 ld.relaxed.gpu.u32 r0, [x] ;
 sub r0, r0, 1 ;
 st.relaxed.gpu.u32 [x], r0 ;
 bne r0, 0, L ;
exists (x=0)
END
for test in late-hang late-hang-two cycle-of-three ends-two counts-down; do
  ptxlit --check=termination "$T/$test.litmus" | grep -e ^Termination
done
# More iterations do not make less known.
cat >"$T/turns.litmus" <<'END'
PTX turns
{ x=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0                       ;
L:                                    | M:                                   ;
 atom.relaxed.gpu.exch.b32 r0, [x], 1 | atom.relaxed.gpu.exch.b32 r0, [x], 2 ;
 bne r0, 2, L                         | bne r0, 1, M                         ;
exists (x=1)
END
for bound in 4 16; do ptxlit --check=termination --unroll=$bound "$T/turns.litmus" | grep -e ^Termination; done
# P1 has to store y, and only behind 18 turns of P0 does that matter: where P1 need not begin, P0 waits for ever.
cat >"$T/late-wait.litmus" <<'END'
PTX late-wait
{ x=0; y=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0            ;
L:                                    | st.relaxed.gpu.u32 [x], 0 ;
 atom.relaxed.gpu.inc.u32 r0, [x], 31 | st.relaxed.gpu.u32 [y], 1 ;
 bne r0, 17, L                        |                           ;
M:                                    |                           ;
 ld.relaxed.gpu.u32 r1, [y]           |                           ;
 beq r1, 0, M                         |                           ;
exists (0:r1=1)
END
for progress in fair hsa obe lobe; do
  ptxlit --check=termination --progress=$progress "$T/late-wait.litmus" | grep -e ^Termination
done
