# What fix adds for tensor memory: the waits of loads and stores, the fences around a meeting of threads.
for test in tmem+no-after tmem+st+ld+no-wait tmem+a-in-tmem+no-wait tcgen05+ld+used \
  tcgen05+mma+commit+wait+no-fence accumulators+no-mma-after accumulators+no-before bug-cutlass-3653; do
  ptxlit fix "litmus/async/$test.litmus"
done
