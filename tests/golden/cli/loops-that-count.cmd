# Loops that count and need not reach the bound: a lock is tried six times and a flag looked at eight times, which is
# more than 4 and decided all the same; a counter of turns that nothing reads is no reason to go round again. A counter
# that is observed is, and what is tried 40 times is too much; fewer iterations than the default are so many.
count() { # NAME TIMES: looks at a flag so often
  cat >"$T/$1.litmus" <<END
PTX $1
{ f=0; d=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.weak d, 1        | mov.u32 r3, 0        ;
 st.release.gpu f, 1 | L:                   ;
                     | ld.acquire.gpu r0, f ;
                     | bne r0, 0, D         ;
                     | add.u32 r3, r3, 1    ;
                     | blt r3, $2, L        ;
                     | D:                   ;
                     | ld.weak r1, d        ;
exists (1:r0=1 /\\ 1:r1=0)
END
}
count eight 8
count forty 40
cat >"$T/tries.litmus" <<'END'
PTX tries
{ m=0; x=0; }
 P0@cta 0,gpu 0                        | P1@cta 1,gpu 0                        ;
 mov.u32 r3, 0                         | mov.u32 r3, 0                         ;
 mov.u32 r5, 0                         | mov.u32 r5, 0                         ;
 L:                                    | L:                                    ;
 atom.acquire.gpu.cas.b32 r0, m, 0, 1  | atom.acquire.gpu.cas.b32 r0, m, 0, 1  ;
 beq r0, 0, D                          | beq r0, 0, D                          ;
 add.u32 r3, r3, 1                     | add.u32 r3, r3, 1                     ;
 blt r3, 6, L                          | blt r3, 6, L                          ;
 bra E                                 | bra E                                 ;
 D:                                    | D:                                    ;
 ld.weak r1, x                         | ld.weak r1, x                         ;
 add.u32 r1, r1, 1                     | add.u32 r1, r1, 1                     ;
 st.weak x, r1                         | st.weak x, r1                         ;
 st.release.gpu m, 0                   | st.release.gpu m, 0                   ;
 mov.u32 r5, 1                         | mov.u32 r5, 1                         ;
 E:                                    | E:                                    ;
exists (0:r5=1 /\ 1:r5=1 /\ x=1)
END
cat >"$T/turns.litmus" <<'END'
PTX turns
{ f=0; d=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.weak d, 1        | mov.u32 r3, 0        ;
 st.release.gpu f, 1 | L:                   ;
                     | ld.acquire.gpu r0, f ;
                     | add.u32 r3, r3, 1    ;
                     | beq r0, 0, L         ;
                     | ld.weak r1, d        ;
exists (1:r1=0)
END
sed -e 's/PTX turns/PTX turns-seen/' \
    -e 's/^exists.*/exists (1:r1=0 \/\\ 1:r3=9)/' "$T/turns.litmus" >"$T/turns-seen.litmus"
try --model ptx,sc --quiet "$T/eight.litmus" "$T/tries.litmus" "$T/turns.litmus"
try --quiet "$T/turns-seen.litmus" "$T/forty.litmus"
try --unroll 3 --quiet "$T/eight.litmus"
try --engine=enumerate --quiet "$T/eight.litmus" "$T/turns.litmus"
