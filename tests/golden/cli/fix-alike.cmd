# Columns of the same code are changed alike first, whatever their operands: the leaders of a grid barrier, which lack
# their fences; readers of which the condition is about one.
cat >"$T/grid.litmus" <<'END'
PTX grid
"A grid barrier of two CTAs, by their leaders: what each wrote before it, the other reads behind it"
{ x=0; y=0; count=0; }
 P0@cta 0,gpu 0                    | P1@cta 1,gpu 0                    ;
 st.weak x, 1                      | st.weak y, 1                      ;
 atom.relaxed.gpu.add r0, count, 1 | atom.relaxed.gpu.add r0, count, 1 ;
 L: ld.relaxed.gpu r1, count       | L: ld.relaxed.gpu r1, count       ;
 bne r1, 2, L                      | bne r1, 2, L                      ;
 ld.weak r2, y                     | ld.weak r2, x                     ;
exists (0:r2=0 \/ 1:r2=0)
END
try fix "$T/grid.litmus"
cat >"$T/readers.litmus" <<'END'
PTX readers
{ data=0; flag=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0          | P2@cta 2,gpu 0          | P3@cta 3,gpu 0          ;
 st.weak data, 1     | ld.relaxed.gpu r0, flag | ld.relaxed.gpu r5, flag | ld.relaxed.gpu r0, flag ;
 st.relaxed.gpu flag, 1 | ld.weak r1, data        | ld.weak r1, data        | ld.weak r1, data        ;
exists (1:r0=1 /\ 1:r1=0)
END
try fix "$T/readers.litmus"
