# Arithmetic on values that are known only when a load has read them: the solver's words, brute force, and what is
# right (computed here by hand) agree.
cat >"$T/arithmetic.litmus" <<'END'
PTX arithmetic
{ .global .u32 x = 4000000000; .global .s32 n = -7; }
 P0@cta 0,gpu 0               | P1@cta 1,gpu 0         ;
 ld.relaxed.gpu.u32 r0, [x]   | st.relaxed.gpu.u32 x, 9;
 ld.relaxed.gpu.s32 r1, [n]   |                        ;
 mul.hi.u32 r2, r0, r0        |                        ;
 mul.wide.u32 r3, r0, r0      |                        ;
 mul.hi.s32 r4, r1, r1        |                        ;
 mul.lo.u32 r5, r0, 3         |                        ;
 shr.u32 r6, r0, 4            |                        ;
 shr.s32 r7, r1, 1            |                        ;
 setp.gt.s32 p1, r1, 0        |                        ;
 selp.u32 r8, 1, 2, p1        |                        ;
 setp.le.u32 p2, r0, 9        |                        ;
 selp.u32 r9, 1, 2, p2        |                        ;
 max.s32 r10, r1, -9          |                        ;
 min.u32 r11, r0, 77          |                        ;
 shl.b32 r12, r0, r6          |                        ;
 popc.b32 r13, r0             |                        ;
 setp.ge.u32 p3, r0, 10       |                        ;
 selp.u32 r14, 5, 6, p3       |                        ;
locations [0:r0; 0:r1; 0:r2; 0:r3; 0:r4; 0:r5; 0:r6; 0:r7; 0:r8; 0:r9; 0:r10; 0:r11; 0:r12; 0:r13; 0:r14;]
forall (0:r0=9 /\ 0:r2=0 /\ 0:r3=81 /\ 0:r5=27 /\ 0:r6=0 /\ 0:r9=1 /\ 0:r11=9 /\ 0:r12=9 /\ 0:r13=2 /\ 0:r14=6 \/
        0:r0=4000000000 /\ 0:r2=3725290298 /\ 0:r3=16000000000000000000 /\ 0:r5=3410065408 /\ 0:r6=250000000 /\
        0:r9=2 /\ 0:r11=77 /\ 0:r12=0 /\ 0:r13=13 /\ 0:r14=5)
END
try "$T/arithmetic.litmus"
try --engine=enumerate --quiet "$T/arithmetic.litmus"
echo "# and as terms over what is read"
ptxlit --dump=events "$T/arithmetic.litmus" | head -n 4
ptxlit --dump=events litmus/rmw/atom.cas-exactly-one-wins.litmus | head -n 2
