# A launch in place of a test file: the kernel is safe or not, with the places, and the status says which was expected.
try check --quiet litmus/kernels/ring-buffer.ptx 'ring_buffer<<<2, 1>>>(int slots[2], unsigned head, int out)'
try check litmus/kernels/ring-buffer.ptx 'ring_buffer_no_fence<<<2, 1>>>(int slots[2], unsigned head, int out)'
try check --quiet litmus/kernels/ring-buffer.ptx 'ring_buffer(int slots[2])'

# Columns may ask the same: a race, a hang, a trap.
mp() {
  cat >"$T/mp.litmus" <<END
PTX mp
{ x=0; f=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | L: $2          ;
 $1             | bne r0, 1, L   ;
                | ld.weak r1, x  ;
                | $3             ;
safe
END
  try --quiet "$T/mp.litmus"
}
mp 'st.release.gpu f, 1' 'ld.acquire.gpu r0, f'
mp 'st.relaxed.gpu f, 1' 'ld.relaxed.gpu r0, f'
mp 'st.release.gpu f, 2' 'ld.acquire.gpu r0, f'
mp 'st.release.gpu f, 1' 'ld.acquire.gpu r0, f' trap

# Threads that stand for others: 64 threads are a few columns; without the barrier the sum of one warp races.
cat >"$T/sum.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry sum(.param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<5>;
  .shared .align 4 .b8 sums[8];
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 31;
  setp.ne.s32 %p1, %r2, 0;
  @%p1 bra L;
  shr.u32 %r3, %r1, 3;
  mov.u32 %r4, sums;
  add.s32 %r5, %r4, %r3;
  st.shared.u32 [%r5], %r1;
L:
  bar.sync 0;
  setp.ne.s32 %p2, %r1, 0;
  @%p2 bra END;
  ld.shared.u32 %r6, [sums+4];
  st.global.u32 [%rd2], %r6;
END:
  ret;
}
END
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out)'
sed 's/bar.sync 0/bar.warp.sync -1/' "$T/sum.ptx" >"$T/race.ptx"
try check --quiet "$T/race.ptx" 'sum<<<1, 64>>>(int out)'

# A module alone is checked with a launch of each kernel; it reads as it stands, with the same verdict. --print makes a
# test of it.
cat >"$T/several.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 room[];
.visible .entry _Z4tilePi(.param .align 8 .b8 s[32], .param .u64 .ptr .align 4 out, .param .u16 few)
.reqntid 16, 8, 1
.reqnctapercluster 2
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [s+8];
  ld.param.u32 %r1, [s+20];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r2, room;
  st.shared.u32 [%r2], %r1;
  ret;
}
.visible .entry map(.param .align 64 .b8 m[128], .param .u64 n)
.maxntid 96
{ ret; }
END
ptxlit "$T/several.ptx" >"$T/list"
cat "$T/list"
sed -n 's/^.\{20\}\([a-z_]*<<<.*\)$/\1/p' "$T/list" >"$T/launches"
while read -r launch; do
  try check --quiet "$T/several.ptx" "$launch" 2>&1
done <"$T/launches"
{ read -r first; read -r second; } <"$T/launches"
for launch in "$first" "$second"; do
  ptxlit check --print "$T/several.ptx" "$launch" >"$T/printed.litmus"
  cat "$T/printed.litmus"
  try --quiet "$T/printed.litmus"
done
try check --print "$T/several.ptx"
# What follows the arguments is said of the kernel; a launch that says nothing of clusters has the kernel's.
try check --print "$T/sum.ptx" 'sum<<<2, 64>>>(int out) cluster 2 cooperative'
try check --quiet "$T/sum.ptx" 'sum<<<2, 64>>>(int out) nonsense'
try check --quiet "$T/several.ptx" '_Z4tilePi<<<3, dim3(16, 8)>>>({.u64 0, .u64 0, .u64 0, .u64 0}, int out, 1)'
# Sizes out of range are said once; brackets without end and more arguments than there is room for are no launch.
try check --quiet "$T/sum.ptx" 'sum<<<4294967295, 0, 99999999999>>>(int out)' 2>&1
try check --quiet "$T/sum.ptx" 'sum<<<1, 64, 0>>>(int out)'
many() { i=0; while [ $i -lt "$2" ]; do printf %s "$1"; i=$((i + 1)); done; }
for arguments in "$(many '{' 9000)$(many '}' 9000)" "int a$(many '[' 17)1$(many ']' 17)" "0$(many ', 0' 600)" \
  'int out[2'; do
  try check --quiet "$T/sum.ptx" "sum<<<1, 1>>>($arguments)" 2>&1 | cut -c1-60
done

# Two launches of one kernel are two tests. Errors: a launch without a module, a module without one, sizes out of range.
try check --quiet "$T/sum.ptx" 'sum<<<1, 32>>>(int out[2])' "$T/sum.ptx" 'sum<<<1, 64>>>(int out[2])'
try check --quiet 'sum<<<1, 32>>>(int out[2])'
try check --quiet "$T/sum.ptx" 'sum<<<1, 32>>>(int out[2])' "$T/sum.ptx"
try check --quiet "$T/sum.ptx" 'sum<<<1, 1025>>>(int out[2])'
try check --quiet "$T/sum.ptx" 'sum<<<-1, 32>>>(int out[2])'
sed 's/align 4/align 3/' "$T/sum.ptx" >"$T/align.ptx"
try check --quiet "$T/align.ptx" 'sum<<<1, 32>>>(int out[2])'
# Other verbs take one launch: they list those of a module alone. A module may have no kernel.
try explain "$T/several.ptx"
printf '.version 9.0\n.target sm_90\n.address_size 64\n' >"$T/none.ptx"
try "$T/none.ptx"

# A stream, a pointer into an array, arrays as long as the launch reaches, of any size, and too short ones.
try check --quiet "$T/sum.ptx" 'sum<<<1, 64, 0, stream>>>(int out[100]+36)'
try check --print "$T/sum.ptx" 'sum<<<1, 64, 0, stream>>>(int4 out[100]+36)'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out[])'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out[1000000]+999999)'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out[100]+100)'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out[100]+x)'

# Several launches are one test: at the same time, in order, or on two GPUs.
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out)' then 'sum<<<1, 32>>>(out)'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out)' then 'sum<<<1, 32>>>(out)' after
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out) then sum<<<1, 32>>>(out) overlaps'
try check --print "$T/sum.ptx" 'gpu 0: sum<<<1, 64>>>(int a) then gpu 1: sum<<<1, 32>>>(int b) after'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out) after'
try check --quiet "$T/sum.ptx" 'sum<<<1, 64>>>(int out) then'

# Names as in the source: with namespaces, with arguments of templates.
cat >"$T/names.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry _ZN2ns4tileILi32EfEEvPKT0_PS1_i(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }
.visible .entry _ZN2ns4tileILi64E6__halfEEvPKT0_PS2_i(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }
.visible .entry _ZN2ns5otherEPNS_5pieceE(.param .u64 a) { ret; }
END
try "$T/names.ptx"
try check --quiet "$T/names.ptx" 'ns::tile<32,float><<<1, 1>>>(float a[4], float b[4], 4)'
try check --quiet "$T/names.ptx" 'ns::other<<<1, 1>>>(int a[])' 'other<<<1, 1>>>(int a[])'
try check --print "$T/names.ptx" 'ns::tile<64, __half><<<1, 1>>>(half a[4], half b[4], 4)'
try check --quiet "$T/names.ptx" 'ns::tile<<<1, 1>>>(half a[4], half b[4], 4)'
try check --quiet "$T/names.ptx" 'ns::tile<64<<<1, 1>>>(half a[4], half b[4], 4)'
