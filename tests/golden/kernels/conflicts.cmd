# Threads that no group's first and last thread stand for (docs/semantics.md T9): each pair of a race is found, and what
# barriers, different words and atomics keep apart stays Safe.
say() {
  echo "$1: $(ptxlit check --quiet --cure no tests/golden/kernels/conflicts.ptx "$1" 2>&1 |
    sed -n -e 's/^Test [a-z]* ptx //p' -e 's/.*error: //p')"
}

say 'halves<<<1, 4>>>(.u32 g[4], 1)'
say 'halves<<<1, 4>>>(.u32 g[4], 0)'
say 'halves<<<4, 1024>>>(.u32 g[1024], 1)'
echo
say 'modulo<<<1, 64>>>(.u32 g[64], 32, 0)'
say 'modulo<<<1, 64>>>(.u32 g[64], 64, 0)'
say 'modulo<<<1, 64>>>(.u32 g[64], 32, 1)'
say 'modulo<<<2, 64>>>(.u32 g[64], 64, 0)'
say 'modulo<<<2, 64>>>(.u32 g[64], 64, 1)'
say 'modulo<<<2, 64>>>(.u32 g[128], 64, 2)'
echo
say 'late<<<1, 64>>>(7, 40, 0)'
say 'late<<<1, 64>>>(7, 9, 0)'
say 'late<<<1, 64>>>(7, 7, 0)'
say 'late<<<1, 64>>>(7, 40, 1)'
say 'late<<<1, 64>>>(7, 100, 0)'
echo
say 'two<<<1, 64>>>(1, 0)'
say 'two<<<1, 64>>>(1, 1)'
say 'two<<<1, 64>>>(32, 1)'
say 'two<<<1, 64>>>(32, 2)'
echo
say 'ended<<<1, 8>>>(5)'
say 'ended<<<1, 8>>>(8)'
echo
say 'anywhere<<<1, 8>>>(.u32 g[64], .u32 x[1])'
say 'anywhere<<<1, 64>>>(.u32 g[64], .u32 x[1])'
echo
for how in 0 1 2 4 5 8; do say "alone<<<1, 64>>>(.u32 g[64], 31, $how)"; done
