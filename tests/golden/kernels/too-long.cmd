# A launch whose loops go round too often is unknown, with the thread and the loop (K13); so it is with a condition, and
# for other verbs.
cat >"$T/k.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
AGAIN:
  red.global.add.u32 [%rd1], %r2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra AGAIN;
  ret;
}
END
try check "$T/k.ptx" 'k<<<1, 2>>>(int x, 100000)'
printf 'PTX k\n{ int x; }\nkernel "k.ptx" k(x, 100000) grid 1 block 2\nexists (x=1)\n' >"$T/k.litmus"
try --quiet "$T/k.litmus"
try explain "$T/k.litmus"
try fix "$T/k.litmus"
try check --quiet "$T/k.ptx" 'k<<<1, 2>>>(int x, 3)'
