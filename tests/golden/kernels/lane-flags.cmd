# Lanes poll 28 flags together, each written by another thread: all writers are columns, as no two write one flag.
for kernel in lane_flags lane_flags_no_fence lane_flags_no_meeting; do
  ptxlit check -f herd tests/golden/kernels/lane-flags.ptx \
    "$kernel<<<2, 28>>>(int data[28], int flags[28], int out[28])" \
    2>&1 | grep -e ^Verdict -e ^Unsafe
done
