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
try tests/golden/kernels/several.ptx
