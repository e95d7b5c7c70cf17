# The first candidate's values depend on themselves, and the barrier's phases are open: brute force must settle it by
# the relations of that candidate, not by what another left behind. It says of a deadlock only that there is one.
cat >"$T/t.litmus" <<'END'
PTX circular
{ x=0; }
 P0@cta 0,gpu 0           | P1@cta 0,gpu 0           ;
 ld.acquire.gpu.u32 r0, x | setp.eq.u32 p1, 1, 1     ;
 st.weak.u32 x, r0        | bar.red.or.pred p2, 1, p1 ;
                          | @!p2 bar.sync 0          ;
exists (0:r0=1)
END
for engine in sat enumerate; do ptxlit --reading=G38=all --engine=$engine "$T/t.litmus" | grep -v '^Time'; done
