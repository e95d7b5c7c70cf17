# ldmatrix and stmatrix are operations of a warp (K5): rows of lanes that have no column race as well. Thread 32 touches
# what lane 21 loads or stores, and nothing orders the two.
rows() { # OF THE WARP; OF THREAD 32
  cat >"$T/k.ptx" <<PTX
.version 8.0
.target sm_90
.address_size 64
.visible .entry rows(.param .u64 in)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .shared .align 16 .b8 s[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, s;
  setp.gt.u32 %p1, %r1, 31;
  @%p1 bra OTHER;
  and.b32 %r3, %r1, 7;
  shl.b32 %r3, %r3, 4;
  add.u32 %r3, %r2, %r3;
  $1
  bra END;
OTHER:
  setp.ne.u32 %p2, %r1, 32;
  @%p2 bra END;
  $2
END:
  ret;
}
PTX
  ptxlit check --format=herd "$T/k.ptx" 'rows<<<1, 64>>>(0)' 2>&1 | grep -e ^Verdict -e '^Unsafe.*race'
}
rows 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r3];' 'st.shared.u32 [%r2+84], 1;'
rows 'stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r4};' 'st.shared.u32 [%r2+84], 1;'
rows 'stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r4};' 'st.shared.u32 [%r2+128], 1;'
