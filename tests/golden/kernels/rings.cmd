# Blocks that meet no other block and do the same need columns once (docs/semantics.md T10). Not so: a block that does
# something else, blocks that write one place, and blocks that wait for one another.
say() {
  echo "$1: $(ptxlit check --quiet --cure no tests/golden/kernels/rings.ptx "$1" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')"
}
say 'ring<<<1, 64>>>(float in[], float out[], 4, 9, 0)'
say 'ring<<<64, 64>>>(float in[], float out[], 4, 99, 0)'
say 'ring<<<8, 64>>>(float in[], float out[], 4, 5, 0)'
say 'ring<<<8, 64>>>(float in[], float out[], 4, 9, 1)'
say 'count<<<3, 2>>>(.u32 n[1], 3)'
say 'count<<<3, 2>>>(.u32 n[1], 4)'
