# A loop that polls until the value seen last changes is one wait, however often the value changes: its first test,
# which nvcc writes before the loop, and the test at its end are one.
for kernel in counted_down counted_down_relaxed; do
  ptxlit check --quiet tests/golden/kernels/polls-changes.ptx \
    "$kernel<<<2, 32>>>(int left[1]={20}, int data[1], int out[1])" 2>&1 | grep '^Test'
done
