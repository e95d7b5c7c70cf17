# Kernels: a module alone, a compiler that is missing, and a test of a kernel as columns, which has the same outcomes.
try tests/golden/kernels/parts.ptx
echo '__global__ void k(int *x) { *x = 1; }' >"$T/k.cu"
cat >"$T/k.litmus" <<'END'
PTX compiled
{
x=0;
}
kernel "k.cu" k(x) grid 1 block 1
exists (x=1)
END
try --compiler nonesuch "$T/k.litmus"
ptxlit convert tests/golden/kernels/parts.litmus >"$T/columns.litmus"
try --quiet tests/golden/kernels/parts.litmus
try "$T/columns.litmus"
# All kernels of a module, names that are long or that several have whole, and their parameters.
LONG=$(printf '%0230d' 0 | tr 0 x)
cat >"$T/several.ptx" <<END
.version 8.3
.target sm_90
.address_size 64

.visible .entry _Z4copyILi4EEvPiS0_(.param .u64 a, .param .u64 b)
{ ret; }
.visible .entry _Z4copyILi8EEvPiS0_(.param .u64 a, .param .u64 b)
{ ret; }
.func helper(.param .u64 a)
{ ret; }
.visible .entry _Z239a_kernel_${LONG}6Paramsj(
  .param .align 8 .b8 p[24],
  .param .u32 n
)
{ ret; }
.visible .entry last()
{ ret; }
END
try "$T/several.ptx"
