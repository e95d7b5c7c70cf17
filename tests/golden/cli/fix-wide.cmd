# A vector access tears between its elements: one wider access does not. With a register as address, guarded, 64 bits,
# beside fences that are needed too.
try fix litmus/vectors/v2-torn-between-elements.litmus litmus/vectors/v2-final-values-mix.litmus
cat >"$T/guarded.litmus" <<'END'
PTX guarded
{ .u64 a[2]; P1:r9 = a; P1:wide2 = 7; }
 P0@cta 0,gpu 0                    | P1@cta 1,gpu 0                           ;
 st.relaxed.gpu.v2.u64 [a], {1, 1} | setp.eq.u64 p, r9, r9                    ;
                                   | @p ld.relaxed.gpu.v2.u64 {rd0, rd1}, [r9] ;
exists (1:rd0=1 /\ 1:rd1=0 /\ 1:wide2=7)
END
try fix "$T/guarded.litmus"
cat >"$T/flag.litmus" <<'END'
PTX flag
"Data and flag in one vector store"
{ .u32 m[2]; x=0; }
 P0@cta 0,gpu 0                    | P1@cta 1,gpu 0                          ;
 st.relaxed.gpu x, 1               | ld.relaxed.gpu.v2.u32 {r0, r1}, [m]     ;
 st.relaxed.gpu.v2.u32 [m], {1, 5} | ld.relaxed.gpu r2, x                    ;
exists (1:r0=1 /\ 1:r1=0 \/ 1:r0=1 /\ 1:r2=0)
END
try fix "$T/flag.litmus"
# Four elements: of 16 bits one mov packs them, of 32 it takes two for the halves and one for both.
cat >"$T/four.litmus" <<'END'
PTX four
{ .u16 x[4]; .u32 y[4]; }
 P0@cta 0,gpu 0                          | P1@cta 1,gpu 0                                     ;
 st.relaxed.gpu.v4.u16 [x], {1, 2, 3, 4} | ld.relaxed.gpu.v4.u16 {rs0, rs1, rs2, rs3}, [x]    ;
exists (1:rs0=1 /\ 1:rs3=0)
END
try fix "$T/four.litmus"
sed -e 's/x, {/y, {/; s/\[x\]/[y]/g; s/v4.u16/v4.u32/g; s/rs/r/g' "$T/four.litmus" >"$T/long.litmus"
try fix "$T/long.litmus"
