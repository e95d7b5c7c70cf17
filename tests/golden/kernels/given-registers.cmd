# The test that convert prints can be read again: the names of given registers are names.
call='power<<<2, 1>>>(unsigned a[1])'
ptxlit --quiet tests/golden/kernels/given-registers.ptx "$call"
ptxlit convert tests/golden/kernels/given-registers.ptx "$call" | tee "$T/printed.litmus"
ptxlit --quiet - <"$T/printed.litmus"
