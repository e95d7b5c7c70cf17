# Weak accesses, a scope that leaves out the other thread, another proxy, mixed sizes, no race, a model without races.
try races litmus/classic/SB+weak.litmus litmus/scopes/MP+release.gpu+acquire.cta.litmus
try races litmus/proxies/MP+gen+texture.litmus litmus/mixed-size/MP+u64+u32+racy.litmus
try races --model ptx,sc litmus/classic/MP.litmus
try races --format=json litmus/classic/SB+weak.litmus
# What orders the two comes first: the flag that is read, a barrier, a cluster's barrier. Strong alone is tried.
cat >"$T/flag.litmus" <<'END'
PTX flag
{ data=0; flag=0; }
 P0@cta 0,gpu 0  | P1@cta 1,gpu 0   ;
 st.weak data, 1 | ld.weak r0, flag ;
 st.weak flag, 1 | ld.weak r1, data ;
exists (1:r0=1 /\ 1:r1=0)
END
cat >"$T/cta.litmus" <<'END'
PTX cta
{ .shared .u32 x=0; }
 P0@cta 0     | P1@cta 0      ;
 st.weak x, 1 | ld.weak r0, x ;
              | ld.weak r1, x ;
forall (1:r0=0 \/ 1:r1=1)
END
cat >"$T/cluster.litmus" <<'END'
PTX cluster
{ x=0; }
 P0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;
 st.weak x, 1       | st.weak x, 2       ;
exists (x=1)
END
ptxlit races "$T/flag.litmus" "$T/cta.litmus" "$T/cluster.litmus" | grep -v -e '^        P[0-9]* line' -e 'it ends with'
# A signal tells more than what the racing accesses read of each other: here the lock's.
ptxlit races litmus/loops/lock-cas+relaxed-unlock.litmus | grep -v -e '^        P[0-9]* line' -e 'it ends with'
# An asynchronous operation is not in program order with its thread: weak accesses of the two are not morally strong.
ptxlit races litmus/async/cp.async+not-committed.litmus | grep 'not morally strong'
# It lacks a wait there, and no fence.
ptxlit races litmus/async/load+no-wait.litmus | grep -A3 'not ordered: .cp.async'
# A clause about one access is no race.
ptxlit races litmus/async/bug-DeepEP-657-mended.litmus | head -6
ptxlit races --format=json litmus/async/bug-DeepEP-657-mended.litmus | grep -o '"races.*"cure":[^,]*'
