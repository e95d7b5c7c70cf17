# The block of persistent.cu with one mistake each: nobody waits for the response; nobody expects it; its wait asks for
# the parity before.
K=tests/golden/kernels
cp $K/persistent.litmus "$T"
for edit in '/^@!done/d' '/expect_tx/s/16;/0;/' '/%r20, 0;/s/0;/1;/'; do
  sed "$edit" $K/persistent.ptx >"$T/persistent.ptx"
  echo "with $edit"
  ptxlit check --quiet "$T/persistent.litmus"
done
