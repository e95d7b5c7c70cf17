# Whatever a test asks: forall, ~exists, a filter, loops and locks, nothing that can be, something undefined, unknown.
cat >"$T/forall.litmus" <<'EOF'
PTX forall-and-filter
{ x=0; f=0; }
 P0@cta 0            | P1@cta 1             ;
 st.weak x, 1        | ld.relaxed.gpu r0, f ;
 st.relaxed.gpu f, 1 | ld.weak r1, x        ;
filter (1:r0=1)
forall (1:r1=1)
EOF
sed -e 's/forall-and-filter/not-exists/' -e 's/^forall.*/~exists (1:r1=0)/' "$T/forall.litmus" >"$T/not.litmus"
ptxlit fix "$T/forall.litmus" "$T/not.litmus"
sed -e 's/relaxed.gpu f, 1/release.gpu f, 1/' \
  -e 's/ld.relaxed.gpu r0/ld.acquire.sys r0/' "$T/forall.litmus" >"$T/right.litmus"
ptxlit fix "$T/right.litmus"
ptxlit fix --weaken "$T/right.litmus"
try fix litmus/loops/MP+spin-relaxed.litmus litmus/loops/lock-cas+relaxed-unlock.litmus
try fix --weaken litmus/loops/lock-cas+fences.litmus
try fix litmus/barriers/deadlock+surplus-arrival.litmus litmus/loops/MP+spin-count+bound.litmus
try fix --weaken litmus/barriers/deadlock+surplus-arrival.litmus docs/examples/discard.litmus
# Undefined: what gives it a meaning, and which; or that nothing does.
cat >"$T/mixed.litmus" <<'EOF'
PTX mixed-through-a-flag
{ .u64 data=0; flag=0; }
 P0@cta 0                | P1@cta 1                 ;
 st.weak.u64 data, 1     | ld.acquire.gpu r0, flag  ;
 st.relaxed.gpu flag, 1  | setp.eq.u32 p, r0, 0     ;
                         | @p bra DONE              ;
                         | ld.weak.u32 r1, [data]   ;
                         | DONE:                    ;
exists (1:r0=1 /\ 1:r1=0)
EOF
ptxlit fix "$T/mixed.litmus"
ptxlit fix --weaken "$T/mixed.litmus"
ptxlit fix --format=json "$T/mixed.litmus" | sed 's/"tried".*/.../'
try fix litmus/barriers/undefined+red-meets-sync.litmus
# In a .test file a thread may be on one line.
try fix docs/examples/mp.test
# Races.
try fix --races litmus/classic/SB+weak.litmus litmus/scopes/MP+release.gpu+acquire.cta.litmus litmus/classic/SB.litmus
try fix --races --model sc litmus/classic/SB.litmus
try fix --races --weaken litmus/classic/SB.litmus
# More than the smallest size, and how many are shown. No set contains a smaller one.
try fix --changes 3 --ways 2 litmus/cluster/MP+barrier.cluster.relaxed.litmus
try fix --changes 3 --ways 0 -f json litmus/cluster/MP+barrier.cluster.relaxed.litmus | tr , '\n' | grep -c '"kind"'
try fix --changes 5 litmus/classic/MP.litmus
# The limit is for the whole search, and said.
bench/generate sb-ring-relaxed 9 >"$T/ring.litmus"
ptxlit fix --timeout 0.3 "$T/ring.litmus" | grep -o 'the time limit was reached'
