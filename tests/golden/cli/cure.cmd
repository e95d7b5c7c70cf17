# --cure: the cheapest change that makes a kernel safe, below its findings and in JSON; none; a safe test; what is no
# terminal has none by default.
K=litmus/kernels
for test in cp-async-early cp-async-overwrites cluster-multicast-no-expect cp-async; do
  ptxlit check --cure=yes $K/$test.litmus 2>&1 | grep -e ' under ptx: ' -e ^Cure
done
ptxlit check --cure=yes --format=json $K/semaphore-relaxed.litmus | grep -o '"cure":.*"races"'
ptxlit check $K/cp-async-early.litmus | grep -c ^Cure
ptxlit check --cure=yes --quiet $K/cp-async-early.litmus
