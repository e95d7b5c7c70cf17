# Tests that nobody wrote: small sizes whole, minimal ones, cycles, random ones, and wrong words.
try generate --events 2 --instructions ld.acquire,st --scopes gpu --placements gpu --format json
try generate --minimal ptx --events 3 --scopes gpu --placements gpu
try generate --minimal ptx --events 3 --placements cta --instructions ld,st,bar.sync --scopes cta --output "$T/m"
ls "$T/m"
# Nothing in a minimal test can be weaker: what fix says of them without knowing where they come from.
for test in "$T"/m/*.litmus; do
  ptxlit fix --weaken "$test" | grep -q '^Nothing can be weaker' || echo "can be weaker: $test"
done
try generate --minimal ptx --events 3 --proxies surface,alias --placements cta --scopes cta -f json | grep -c surface
for cycle in 'PodWR Fre PodWR Fre' 'PosRR Fre Rfe' 'fence.sc.sys.dWR Fre.sys fence.sc.gpu.dWR Fre' \
  'PodWW release.cta Rfe.cta acquire.cta fence.proxy.surface.dRR surface Fre' 'Dpd.dRW Rfe Dpc.dRW Rfe' \
  'relaxed.gpu PosUR Fre' 'alias fence.proxy.alias.sWR Fre'; do
  try generate --cycle "$cycle" --expect ptx,sc
done
for cycle in '' 'Rfe' 'PodWR' 'PodWR Fre' 'PodRW Fre Rfe' 'bar.sync.dWR Fre.cta PodWR Fre' 'PodWRx Fre' \
  'PodWR release.gpu Fre PodWR Fre' \
  'Rfe.sys PodRW Rfe.cta PodRW Rfe.cta PodRR Fre'; do
  try generate --cycle "$cycle"
done
try generate --minimal rc11-scoped+LB=dependencies
try generate --random 3 --seed 5 --events 5 --instructions ld.relaxed,st.relaxed --scopes gpu --placements gpu
[ "$(ptxlit generate --random 500 -n 6)" = "$(ptxlit generate --random 500 -n 6)" ] && echo the same
[ "$(ptxlit generate --random 500 -n 6 -f json | sort -u | wc -l)" = 500 ] && echo all different
[ "$(for k in 1 2 3; do ptxlit generate -n 3 --shard "$k/3"; done | sort)" = "$(ptxlit generate -n 3 | sort)" ] &&
  echo the parts are the whole
for cycle in 'Mbe.sWR Fre' 'Mbe.relaxed.sWR Fre' 'cp.async.bulk Mbe.sWR Fre' 'cp.async cp.async.wait_all+Mbe.sWR Fre' \
  'Mbe+fence.proxy.async.sRW cp.async.bulk Rfe' 'cp.async.bulk cp.async.bulk.wait_group+Mbe.sRW Rfe' \
  'Mbe.sWR Fre.gpu' 'mbarrier.wait.dWR Fre PodWR Fre' 'cp.async.bulk acquire.cta Mbe.sWR Fre' 'Mbe+Mbe.sWR Fre' \
  'cp.async Rfe.cta PodRW cp.async PodRW Rfe' 'surface Mbe.sWR Fre' 'mbarrier.wait.release.sWR Fre'; do
  try generate --cycle "$cycle" --expect ptx
done
[ "$(ptxlit generate)" = "$(ptxlit generate --minimal ptx)" ] && echo by itself the minimal tests
ptxlit generate --expect ptx --shard 2/2 -f json | wc -l
ptxlit generate --most 3 -f json | wc -l
try generate --instructions ld,stt
try generate --instructions ld
try generate --scopes gpu,warp
try generate --proxies mirror
try generate --dependencies address
try generate --minimal ptx --events 2 --instructions ld.weak,red,atom.cas --scopes gpu --placements gpu
try generate --minimal ptx --random 3
try generate --shard 4/3
try generate a.litmus
try generate --events 13
ptxlit generate --cycle 'barrier.cluster.dWR Fre.cluster barrier.cluster.dWR Fre.cluster' --expect ptx,coherence
ptxlit generate --minimal ptx --events 4 --instructions ld.weak,st.weak,barrier.cluster --scopes cta \
  --placements cluster | grep PTX

# A constant load has the generic name of its location, so that the other one is no other way to say the same.
ptxlit generate --minimal ptx --events 4 --instructions ld.weak,st.weak --proxies alias,constant --scopes gpu \
  --placements gpu | grep PTX.*xa
