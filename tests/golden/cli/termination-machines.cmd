# What one location shows of another, each worked out by hand. Only one atomic adds to x, so it finds 0 and goes on to
# store y, which the other thread waits for: in the machine of y the atomic must not return what it cannot in that of x.
cat >"$T/known-return.litmus" <<'END'
PTX known-return
{ x=0; y=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0                         ;
L:                                    | atom.relaxed.gpu.inc.u32 r0, [x], 3    ;
 atom.relaxed.gpu.exch.b32 r0, [x], 0 | bne r0, 0, E                           ;
 beq r0, 0, L                         | st.relaxed.gpu.u32 [y], 1              ;
M:                                    | E:                                     ;
 ld.relaxed.gpu.u32 r1, [y]           |                                        ;
 bne r1, 1, M                         |                                        ;
exists (0:r1=1)
END
# P1 stores x only after it has found y=1, which P0 writes after it has found x=0: P0 cannot wait for x=0 in vain, even
# where nobody needs to go on behind it. In the machine of x alone P1 has ended, in that of y it has stopped before.
cat >"$T/one-place-to-stop.litmus" <<'END'
PTX one-place-to-stop
{ x=0; y=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0                       ;
L:                                    | M:                                   ;
 ld.relaxed.gpu.u32 r0, [x]           | atom.relaxed.gpu.exch.b32 r0, [y], 0 ;
 bne r0, 0, L                         | bne r0, 1, M                         ;
N:                                    | st.relaxed.gpu.u32 [x], 1            ;
 atom.relaxed.gpu.exch.b32 r1, [y], 1 |                                      ;
 beq r1, 0, N                         |                                      ;
exists (0:r1=1)
END
# The last store of 0 to x comes after y=1. Who finds it finds y=1 in one interleaving; under ptx it may find y=0 still,
# and then x=1, which it wrote itself, for ever.
cat >"$T/order-of-two.litmus" <<'END'
PTX order-of-two
{ x=0; y=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0                       ;
L:                                    | M:                                   ;
 atom.relaxed.gpu.exch.b32 r0, [x], 1 | st.relaxed.gpu.u32 [x], 0            ;
 beq r0, 1, L                         | atom.relaxed.gpu.exch.b32 r1, [y], 1 ;
 ld.relaxed.gpu.u32 r1, [y]           | beq r1, 0, M                         ;
 beq r1, 0, L                         |                                      ;
exists (0:r0=0)
END
ptxlit --check=termination "$T/known-return.litmus" | grep ^Termination
ptxlit --check=termination --progress=hsa "$T/one-place-to-stop.litmus" | grep ^Termination
ptxlit --check=termination --model=sc,ptx "$T/order-of-two.litmus" | grep ^Termination
