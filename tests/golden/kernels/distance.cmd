# A constant in an address of global memory is a distance there, whatever has that address: a race, and Safe without the
# other store.
launch='far<<<1, 2>>>(int x[2000000], unsigned c[1], unsigned long long slot[1])'
ptxlit check --quiet --cure no tests/golden/kernels/distance.ptx "$launch"
sed '/\/\/ other/d' tests/golden/kernels/distance.ptx >"$T/alone.ptx"
ptxlit check --quiet --cure no "$T/alone.ptx" "$launch"
