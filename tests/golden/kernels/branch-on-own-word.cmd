# A branch that only words of the thread alone surround makes no difference, whatever decides it. One between accesses
# to common words carries dependencies, and one that decides an access decides a race (docs/semantics.md K14): there the
# value that is not modelled matters.
for launch in 'own<<<2, 64>>>(float words[65])' 'own<<<1, 64>>>(float words[65])' 'next<<<1, 32>>>(float words[65])' \
  'decides<<<1, 2>>>(float words[2], float first[1])'; do
  ptxlit check --quiet --cure no tests/golden/kernels/branch-on-own-word.ptx "$launch" 2>&1
done
