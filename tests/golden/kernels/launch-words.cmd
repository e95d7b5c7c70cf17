# A kernel and a location may have names that are keywords of tests, and types may be written as in CUDA C++.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry filter(.param .u64 a, .param .u64 b, .param .u64 c)
{
  .reg .b16 %rs<2>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.global.b16 %rs1, [%rd1+2];
  st.global.b16 [%rd2+6], %rs1;
  atom.global.add.u64 %rd4, [%rd3+8], 1;
  ret;
}
PTX
ptxlit check --quiet "$T/k.ptx" \
  'filter<<<1, 1>>>(const half exists[2], unsigned short int safe[4], unsigned long long c[2])'
ptxlit check -f herd "$T/k.ptx" 'filter<<<1, 1>>>(half filter[2], short b[4], long long c)' 2>&1 |
  grep -e ^Verdict -e ^Unsafe -e error:
ptxlit check --quiet "$T/k.ptx" 'filter<<<1, 1>>>(half a[2], long float b, size_t c[2])'
ptxlit check --quiet "$T/k.ptx" 'filter<<<1, 1>>>(half2 a, ushort4 b, ulonglong2 c={1, 2})'
ptxlit check -f herd "$T/k.ptx" 'filter<<<1, 1>>>(half2 a, short3 b[1], int3 c[2]={1, 2, 3, 4, 5, 6})' 2>&1 |
  grep -e ^Verdict -e ^Unsafe -e error:
ptxlit check --quiet "$T/k.ptx" 'filter<<<1, 1>>>(half5 a, short b[4], long c[2])'
