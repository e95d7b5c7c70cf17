# A ring of copies, products and an epilogue (tensor-ring.cu), with one mistake each: no commit of a stage, no fence
# behind the wait for a finished accumulator, no wait for a load of tensor memory, no arrival that gives it back. The
# fence before that arrival may go: loads that were waited for are done (G91).
K=tests/golden/kernels
cp $K/tensor-ring.litmus "$T"
for line in 248 297 313 335 331; do
  sed "${line}d" $K/tensor-ring.ptx >"$T/tensor-ring.ptx"
  echo "without $(sed -n "${line}p" $K/tensor-ring.ptx)"
  ptxlit check --quiet "$T/tensor-ring.litmus"
done
