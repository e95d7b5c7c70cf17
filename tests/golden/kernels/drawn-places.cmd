# Places that threads draw from a counter are apart where each writes no more words than it reserves, in all threads;
# not where they write more, where the counter does other steps, or where the index is cut. A pool that is too small is
# left in some executions. Where values decide and are too many to follow, the answer is unknown.
for arguments in 'pool[256], 1, 1, -1, 0' 'pool[1024], 4, 4, -1, 0' 'pool[1024], 4, 4, 1023, 0' \
  'pool[1028], 4, 5, -1, 0' 'pool[1023], 4, 4, -1, 0' 'pool[1024], 4, 4, 511, 0' \
  'pool[1024], 4, 4, -1, 1' 'pool[1024], 4, 4, -1, 2' 'pool[1024], 4, 4, -1, 3'; do
  ptxlit check --quiet --cure no --timeout 20 tests/golden/kernels/drawn-places.ptx \
    "draw<<<2, 128>>>(int next[1] = {0}, int $arguments)" 2>&1
done
for kernel in near two; do
  ptxlit check --quiet --cure no tests/golden/kernels/drawn-places.ptx \
    "$kernel<<<2, 128>>>(int next[2] = {0, 0}, int pool[256])"
done
# A branch bounds the number; not where the counter begins below 0, or where another way leads to the store.
for arguments in '{0}, int pool[100], 100, 0' '{0}, int pool[100], 100, 1' '{0}, int pool[100], 100, 2' \
  '{0}, int pool[100], 101, 0' '{-1}, int pool[100], 100, 0' \
  '{0}, int pool[256], 300, 0'; do
  ptxlit check --quiet --cure no tests/golden/kernels/drawn-places.ptx "capped<<<2, 128>>>(int next[1] = $arguments)"
done
for from in 0 1; do
  ptxlit check --quiet --cure no tests/golden/kernels/drawn-places.ptx \
    "told<<<2, 128>>>(int next[1] = {0}, int pool[256], $from)"
done
# The last number may set the counter back; not an earlier one.
for arguments in '8>>>(int next[1] = {0}, int pool[16], 1' '2>>>(int next[1] = {0}, int pool[4], 2'; do
  ptxlit check --quiet --cure no tests/golden/kernels/drawn-places.ptx "again<<<2, $arguments)"
done
