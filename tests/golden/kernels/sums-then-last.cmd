# Blocks that add values of their own to shared memory by atomics are alike for those that count at the last one, unless
# the sums decide something.
m=tests/golden/kernels/sums-then-last.ptx
say() { ptxlit check --quiet --cure no "$@"; }
line='sums<<<64, 32>>>(float in[2048], float part[2048], float out[32], int count[1])'
say $m "$line"
sed 's/.*\/\/ acquires//' $m >"$T/weak.ptx"
# The fence of the thread that counts is before what the others wrote.
sed 's/.*\/\/ releases//; s/\/\/ early/fence.acq_rel.gpu;/' $m >"$T/early.ptx"
say "$T/weak.ptx" "$line"
say "$T/early.ptx" "$line"
few='sums<<<3, 32>>>(float in[96], float part[96], float out[32], int count[1])'
for file in $m "$T/weak.ptx"; do
  say $file "$few"
  say --without=relaxed $file "$few"
done
say $m 'odd<<<2, 2>>>(int out[1])'
say $m 'odd<<<3, 2>>>(int out[1])'
say $m 'odd<<<4, 2>>>(int out[1])'
say --without=relaxed,twins $m 'odd<<<4, 2>>>(int out[1])'
say --without=twins $m 'odd<<<8, 2>>>(int out[1])'
