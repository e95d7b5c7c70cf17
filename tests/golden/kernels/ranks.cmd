# A pair of threads stands for others of the same rank in their clusters only (docs/semantics.md T10): here another
# thread of one rank raises the flag too early, so that nothing orders the two accesses there.
for kernel in flags phases; do
  for early in 0 1 2; do
    echo "$kernel $early: $(ptxlit check --quiet --cure no tests/golden/kernels/ranks.ptx \
      "$kernel<<<2, 96>>>(.u32 data[1], $early)" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
  done
done
