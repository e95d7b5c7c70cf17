# wmma.load reads the whole matrix in each lane, and wmma.store writes an equal part of it; wmma.mma is arithmetic.
K=tests/golden/kernels/wmma-tile.ptx
for without in 1 $(grep -n bar.sync $K | cut -d: -f1); do
  sed "$without{/bar.sync/d;}" $K >"$T/tile.ptx"
  ptxlit check --format=herd "$T/tile.ptx" 'wmma_tile<<<1, 64>>>(half a[1536], half b[768], float c[512], 3)' 2>&1 |
    grep -e ^Verdict -e ^Unsafe
done
# A matrix in columns at a register's address of 32 bits, that nobody writes.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .shared .align 32 .b8 s[1024];
  .reg .b32 %r<4>;
  .reg .f32 %f<10>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, s;
  mov.u32 %r2, 16;
  wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%r1+0], %r2;
  wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8};
  ret;
}
PTX
ptxlit check --format=herd "$T/k.ptx" "k<<<1, 32>>>(float out[256])" 2>&1 | grep -e ^Verdict -e ^Unsafe
