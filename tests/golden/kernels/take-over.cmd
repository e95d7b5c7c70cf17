# A grid of two clusters, of which a request of one may cancel the other: each block's element is written once, by
# itself or by the block that took it over; not both blocks take over; a request may fail. Both engines say so. Then
# the blocks of persistent.cu: two of them, without mistake and with one each; and three: who takes which is not known.
K=tests/golden/kernels
cp $K/take-over.ptx $K/persistent.ptx "$T"
for asked in 'exists (out[0]=0 \/ out[1]=0)' 'exists (out[0]=2 /\ out[1]=2)' 'exists (out[0]=1 /\ out[1]=2)' \
  'exists (out[0]=1 /\ out[1]=1)' safe; do
  printf 'PTX take\n{\n.b32 out[2];\n}\nkernel "take-over.ptx" take(out)\n' >"$T/take.litmus"
  echo 'grid 2 block 1 threads grouped' >>"$T/take.litmus"
  echo "$asked" >>"$T/take.litmus"
  echo "$asked"
  ptxlit check --quiet "$T/take.litmus"
  ptxlit check --quiet --engine enumerate "$T/take.litmus"
done
sed 's/grid 1/grid 2/' $K/persistent.litmus >"$T/persistent.litmus"
for edit in '' '/^@!done/d' '/expect_tx/s/16;/0;/' '/%r20, 0;/s/0;/1;/' '/fence.proxy/d' '/xor.b32/d'; do
  sed "$edit" $K/persistent.ptx >"$T/persistent.ptx"
  echo "${edit:-no mistake}"
  ptxlit check --quiet "$T/persistent.litmus"
done
cp $K/persistent.ptx "$T"
sed 's/grid 1/grid 3/' $K/persistent.litmus >"$T/persistent.litmus"
ptxlit check --quiet "$T/persistent.litmus"
