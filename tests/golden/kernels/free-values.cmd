# A value that is not modelled may be any (docs/semantics.md K3): where no value of it is wrong, the launch is safe, and
# what only some value makes wrong is unknown. What threads without columns write is such a value; without it, they may
# all run after the columns, so that a race among these stands.
for launch in 'both<<<1, 2>>>(float words[2], int first[1])' 'both<<<2, 64>>>(float words[64], int first[1])' \
  'relaxed<<<1, 2>>>(float words[2], int first[1])' 'relaxed<<<2, 64>>>(float words[64], int first[1])' \
  'once<<<1, 2>>>(float words[2], 0)' 'once<<<1, 2>>>(float words[2], 1)' 'once<<<1, 64>>>(float words[64], 0)' \
  'traps<<<1, 2>>>(float words[2])' 'meets<<<1, 2>>>(float words[2], 0)' 'meets<<<1, 64>>>(float words[64], 0)' \
  'meets<<<1, 64>>>(float words[64], 1)' 'pair<<<1, 3>>>(float words[1], 1)' 'pair<<<1, 3>>>(float words[1], 0)' \
  'pair<<<1, 128>>>(float words[1], 1)' 'claim<<<2, 64>>>(int slots[1], int out[128], 0)' \
  'claim<<<2, 64>>>(int slots[1], int out[128], 1)' 'claim<<<2, 64>>>(int slots[1], int out[128], 2)'; do
  ptxlit check --quiet --cure no tests/golden/kernels/free-values.ptx "$launch" 2>&1
done
