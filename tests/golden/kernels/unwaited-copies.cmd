# A copy that nobody waits for is a finding although barriers order all accesses: one of it stays, in one of the blocks
# that do the same. Not so: all groups were waited for.
say() {
  echo "$1: $(ptxlit check --quiet --cure no tests/golden/kernels/unwaited-copies.ptx "$1" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')," \
    "$(ptxlit check --dump=slice tests/golden/kernels/unwaited-copies.ptx "$1" 2>&1 | grep -o 'cta [0-9]*' | sort -u |
      wc -l) blocks"
}
say 'waits<<<3, 32>>>(.u32 a[64], .u32 out[96], 1)'
say 'waits<<<3, 32>>>(.u32 a[64], .u32 out[96], 0)'
