# The same where the number comes through shared memory. Each lane reads the drawn number if a barrier orders the store
# before all loads, and every other write to the slot before that store or after the loads: not without a barrier, with
# a second store, where bits are cut, or where the store may not happen. Words of one number are apart as constants are.
check() { ptxlit check --quiet --cure no --timeout 10 tests/golden/kernels/drawn-slots.ptx "$1" 2>&1; }
for arguments in '512], 32, 0' '512], 31, 0' '512], 32, 1' '512], 32, 2' '512], 32, 3' '512], 32, 4' '512], 32, 5' \
  '512], 32, 6' '512], 32, 7' '512], 32, 8' '255], 32, 0'; do
  check "slots<<<2, 128>>>(int next[1] = {0}, int pool[$arguments)"
done
check 'slots<<<1, 64>>>(int next[1] = {0}, int pool[512], 256, 5)'
check 'block<<<3, 64>>>(int next[1] = {0}, int pool[256])'
