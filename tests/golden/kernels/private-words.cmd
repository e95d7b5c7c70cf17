# A word of global memory that one thread writes, or threads of one block between barriers, keeps its known value
# (docs/semantics.md K14). `own` counts to 2 (1, then 1 is added), or from 5 to 12, and `epochs` to 2: with that number
# all threads store to one word, with any other none does. `early` finds 0 or 1, the blocks of `apart` 0 or 1, with
# `adds` up to 2, but the first one never 0.
check() { ptxlit check --quiet --cure no "$@" tests/golden/kernels/private-words.ptx "$launch" 2>&1; }
for launch in 'own<<<2, 64>>>(int counts[128], int common[1], 2)' 'own<<<2, 64>>>(int counts[128], int common[1], 1)' \
  'own<<<1, 2>>>(int counts[2] = {5, 5}, int common[1], 12)' 'own<<<1, 2>>>(int counts[2] = {5, 5}, int common[1], 2)' \
  'epochs<<<2, 64>>>(int epoch[2], int common[1], 2)' 'epochs<<<2, 64>>>(int epoch[2], int common[1], 1)' \
  'early<<<1, 3>>>(int epoch[1], int common[1], 0)' 'early<<<1, 3>>>(int epoch[1], int common[1], 1)' \
  'early<<<1, 3>>>(int epoch[1], int common[1], 2)' \
  'apart<<<2, 1>>>(int words[1], int common[1], 1, 0)' 'apart<<<2, 1>>>(int words[1], int common[1], 0, 0)' \
  'apart<<<3, 1>>>(int words[1], int common[1], 0, 0)' 'apart<<<2, 1>>>(int words[1], int common[1], 2, 1)' \
  'apart<<<2, 1>>>(int words[1], int common[1], 3, 1)'; do
  check
done
