# A dump is of exactly what is checked: as many iterations of each loop, the same barriers, within the time limit.
cat >"$T/loop.litmus" <<'END'
PTX loop
{ x=0; y=0; }
 P0@cta 0,gpu 0       | P1@cta 0,gpu 0       ;
 L0:                  | st.relaxed.gpu y, 1  ;
 atom.add.u32 r0, x, 1 |                     ;
 ld.relaxed.gpu r1, y |                      ;
 setp.eq.u32 p, r1, 0 |                      ;
 @p bra L0            |                      ;
exists (x=2)
END
for n in 1 3; do try --unroll $n --dump=events "$T/loop.litmus"; done
echo "# more pairs with more iterations"
for n in 1 3; do
  ptxlit --unroll $n --dump=bounds "$T/loop.litmus" | grep '^co:'
  ptxlit --unroll $n --dump=cnf "$T/loop.litmus" | grep -c '^c .* rf '
done
echo "# two of three threads name the barrier: waiting for the third, which has ended, none ends: an empty clause"
cat >"$T/barrier.litmus" <<'END'
PTX barrier
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;
 st.weak x, 1   | bar.sync 0     |                ;
 bar.sync 0     | ld.weak r0, x  |                ;
exists (1:r0=0)
END
for model in ptx+G38=all ptx ptx+G38=users; do
  try --model $model --quiet "$T/barrier.litmus"
  ptxlit --model $model --dump=cnf "$T/barrier.litmus" | grep -x 0 | sort -u
done
try --unroll 1000 --timeout 0.3 --dump=cnf "$T/loop.litmus"
