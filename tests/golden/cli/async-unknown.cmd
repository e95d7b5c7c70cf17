# What is read and not modelled is unknown, with the place: no error, and no answer.
n=0
while read -r form; do
  n=$((n + 1))
  {
    printf 'PTX t%s\n{\n.b128 x; .shared .b128 s; .tmem .u32 d=0; ' "$n"
    printf 'tensormap tm={x}; .b32 y[16]; .shared .b32 t[16]; '
    printf 'tensormap ty={y, .b32, dims 4 2 2, lower 0, upper -1, channels 4, pixels 2}; '
    printf 'mbarrier b=1; .u64 0:rd1=0; 0:r5=0; 0:r1=0; 0:rd2=0;\n'
    printf '}\n P0@cta 0 ;\n %s ;\nexists (0=0)\n' "$form"
  } >"$T/t.litmus"
  ptxlit --quiet "$T/t.litmus" | sed "s|^Test t$n ptx ||"
done <<'END'
mbarrier.init.layout::v1.shared::cta.b64 [b], 1
mbarrier.check_layout.b64 p0, [b]
mbarrier.check_layout.layout::v1.shared::cta.b64 p0, [b]
mbarrier.test_wait.phase_type::conditional.shared::cta.b64 p0, [b], rd1
mbarrier.arrive.shared::cluster.multicast::cluster::32b.b64 _, [b], 1, 3
cp.async.bulk.global.shared::cta.bulk_group.cp_mask [x], [s], 16, 3
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [s], [x], 16, 0, 0, [b]
cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [s], [tm, {0, 0, 0}], [b], {1}
cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [s], [tm, {16}], [b]
cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [t], [ty, {0, 1, 0}], [b], {0}
cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [t], [ty, {0, 0, 0}], [b], {r1}
cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [t], [ty, {0, -1, 0}], [b], {2, 0}
tensormap.replace.tile.rank.global.b1024.b32 [tm], 1
tcgen05.shift.cta_group::1.down [d]
tcgen05.mma.sp.cta_group::1.kind::f16 [d], [s], [s], [d], r1, 1
tcgen05.mma.cta_group::1.kind::f16.ashift [r5], [r5], [s], r1, 1
tcgen05.cp.cta_group::1.4x256b [r5], [s]
tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.u32 {r1, r2}, r3, [r5], 4
tcgen05.ld.sync.aligned.32x32b.x2.b32 {r1, r2}, [d]
tcgen05.cp.cta_group::1.32x128b.warpx4 [r5], rd1
tcgen05.mma.cta_group::1.kind::f16 [r5], rd1, rd2, r1, 1
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {r1, r2, r3, r4}, %rd1, %rd2, p0, 1, 1, 0, 0
st.bulk.shared::cta [s], 16, 0
END
