# A ring of copies, products and an epilogue (tensor-ring.cu), with one mistake each: no commit of a stage, no fence
# behind the wait for a finished accumulator. tensor-ring-epilogue.cmd has those of the epilogue's end.
K=tests/golden/kernels
cp $K/tensor-ring.litmus "$T"
for line in 248 297; do
  sed "${line}d" $K/tensor-ring.ptx >"$T/tensor-ring.ptx"
  echo "without $(sed -n "${line}p" $K/tensor-ring.ptx)"
  ptxlit check --quiet "$T/tensor-ring.litmus"
done
