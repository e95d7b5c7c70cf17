# The two engines print the same.
for engine in sat enumerate; do
  ptxlit --engine=$engine --all-state tests/golden/tests | sed 's/^\(Time [^ ]*\) .*/\1/' >"$T/$engine"
done
cmp "$T/sat" "$T/enumerate" && echo same
