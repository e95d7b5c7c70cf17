# A block of two rows has two threads with the number 0 in x, both of which initialise the object.
for threads in 'dim3(32, 1)' 'dim3(32, 2)'; do
  ptxlit check tests/golden/kernels/two-inits.ptx "rows<<<1, $threads>>>()"
done
