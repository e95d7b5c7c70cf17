# Values decide the swaps, and barriers order them whatever they decide (docs/semantics.md K16): no value is needed.
# Without the barrier between the rounds, a thread reads the word that its neighbour may swap.
for barriers in 1 0; do
  ptxlit check --cure no --quiet tests/golden/kernels/swaps.ptx \
    "sort<<<1, 32>>>(.u32 words[64] = {5, 3, 4, 1}, $barriers)"
done
