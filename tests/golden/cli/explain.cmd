# Forbidden by one axiom, by two, through a barrier's phase; allowed by an interleaving, by a missing link of each kind,
# by a split atomic; undefined, unknown, unreachable; under models that know no causality.
try explain litmus/classic/MP+release.gpu+acquire.gpu.litmus
try explain litmus/rmw/atom.add+atom.add.litmus
try explain litmus/classic/SB.litmus '0:r0=1; 1:r1=0;'
try explain litmus/classic/MP.litmus
try explain litmus/classic/SB.litmus
try explain litmus/scopes/MP+release.gpu+acquire.cta.litmus
try explain litmus/proxies/MP+gen+texture.litmus
try explain litmus/errata/8.11.1-red-does-not-acquire.litmus
try explain litmus/rmw/atom.add+st.weak.litmus
try explain litmus/scopes/CoWW+relaxed.cta+other-cta.litmus
try explain litmus/mixed-size/MP+u64+u32+racy.litmus
try explain --model sc,tso litmus/classic/SB.litmus
try explain --format=json litmus/classic/MP+release.gpu+acquire.gpu.litmus
# Interleavings that must agree with the order of the fence.sc; values that need no memory; bits as outcomes show them.
try explain litmus/fences/SB+fence.sc.gpu.litmus '0:r0=1; 1:r1=0'
try explain litmus/barriers/__syncthreads_or.litmus '0:r1=1; 0:r2=0; 1:r1=1; 1:r2=0;'
try explain litmus/floats/add.f32+flushed-in-global.litmus '0:f0=0x00000001; x=0x00000000; y=0x00000002;'
# A witness with a cycle after one that had none until its writes were ordered.
sed '0,/gpu 0/s//gpu 1/' litmus/loops/lock-ttas.litmus >"$T/two-gpus.litmus"
try explain "$T/two-gpus.litmus"
