# The two engines print the same. (Past the default bound brute force does not go by itself.)
for engine in sat enumerate; do
  ptxlit --engine=$engine --unroll 3 --all-state tests/golden/tests | sed 's/^\(Time [^ ]*\) .*/\1/' >"$T/$engine"
done
cmp "$T/sat" "$T/enumerate" && echo same
