# Stores to shared memory that come before all other accesses to their bytes, or not: the bits of `how` are in the
# module.
say() {
  ptxlit check --quiet --cure no tests/golden/kernels/first-stores.ptx "$1" 2>&1 | sed -n 's/^Test [a-z]* ptx //p'
}
for how in 0 1 2 4 8 16 32 64; do
  echo "$how: $(say "counter<<<1, 4>>>(.u32 data[1], .u32 out[4], $how)")"
done
echo blocks with one value, and with several
for how in 0 2; do
  echo "$how: $(say "counter<<<2, 4>>>(.u32 data[1], .u32 out[4], $how)")"
done
