# The ring of tensor-ring.cu with one mistake each: no wait for a load of tensor memory, no arrival that gives the
# accumulator back. The fence before that arrival may go: loads that were waited for are done (G91).
K=tests/golden/kernels
cp $K/tensor-ring.litmus "$T"
for line in 313 335 331; do
  sed "${line}d" $K/tensor-ring.ptx >"$T/tensor-ring.ptx"
  echo "without $(sed -n "${line}p" $K/tensor-ring.ptx)"
  ptxlit check --quiet "$T/tensor-ring.litmus"
done
