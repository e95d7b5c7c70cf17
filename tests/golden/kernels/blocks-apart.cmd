# A pair of threads stands for others only if all threads of their blocks are alike (docs/semantics.md T10): other
# threads may have ordered their blocks, and values that other threads load may decide what they do.
say() {
  echo "$1: $(ptxlit check --quiet --cure no tests/golden/kernels/blocks-apart.ptx "$1" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')"
}
say 'halves<<<2, 32>>>(.u32 p[1])'
say 'halves<<<4, 32>>>(.u32 p[2])'
say 'chosen<<<4, 32>>>(.u32 in[4], .u32 p[1])'
