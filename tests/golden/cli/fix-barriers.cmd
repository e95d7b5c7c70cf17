# A barrier added for a warp, a CTA, a cluster; moved; an arrival that waits, or orders. And multimem accesses.
try fix litmus/barriers/bar.sync+predicated.litmus litmus/cluster/MP+dsmem+no-barrier.litmus
try fix litmus/warp/MP+__syncwarp+unplaced-warps.litmus litmus/warp/MP+bar.warp.sync+two-masks.litmus
try fix litmus/barriers/CoWW+bar.sync+both-behind.litmus litmus/barriers/MP+bar.sync+bar.arrive.litmus
try fix --changes 2 litmus/cluster/MP+barrier.cluster.relaxed.litmus
try fix litmus/multimem/multimem.red+cta-scope.litmus litmus/multimem/MP+multimem.weak.litmus
# In one CTA: release and acquire, or a barrier, or fences.
cat >"$T/cta.litmus" <<'EOF'
PTX one-cta
{ x=0; f=0; }
 P0@cta 0       | P1@cta 0       ;
 st.weak x, 1   | ld.weak r0, f  ;
 st.weak f, 1   | ld.weak r1, x  ;
exists (1:r0=1 /\ 1:r1=0)
EOF
ptxlit fix "$T/cta.litmus"
# A thread without instructions, and one that may leave early: a barrier must be met by all, on every way.
cat >"$T/early.litmus" <<'EOF'
PTX early
{ x=0; }
 P0@cta 0       | P1@cta 0       | P2@cta 0 ;
 st.weak x, 1   | ld.weak r0, x  |          ;
exists (1:r0=0)
EOF
cat >"$T/exit.litmus" <<'EOF'
PTX leaves
{ x=0; y=0; }
 P0@cta 0       | P1@cta 0       ;
 ld.weak r0, y  | ld.weak r0, x  ;
 setp.eq.u32 p, r0, 1 |          ;
 @p exit        |                ;
 st.weak x, 1   |                ;
exists (1:r0=0)
EOF
ptxlit fix "$T/early.litmus" "$T/exit.litmus"
# Four threads with eight instructions each have too many places for a barrier: corresponding ones are tried.
awk 'BEGIN { print "PTX many\n{ a=0; b=0; }"
  for (t = 0; t < 4; t++) printf "%s P%d@cta 0", t ? " |" : "", t
  print " ;"
  for (i = 0; i < 5; i++) {
    for (t = 0; t < 4; t++) printf "%s %s", t ? " |" : "", t ? "ld.weak r" i ", a" : "st.weak a, " i + 1
    print " ;"
  }
  print "exists (1:r4=0)" }' >"$T/many.litmus"
ptxlit fix "$T/many.litmus"
try fix --weaken docs/examples/tile.litmus litmus/cluster/MP+fence+barrier.cluster.relaxed.litmus
cat >"$T/over.litmus" <<'EOF'
PTX over
"Release and acquire, and barriers too"
{ x=0; f=0; }
 P0@cta 0            | P1@cta 0             ;
 bar.sync 0          | bar.sync 0           ;
 st.weak x, 1        | bar.sync 1, 64       ;
 bar.sync 1, 64      | ld.acquire.cta r0, f ;
 st.release.cta f, 1 | ld.weak r1, x        ;
exists (1:r0=1 /\ 1:r1=0)
EOF
ptxlit fix --weaken "$T/over.litmus"
