# The ring of tensor-pair.cu with one mistake each: no fence behind the wait for the accumulator; stages given back to
# the first CTA alone. tensor-pair-peer.cmd has those of the other CTA.
K=tests/golden/kernels
cp $K/tensor-pair.litmus "$T"
for edit in 273d '238s/3;/1;/'; do
  sed "$edit" $K/tensor-pair.ptx >"$T/tensor-pair.ptx"
  echo "with $edit"
  ptxlit check --quiet "$T/tensor-pair.litmus"
done
