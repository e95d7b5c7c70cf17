# What every set and relation that a model can name holds, on a test with an instruction of each kind. The six models do
# not use all of them, and both engines take them from one place: an error there shows here, in `po` of one instruction
# as in `incl` of a weak access.
cat >"$T/names.cat" <<'MODEL'
"every name"
MODEL
for set in F WEAK RLX ACQ REL ACQ_REL SC RED ATOM VOLATILE MMIO CTA CLUSTER GPU SYS GEN SUR TEX CON ALIAS; do
  echo "flag ~empty [$set] \\ [IW] as $set"
done >>"$T/names.cat"
cat >>"$T/names.cat" <<'MODEL'
flag ~empty po & int & (domain(rmw) * range(rmw) | (E \ M \ F) * (E \ M \ F)) as po-of-one-instruction
flag ~empty incl & (WEAK * E) as incl-weak
flag ~empty sr & (MMIO * MMIO) as sr-mmio
flag ~empty [WEAK] ; (scluster \ scta) as scluster-only
flag ~empty (loc \ vloc) \ (IW * _ | _ * IW) as loc-not-vloc
flag ~empty (loc & vloc) \ same-range as partial-overlap
flag ~empty partial \ (IW * _ | _ * IW) as partial
flag ~empty [IW] ; same-range as initial-range
flag ~empty rmw as rmw
flag ~empty addr as addr
flag ~empty data as data
flag ~empty ctrl as ctrl
flag ~empty bar as bar
flag ~empty bar-relaxed as bar-relaxed
MODEL
cat >"$T/kinds.litmus" <<'TEST'
PTX kinds
{
x=0; .u64 w=0; y @ generic aliases x; s @ surface aliases x; t @ texture aliases x; c @ constant aliases x;
int a[2]={0,0}; P1:r9=a;
}
 P0@cta 0,cluster 0,gpu 0    | P1@cta 1,cluster 0,gpu 0     | P2@cta 2,cluster 1,gpu 1    ;
 st.volatile x, 1            | ld.acquire.cluster r0, y     | ld.mmio.relaxed.sys r0, x   ;
 st.release.cta w, 1         | ld.weak.u32 r1, w            | st.mmio.relaxed.sys x, 2    ;
 red.relaxed.gpu.add x, 1    | beq r0, 0, L1                | fence.sc.sys                ;
 fence.acq_rel.gpu           | fence.proxy.alias            | sust s, 1                   ;
 barrier.cluster.arrive      | st.weak a, 1                 | fence.proxy.surface         ;
 barrier.cluster.wait        | L1: barrier.cluster.arrive.relaxed | fence.proxy.texture   ;
                             | barrier.cluster.wait         | fence.proxy.constant        ;
 bar.sync 1                  | and.b64 r8, r1, 1            | ld.weak r1, x               ;
                             | shl.b64 r8, r8, 2            |                             ;
                             | add.u64 r9, r9, r8           |                             ;
 atom.acq_rel.gpu.cas r2, x, 0, 5 | atom.add.u32 r3, [r9], r1 |                           ;
exists (0:r2=0)
TEST
try --model "$T/names.cat" --races "$T/kinds.litmus"
