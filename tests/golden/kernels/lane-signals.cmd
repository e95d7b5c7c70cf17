# The lanes of a warp wait at tcgen05.ld, its wait and their like for one another (K5, G88): where one of them then
# gives an accumulator back for all, no other one is still to see it ready. One that does so before its warp loads is a
# race. Two loads are enough here.
K=tests/golden/kernels
sed 's/tensor_ring(ta, tb, out, 3, 2)/tensor_ring(ta, tb, out, 3, 1)/' $K/tensor-ring.litmus >"$T/tensor-ring.litmus"
early='{ .reg .pred q; .reg .b32 l; mov.u32 l, %laneid; setp.eq.u32 q, l, 0; @q'
signals() { # LINE: before which the first lane of a warp arrives
  sed -e '327s/60/4/;61s/128/4/' -e '333s,.*,,;335s,.*,,' \
    -e "$1i add.s32 %r94, %r41, 16; $early mbarrier.arrive.shared::cta.b64 _, [%r94]; }" \
    $K/tensor-ring.ptx >"$T/tensor-ring.ptx"
  ptxlit check --quiet "$T/tensor-ring.litmus"
}
signals 335
signals 300
