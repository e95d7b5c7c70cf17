# A launch whose groups alone have more columns than a kernel may: a race of threads that are no columns is found
# (docs/semantics.md T9).
for launch in 'pairs<<<80, 64>>>(.u32 out[5120], 1)' 'pairs<<<80, 64>>>(.u32 out[5120], 0)'; do
  echo "$launch: $(ptxlit check --quiet --cure no tests/golden/kernels/full-columns.ptx "$launch" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')"
done
