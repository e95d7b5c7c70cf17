# A mistake in a launch: each message quotes what was typed, with the caret at its column.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 room[];
.visible .entry copy(.param .u64 .ptr .align 4 from, .param .u64 .ptr .align 4 to, .param .u32 n)
{
  .reg .pred %p1;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra END;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  st.global.u32 [%rd5], %r3;
END:
  ret;
}
.visible .entry mapped(.param .align 64 .b8 m[128], .param .u64 n) { ret; }
.visible .entry struct(.param .align 8 .b8 s[16], .param .u32 n) { ret; }
PTX
t() {
  printf '\n$ %s\n' "$1"
  ptxlit check --quiet "$T/k.ptx" "$1" 2>&1
}
t 'kopy<<<1, 32>>>(int a[32], int b[32], 32)'
t 'copy<<<1, 32>>>(int a[32], int b[32])'
t 'copy<<<1, 32>>>(int a[32], int b[32], 32, 5, 6)'
t 'copy<<<1, 32>>>(flaot a[32], b[32], 32)'
t 'copy<<<1, 32>>>(int a[32], int b[16], 32)'
t 'copy<<<1, 32>>>(int *a, int b[16], 32)'
t 'copy<<<1, 32>>>(int a[32], b, 32)'
t 'copy<<<1, 32>>>(int a[32], int b[32], int c[3])'
t 'copy<<<1, 32>>>(int a[32], int b[32], 99999999999)'
t 'copy<<<1, 32>>>(int a[32], int a[32], 4)'
t 'copy<<<0, 32>>>(int a[32], int b[32], 4)'
t 'copy<<<1, 2048>>>(int a[32], int b[32], 4)'
t 'copy<<<1, dim3(1,2,3,4)>>>(int a[32], int b[32], 4)'
t 'copy<<<1, N>>>(int a[32], int b[32], 4)'
t 'copy<<<1, -3>>>(int a[32], int b[32], 4)'
t 'copy<<<1>>>(int a[32], int b[32], 4)'
t 'copy<<<1, >>>(int a[32], int b[32], 4)'
t 'copy<<<>>>(int a[32], int b[32], 4)'
t 'copy<<<1, 32, 99999999>>>(int a[32], int b[32], 4)'
t 'copy<<<1, 32, dim3(1,2)>>>(int a[32], int b[32], 4)'
t 'copy<<<1, 32, 0, stream>>>(int a[32], int b[32], 4)'
t 'copy<<<1, 32, 1k>>>(int a[32], int b[32], 4)'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) cluster 3'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) cluster'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) cluster 32'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) clutser 2'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) cooperative 2'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) coperative'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) threads 3'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) threads 3,3'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) threads 0,3 threads 0,4'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) exists (a=1)'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) Expect=ptx:Safe'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4);'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) __cluster_dims__(2)'
t 'copy<<<2, 32>>(int a[32], int b[32], 4)'
t 'copy<<<2, 32>>>'
t 'copy<<<2, 32>>> int a[32]'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4'
t 'copy<<<2, 32>>>(int a[32), int b[32], 4)'
t 'copy<<<2, 32>>>(int a[32], , 4)'
t 'copy<<<2, 32>>>(int a[32], int b[0], 4)'
t 'copy<<<2, 32>>>(int a[n], int b[32], 4)'
t 'copy<<<2, 32>>>(int a[], int b[32], 4)'
t 'copy<<<2, 32>>>(int a[32]={1,2,3}, int b[2]={1,2,3,4}, 4)'
t 'copy<<<2, 32>>>(int a[32], int b[32], n)'
t 'copy<<<2, 32>>>(int a[32], nullptr, 3)'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4*8)'
t 'copy<<<2, 32>>>(int a[8*4], int b[32], 32)'
t 'copy<<<2, 32>>>(int a[32], int b[32], (int)4)'
t 'copy<<<2, 32>>>(int a[32], int b[32], 1.5f)'
t 'copy<<<2, 32>>>(int a[32], int b[32], sizeof(int))'
t 'copy<<<2, 32>>>(int a[32], int b[32], true)'
t 'copy<float><<<2, 32>>>(int a[32], int b[32], 4)'
t '<<<2, 32>>>(int a[32], int b[32], 4)'
t 'copy<<<2, 32>>>({int a[32]}, int b[32], 4)'
t 'copy<<<2, 32>>>(int a[4][8], int b[32], 4)'
t 'copy<<<2, 32>>>(int a[32] int b[32], 4)'
t 'copy<<<2, 32>>>(int a[32], int b[99999999999], 4)'
t 'struct<<<1, 1>>>({int a[2], 1, 2}, 3)'
t 'struct<<<1, 1>>>({int a[2]}, 3)'
t 'struct<<<1, 1>>>({int a[2], .u65 1}, 3)'
t 'struct<<<1, 1>>>({int a[2], .u32 x}, 3)'
t 'struct<<<1, 1>>>(int a[2], 3)'
t 'struct<<<1, 1>>>({int a[2], {1, 2}}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {.b16 A[64], .b16, dims 64, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {int A[64], .b16, dims 64, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {int A[64], .b32, dimz 64, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {int A[64], .b32, dims 64}, 3)'
t 'mapped<<<1, 1>>>(m = {int A[64], .b32, dims 64, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {int A[64], .b32, dims 128, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {A, .b32, dims 128, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap m = {int A[64], dims 64, box 64}, 3)'
t 'mapped<<<1, 1>>>(tensormap {int A[64], .b32, dims 64, box 64}, 3)'
t 'mapped<<<1, 1>>>(int m[32], 3)'
t 'copy<<<1, 32>>>(int a[32] @shared, int b[32], 4)'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) cluster 2 3 4 5'
t 'copy<<<2, 32>>>(int a[32], int b[32], "x")'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4} exists'
t 'copy<<<2, 32>>>(int a[32], int b[32], 4) }'
t 'copy<<<2, 32>>>(int a[32],
  int c[32],
  flot b[32], 4)'
t 'copy<<<2, 32>>>(int a[32], int b[32], int b[32])'
t 'copy<<<1, 32>>>(int a[32]; int b[32]; 32)'
# A right launch of each kind, after all this.
t 'copy<<<1, 32>>>(int a[32], int b[32], 32)'
t 'mapped<<<1, dim3 (4, 8)>>>(tensormap m = {.b16 A[64], .b16, dims 64, box 64}, 3);'
