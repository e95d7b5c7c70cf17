# The block of persistent.cu with one mistake each: nobody waits for the response; nobody expects it; its wait asks for
# the parity before. In a grid of several clusters nobody knows which of them are taken over, and by whom.
K=tests/golden/kernels
cp $K/persistent.litmus "$T"
for edit in '/^@!done/d' '/expect_tx/s/16;/0;/' '/%r20, 0;/s/0;/1;/'; do
  sed "$edit" $K/persistent.ptx >"$T/persistent.ptx"
  echo "with $edit"
  ptxlit check --quiet "$T/persistent.litmus"
done
cp $K/persistent.ptx "$T"
sed 's/grid 1/grid 2/' $K/persistent.litmus >"$T/persistent.litmus"
ptxlit check --quiet "$T/persistent.litmus"
