# A ring whose loop is written out, since only a value from memory ends it: it needs n + 1 iterations. With more than 4
# of them the kernel is read again with 8 and 16 (deeper). By hand: the number i is written once the reader has freed
# the slot of i - 2, after it read it. Freed early in its iteration 4, the slot is written again while it is read, by
# the number 6, which is told if n is 6 or more.
say() {
  launch=$1
  shift
  echo "$launch $*: $(ptxlit check --quiet --cure no "$@" tests/golden/kernels/written-out.ptx "$launch" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')"
}
say 'tiles<<<1, 64>>>(.u32 out[64], 3, 9)'
say 'tiles<<<1, 64>>>(.u32 out[64], 5, 9)'
say 'tiles<<<1, 64>>>(.u32 out[64], 5, 9)' --without=deeper
say 'tiles<<<1, 64>>>(.u32 out[64], 5, 9)' --unroll 3
say 'tiles<<<1, 64>>>(.u32 out[64], 5, 4)'
say 'tiles<<<1, 64>>>(.u32 out[64], 6, 4)'
say 'tiles<<<1, 64>>>(.u32 out[64], 6, 4)' --without=deeper
say 'tiles<<<1, 64>>>(.u32 out[64], 20, 40)'
say 'tiles<<<1, 64>>>(.u32 out[64], 20, 40)' --unroll 32
ptxlit check --cure no tests/golden/kernels/written-out.ptx 'tiles<<<1, 64>>>(.u32 out[64], 20, 40)' | sed -n 1,2p
