# The two engines print the same. (Past the default bound brute force does not go by itself; it takes 40 seconds for
# alloc-waits, which tests/nightly compares.)
tests=$(ls tests/golden/tests/*.litmus | grep -v alloc-waits)
for engine in sat enumerate; do
  ptxlit --engine=$engine --unroll 3 --all-state $tests | sed 's/^\(Time [^ ]*\) .*/\1/' >"$T/$engine"
done
grep -q '^Test SB ' "$T/sat" && cmp "$T/sat" "$T/enumerate" && echo same
