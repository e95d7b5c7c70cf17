# The lanes of a warp wait at elect.sync for one another (G88), so that none of them still waits for a phase that the
# elected one has left behind. Where lane 0 goes ahead without that, another may, for ever.
K=tests/golden/kernels
lane='.reg .b32 t; mov.u32 t, %tid.x; setp.eq.u32 p, t, 0;'
sed "s/elect.sync _|p, 0xffffffff;/$lane/" $K/elect-ring.ptx >"$T/lane.ptx"
for module in $K/elect-ring.ptx "$T/lane.ptx"; do
  ptxlit check --quiet "$module" 'elect_ring<<<1, 64>>>(int tiles[96], int out[32], 3)'
done
