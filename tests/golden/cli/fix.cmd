# Two changes, one of each kind, a wider scope, a proxy fence, nothing to fix, nothing that helps; and the other way.
try fix litmus/classic/MP.litmus litmus/classic/SB.litmus
try fix litmus/scopes/MP+release.gpu+acquire.cta.litmus litmus/proxies/MP+gen+texture.litmus
try fix litmus/classic/3.SB+fence.sc.gpu.litmus litmus/mixed-size/MP+u64+u32+racy.litmus
try fix litmus/cumulativity/MP+two-writers+one-flag.litmus
# Several fences in one gap, a cache operator that must go, a barrier, more than four changes.
try fix litmus/proxies/CoWR+surface+texture.litmus litmus/volatile-mmio/CoRR+ld.cv.litmus
try fix litmus/barriers/MP+bar.sync+constant-proxy.litmus litmus/cluster/MP+barrier.cluster.relaxed.litmus
bench/generate sb-ring-relaxed 5 >"$T/ring.litmus"
ptxlit fix "$T/ring.litmus"
try fix --format=json litmus/classic/SB.litmus
cat >"$T/strong.litmus" <<'END'
PTX strong
{ x=0; f=0; }
 P0@cta 0         | P1@cta 1             ;
 st.weak x, 1     | ld.acquire.sys r0, f ;
 fence.sc.sys     |                      ;
 st.release.gpu f, 1 | ld.weak r1, x     ;
exists (1:r0=1 /\ 1:r1=0)
END
cat >"$T/late.litmus" <<'END'
PTX late-fence
{ x=0; f=0; y=0; }
 P0@cta 0            | P1@cta 1             ;
 st.weak x, 1        | ld.acquire.gpu r0, f ;
 st.relaxed.gpu f, 1 | ld.weak r1, x        ;
 membar.gl           |                      ;
 st.weak y, 1        |                      ;
exists (1:r0=1 /\ 1:r1=0)
END
ptxlit fix --weaken "$T/strong.litmus"
ptxlit fix "$T/late.litmus"
try fix --weaken litmus/classic/SB.litmus litmus/classic/3.SB+fence.sc.gpu.litmus
ptxlit fix --weaken litmus/kernels/last-block.litmus
