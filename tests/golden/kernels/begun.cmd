# A store to shared memory that comes before all other accesses to its bytes, whatever happens, is their initial value
# (docs/semantics.md T10): the bits of `how` are in the module. `stores`: those that are left in columns.
say() {
  ptxlit check --quiet --cure no tests/golden/kernels/begun.ptx "$1" 2>&1 | sed -n 's/^Test [a-z]* ptx //p'
  ptxlit check --dump=slice tests/golden/kernels/begun.ptx "$1" 2>&1 |
    grep -o 'count[^;]*{[^}]*}\|st.shared.u32 .count[^|]*'
}
for how in 0 1 2 4 8 16 32 64; do
  echo "$how: $(say "counter<<<1, 4>>>(.u32 data[1], .u32 out[4], $how)" | tr '\n' ' ')"
done
echo blocks with one value, and with several
for how in 0 2; do
  echo "$how: $(say "counter<<<2, 4>>>(.u32 data[1], .u32 out[4], $how)" | tr '\n' ' ')"
done
