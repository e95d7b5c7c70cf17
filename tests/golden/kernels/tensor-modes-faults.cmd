# tensor-modes.cu with one mistake each: no proxy fence before the store; a count of bytes that leaves out the copy by
# gather4.
K=tests/golden/kernels
cp $K/tensor-modes.litmus "$T"
for edit in 111d '76s/2560/2048/'; do
  sed "$edit" $K/tensor-modes.ptx >"$T/tensor-modes.ptx"
  echo "with $edit"
  ptxlit check --quiet "$T/tensor-modes.litmus"
done
