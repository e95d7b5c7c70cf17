# What loads, stores, atomics and arithmetic make of values; each expected one was worked out by hand.
cat >"$T/values.litmus" <<'END'
PTX values
"What loads, stores, atomics and arithmetic make of values, in one thread"
Expect=ptx:Always ptx-7.5:Always ptx-6.0:Always sc:Always tso:Always coherence:Always
Section=9.4.1, 9.7.1, 9.7.8, 9.7.9.8, 9.7.15.5
(* Each expected value was worked out by hand: bytes of a word, extension by the type of a load, inc and dec that wrap,
   signed and unsigned comparison, shifts past the width, 16-bit arithmetic. *)
{
x=0; .u8 b[4]={1,2,3,255}; .u16 h=65535; a=5; d=0; e=7; .s32 m=-3; .u64 q=1; .u32 u=4294967295; v[4]={1,2,3,4}; c=9;
}
 P0@cta 0,gpu 0                         ;
 mov.u32 r0, 511                        ;
 st.weak.u8 [b], r0                     ;
 ld.weak.u32 r1, [b]                    ;
 ld.weak.s8 r2, [b+3]                   ;
 ld.weak.u8 r3, [b+3]                   ;
 add.s32 r4, r2, 0                      ;
 add.u32 r5, r3, 0                      ;
 atom.inc.u32 r6, [a], 5                ;
 atom.inc.u32 r7, [a], 5                ;
 atom.dec.u32 r8, [d], 3                ;
 atom.dec.u32 r9, [e], 3                ;
 atom.min.s32 r10, [m], 2               ;
 atom.max.s32 r11, [m], 2               ;
 atom.min.u32 r12, [u], 7               ;
 atom.cas.b64 r13, [q], 1, 9            ;
 atom.cas.b64 r14, [q], 1, 10           ;
 atom.exch.b32 r15, [c], 11             ;
 atom.and.b32 r16, [c], 6               ;
 atom.or.b32 r17, [c], 8                ;
 atom.xor.b32 r18, [c], 15              ;
 ld.weak.v4.u32 {r20,r21,r22,r23}, [v] ;
 st.weak.v2.u32 [v], {r23, r22}        ;
 ld.weak.u64 r24, [v]                  ;
 shr.s32 r25, -8, 40                    ;
 shl.b32 r26, 1, 33                     ;
 mov.u64 r27, v                        ;
 ld.weak.u32 r28, [r27+8]               ;
 add.u64 r29, r27, 12                   ;
 ld.weak.u32 r30, [r29]                 ;
 sub.u16 r31, 3, 5                      ;
 setp.lt.s32 p1, -1, 1                  ;
 setp.lt.u32 p2, -1, 1                  ;
 selp.u32 r32, 10, 20, p1               ;
 @!p2 mov.u32 r33, 1                    ;
 popc.b64 r34, 255                      ;
 mul.hi.u32 r35, 4294967295, 4294967295 ;
 min.s16 r36, -1, 1                     ;
 neg.s32 r37, 5                         ;
 mul.wide.s32 r38, -2, 3                ;
 red.add.u32 [x], 4                     ;
 red.add.u32 [x], 4294967295            ;
 atom.add.s32 r39, [x], -1              ;
 ld.weak.u16 r40, [h]                   ;
 add.u16 r41, r40, 1                    ;
 not.b16 r42, r40                       ;
forall (0:r1=0xff0302ff /\ 0:r4=-1 /\ 0:r5=255 /\ 0:r6=5 /\ 0:r7=0 /\ a=1 /\ 0:r8=0 /\ d=3 /\ 0:r9=7 /\ e=3
        /\ 0:r10=-3 /\ 0:r11=-3 /\ m=2 /\ 0:r12=4294967295 /\ u=7 /\ 0:r13=1 /\ 0:r14=9 /\ q=9 /\ 0:r15=9
        /\ 0:r16=11 /\ 0:r17=2 /\ 0:r18=10 /\ c=5 /\ 0:r20=1 /\ 0:r23=4 /\ v[0]=4 /\ v[1]=3
        /\ 0:r24=0x300000004 /\ 0:r25=-1 /\ 0:r26=0 /\ 0:r28=3 /\ 0:r30=4 /\ 0:r31=65534 /\ 0:r32=10 /\ 0:r33=1
        /\ 0:r34=8 /\ 0:r35=4294967294 /\ 0:r36=-1 /\ 0:r37=-5 /\ 0:r38=-6 /\ x=2 /\ 0:r39=3 /\ 0:r41=0
        /\ 0:r42=0)
END
try --quiet --model ptx,sc "$T/values.litmus"
