# What is written out of a kernel reads back where a register is used on a way that nothing gives it a value on, as a
# predicate or an address: it is 0, and the test says so.
cat >"$T/k.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r2, %ctaid.x;
  setp.eq.s32 %p1, %r2, 0;
  @%p1 bra L;
  setp.eq.s32 %p2, %r2, 1;
  mov.u64 %rd2, %rd1;
L:
  @%p2 st.relaxed.gpu.global.u32 [%rd1], 1;
  st.relaxed.gpu.global.u32 [%rd2], 2;
  ret;
}
END
cat >"$T/k.litmus" <<'END'
PTX k
{ x=0; }
kernel "k.ptx" k(x) grid 2 block 1
exists (x=2)
END
ptxlit --dump=ast "$T/k.litmus" >"$T/written.litmus"
cat "$T/written.litmus"
try --quiet "$T/k.litmus"
try --quiet "$T/written.litmus"
# So too where the instruction that writes it is below, and what mentioned it above is left out.
cat >"$T/k.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  .shared .align 4 .b8 cache[8];
  ld.param.u64 %rd1, [a];
  add.u32 %r2, %r1, 3;
  ld.shared.u32 %r1, [%r1];
  st.global.u32 [%rd1], %r1;
  ret;
}
END
ptxlit --dump=ast "$T/k.litmus" >"$T/written.litmus"
cat "$T/written.litmus"
try --quiet "$T/k.litmus"
try --quiet "$T/written.litmus"
# And where a computed address lies in memory of another space than the access reaches.
cat >"$T/k.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 other = 3;
.visible .entry k(.param .u64 a)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  .shared .align 4 .b8 cache[8];
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, cache;
  add.u32 %r1, %r1, 512;
  ld.shared.u32 %r2, [%r1];
  st.global.u32 [%rd1], %r2;
  st.global.u32 [other], %r2;
  ret;
}
END
ptxlit --dump=ast "$T/k.litmus" >"$T/written.litmus"
cat "$T/written.litmus"
try --quiet "$T/k.litmus"
try --quiet "$T/written.litmus"
# And where a jump back is always taken, as the register that decides it is 0, or the only way out never: such a loop
# needs its jump's predicate, or no path would leave it.
cat >"$T/k.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r2, %ctaid.x;
  setp.eq.s32 %p2, %r2, 0;
  @%p2 bra M;
L:
  setp.eq.s32 %p1, %r1, 0;
  @%p1 bra L;
  st.global.u32 [%rd1], 1;
  ret;
M:
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra OUT;
  bra M;
OUT:
  st.global.u32 [%rd1], 2;
  ret;
}
END
ptxlit --dump=ast "$T/k.litmus" >"$T/written.litmus"
cat "$T/written.litmus"
try --quiet "$T/k.litmus"
try --quiet "$T/written.litmus"
# And where a variable has a name like that of a register.
cat >"$T/k.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .global .align 8 .u64 %rd2;
.visible .global .align 8 .u64 $rd2;
.visible .entry k(.param .u64 a)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [a];
  st.global.u64 [%rd2], 7;
  st.global.u64 [$rd2], 8;
  st.global.u32 [%rd1], 9;
  ret;
}
END
sed -i 's/x=2/x=9/' "$T/k.litmus"
ptxlit --dump=ast "$T/k.litmus" >"$T/written.litmus"
cat "$T/written.litmus"
try --quiet "$T/k.litmus"
try --quiet "$T/written.litmus"
