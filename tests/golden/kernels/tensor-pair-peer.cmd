# The ring of tensor-pair.cu with one mistake each: copies of the second CTA signal its own object, of which nobody
# expects bytes; and no wait for the last stages, so that products give stages back to a CTA that may have ended (K9).
K=tests/golden/kernels
cp $K/tensor-pair.litmus "$T"
for edit in 's/-16777224/-8/' '151a bra.uni $L__BB0_12;'; do
  sed "$edit" $K/tensor-pair.ptx >"$T/tensor-pair.ptx"
  echo "with $edit"
  ptxlit check --quiet "$T/tensor-pair.litmus"
done
