# A comment `// ptxlit: LAUNCH` in a source is its test: for check, explain and a suite, which takes such sources from a
# directory. The source is compiled once; errors are at their places in it.
mkdir "$T/t" "$T/t/src"
cd "$T/t"
cat >k.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 to, .param .u32 n)
{
  .reg .pred %p1;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra END;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
END:
  ret;
}
PTX
cat >nvcc <<'END'
#!/bin/sh
echo ran >>"${0%/*}/ran"
while [ "$1" != -o ]; do shift; done
cat "${0%/*}/k.ptx" >"$2"
END
chmod +x nvcc
cat >src/k.cu <<'CU'
// ptxlit: fill<<<1, 32>>>(int A[32], 32)
__global__ void fill(int *to, int n) {
  if (threadIdx.x < n) to[threadIdx.x] = threadIdx.x;
}
  //ptxlit:fill<<<2,
  //            32>>>(int A[32],
  //                  32)
// no launch: "ptxlit: fill<<<1, 1>>>(int A[1], 1)"
CU
cp src/k.cu src/wrong.cu
cat >>src/wrong.cu <<'CU'
// ptxlit: fill<<<1, 32>>>(int A[4], 32)
// ptxlit: fill<<<1>>>(int A[4], 32)
CU
echo '__global__ void k(int *x) { *x = 1; }' >src/none.cu
try --quiet --compiler ./nvcc src/k.cu
wc -l <ran
try --quiet --compiler ./nvcc src/wrong.cu 2>&1
try explain --compiler ./nvcc src/k.cu | head -n 4
try suite --compiler ./nvcc src 2>&1
try suite --compiler ./nvcc --format json src |
  sed -n 's/.*"test":"\([^"]*\)".*"line":\([0-9]*\).*"verdict":"\([a-z]*\)".*/\1 \2 \3/p'
try --quiet --untrusted src/k.cu 2>&1
