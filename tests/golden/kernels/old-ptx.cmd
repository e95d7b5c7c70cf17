# PTX of old targets and of other compilers. A form of arithmetic that ptxlit does not know is an opaque value, which
# costs nothing until a branch or an address needs it; an unknown form of what reaches memory or threads is an error.
old() {
  ptxlit check -f herd tests/golden/kernels/old-ptx.ptx "$@" 2>&1 | grep -E '^(Verdict|Unsafe|\?\?|Assumes)|error'
}
old 'targets<<<1, 32>>>(int out[256], 0)'
old 'targets<<<1, 32>>>(int out[94], 1)'
old 'prototype<<<1, 32>>>(int out[256], int which[2])'
old 'pair<<<1, 64>>>(int out[256], 9)'
old 'opaque<<<1, 32>>>(int out[32])'
old 'decides<<<1, 32>>>(int out[32])'
old 'texture<<<1, 32>>>(1, int out[32])'
old 'rows<<<1, 32, 4096>>>(1)'
old 'number<<<1, 1>>>(4096, int out[64])'
narrow() { ptxlit check -f herd tests/golden/kernels/narrow.ptx "$@" 2>&1 | grep -E '^(Verdict|Unsafe)|error'; }
narrow 'scale<<<1, 32>>>(int p[32], {int q[32], 4})'
narrow 'scale<<<1, 32>>>(int p[32], {int q[32], 2})'
ptxlit tests/golden/kernels/narrow.ptx 2>&1
# What is not pure arithmetic stays an error, at its place.
sed 's/vote.any.pred/vote.most.pred/; s/mad.f32/atom.nand.f32/' tests/golden/kernels/old-ptx.ptx >"$T/wrong.ptx"
ptxlit check "$T/wrong.ptx" 'opaque<<<1, 32>>>(int out[32])'
