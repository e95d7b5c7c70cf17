# What the rest of integer arithmetic makes of values; each expected one was worked out by hand from PTX ISA 9.4.
cat >"$T/values.litmus" <<'END'
PTX integers
"Products, divisions, bit fields, permutations, conversions and carries, in one thread"
Expect=ptx:Always
Section=9.7.1, 9.7.2, 9.7.6, 9.7.8, 9.7.10
{
a=0xf0; n=-7; .u64 q=0x8000000000000001; z=0; m=0xffffffff; five=5; w=0x12345678;
}
 P0@cta 0,gpu 0                             ;
 ld.weak.u32 r0, [a]                        ;
 ld.weak.s32 r1, [n]                        ;
 ld.weak.u64 rd2, [q]                       ;
 ld.weak.u32 r3, [z]                        ;
 ld.weak.u32 r4, [m]                        ;
 ld.weak.u32 r5, [five]                     ;
 ld.weak.u32 r6, [w]                        ;
 mad.lo.u32 a0, r5, r5, r0                  ;
 mad.hi.u32 a1, r4, r4, 3                   ;
 mad.wide.s32 a2, r1, 3, 100                ;
 mul24.lo.u32 a3, 0xff000003, r5            ;
 mul24.hi.u32 a4, r4, r4                    ;
 div.s32 a5, r1, 2                          ;
 rem.s32 a6, r1, 2                          ;
 div.u32 a7, r6, r5                         ;
 rem.u32 a8, r6, r5                         ;
 div.s32 a9, 100, r1                        ;
 rem.s32 a10, 100, r1                       ;
 sad.s32 a11, r1, r5, 1                     ;
 sad.u32 a12, r5, r0, 1                     ;
 bfe.u32 a13, r6, 8, 12                     ;
 bfe.s32 a14, r0, 4, 4                      ;
 bfe.s32 a15, r1, 30, 8                     ;
 bfi.b32 a16, r5, r6, 4, 8                  ;
 bfind.u32 a17, r0                          ;
 bfind.s32 a18, r1                          ;
 bfind.u32 a19, r3                          ;
 bfind.shiftamt.u32 a20, r0                 ;
 brev.b32 a21, r0                           ;
 brev.b64 a22, rd2                          ;
 clz.b32 a23, r0                            ;
 clz.b64 a24, rd2                           ;
 clz.b32 a25, r3                            ;
 popc.b32 a26, r6                           ;
 fns.b32 a27, r0, 0, 2                      ;
 fns.b32 a28, r0, 6, -3                     ;
 fns.b32 a29, r0, 5, 0                      ;
 lop3.b32 a30, r0, r6, r5, 0x96             ;
 lop3.b32 a31, r0, r6, r5, 0xe8             ;
 shf.l.wrap.b32 a32, r6, r0, 36             ;
 shf.r.clamp.b32 a33, r6, r0, 40            ;
 shf.r.wrap.b32 a34, r6, r0, 8              ;
 prmt.b32 a35, r6, r0, 0x4012               ;
 prmt.b32 a36, r0, r3, 0x8888               ;
 prmt.b32.rc8 a37, r6, r3, 2                ;
 prmt.b32.f4e a38, r6, r0, 1                ;
 dp4a.u32.u32 a39, r6, 0x01020304, 10       ;
 dp4a.s32.s32 a40, r4, 0x01020304, 0        ;
 dp2a.lo.u32.u32 a41, r6, 0x01020304, 0     ;
 cvt.s8.s32 a42, r0                         ;
 cvt.u8.s32 a43, r1                         ;
 cvt.sat.u8.s32 a44, r1                     ;
 cvt.sat.s8.u32 a45, r0                     ;
 cvt.s64.s32 a46, r1                        ;
 cvt.u64.u32 a47, r1                        ;
 set.lt.u32.s32 a48, r1, 0                  ;
 set.lt.u32.u32 a49, r1, 0                  ;
 slct.u32.s32 a50, 10, 20, r1               ;
 cnot.b32 a51, r3                           ;
 szext.wrap.s32 a52, r0, 8                  ;
 szext.clamp.u32 a53, r6, 40                ;
 bmsk.clamp.b32 a54, 4, 8                   ;
 bmsk.wrap.b32 a55, 28, 8                   ;
 add.cc.u32 a56, r4, 1                      ;
 addc.u32 a57, r3, 7                        ;
 sub.cc.u32 a58, r3, 1                      ;
 subc.cc.u32 a59, r3, 0                     ;
 subc.u32 a60, r3, 0                        ;
 mad.lo.cc.u32 a61, r4, r4, r4              ;
 madc.hi.u32 a62, r4, r4, 0                 ;
 add.sat.s32 a63, 0x7ffffff0, 100           ;
 sub.sat.s32 a64, -2147483648, 1            ;
 add.cc.u32 r6, r6, r4                      ;
 addc.cc.u32 a65, 0, 0                      ;
 setp.ne.u32 p1, r5, 5                      ;
 set.eq.or.u32.u32 a66, r3, 1, !p1          ;
 mad24.lo.s32 a67, 0xffffff, 2, 5           ;
forall (0:a0=265 /\ 0:a1=1 /\ 0:a2=79 /\ 0:a3=15 /\ 0:a4=0xfffffe00 /\ 0:a5=-3 /\ 0:a6=-1 /\ 0:a7=61083979
        /\ 0:a8=1 /\ 0:a9=-14 /\ 0:a10=2 /\ 0:a11=13 /\ 0:a12=236 /\ 0:a13=0x456 /\ 0:a14=-1 /\ 0:a15=-1
        /\ 0:a16=0x12345058 /\ 0:a17=7 /\ 0:a18=2 /\ 0:a19=0xffffffff /\ 0:a20=24 /\ 0:a21=0x0f000000
        /\ 0:a22=0x8000000000000001 /\ 0:a23=24 /\ 0:a24=0 /\ 0:a25=32 /\ 0:a26=13 /\ 0:a27=5 /\ 0:a28=4
        /\ 0:a29=5 /\ 0:a30=0x1234568d /\ 0:a31=0x70 /\ 0:a32=0xf01 /\ 0:a33=0xf0 /\ 0:a34=0xf0123456
        /\ 0:a35=0xf0785634 /\ 0:a36=0xffffffff /\ 0:a37=0x34343434 /\ 0:a38=0xf0123456 /\ 0:a39=870
        /\ 0:a40=-10 /\ 0:a41=102524 /\ 0:a42=-16 /\ 0:a43=249 /\ 0:a44=0 /\ 0:a45=127 /\ 0:a46=-7
        /\ 0:a47=4294967289 /\ 0:a48=0xffffffff /\ 0:a49=0 /\ 0:a50=20 /\ 0:a51=1 /\ 0:a52=-16
        /\ 0:a53=0x12345678 /\ 0:a54=0xff0 /\ 0:a55=0xf0000000 /\ 0:a56=0 /\ 0:a57=8 /\ 0:a58=0xffffffff
        /\ 0:a59=0xffffffff /\ 0:a60=0xffffffff /\ 0:a61=0 /\ 0:a62=0xffffffff /\ 0:a63=0x7fffffff
        /\ 0:a64=-2147483648 /\ 0:r6=0x12345677 /\ 0:a65=1 /\ 0:a66=0xffffffff /\ 0:a67=3)
END
try --quiet --model ptx "$T/values.litmus"
try --quiet --engine=enumerate "$T/values.litmus"
