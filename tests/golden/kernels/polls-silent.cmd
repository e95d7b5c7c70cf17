# Loops in which a thread polls are one wait: with an atomic that writes the value it reads, with a count of tries, with
# an abort flag that nobody raises, over a bar.red. The count may be reached, but not where it leads to a trap alone.
K=tests/golden/kernels/polls-silent.ptx
try() { ptxlit check --quiet $K "$@" 2>&1 | grep '^Test'; }
for kernel in polls_add polls_unfenced polls_in_vain tries_then_traps tries_then_skips tries_then_reads tries_in_vain \
  agrees_by_red; do
  try "$kernel<<<2, 32>>>(int flag[1], int data[32], int out[32])"
done
try 'looks_for_abort<<<2, 32>>>(int flag[1], int data[1], int out[32], int abort[1])'
for kernel in locks locks_unfenced locks_kept; do try "$kernel<<<2, 32>>>(int lock[1], int data[1])"; done
try 'counts_up<<<2, 32>>>(int n[1], int out[2])'
