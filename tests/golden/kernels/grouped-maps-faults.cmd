# grouped-maps.cu with one mistake each: no acquire of the map; the map changed although a copy through it is in flight;
# and what is not known: another field changed, an address that is none, a map that nothing writes. Then a condition.
K=tests/golden/kernels
cp $K/grouped-maps.litmus "$T"
for edit in 174d '147d' '159s/global_dim/box_dim/' '156s/%rd15/%rd16/' '170,171d'; do
  sed "$edit" $K/grouped-maps.ptx >"$T/grouped-maps.ptx"
  echo "with $edit"
  ptxlit check --quiet "$T/grouped-maps.litmus"
done
cp $K/grouped-maps.ptx "$T"
sed 's/^safe/exists (out[0]=1.0)/' $K/grouped-maps.litmus >"$T/grouped-maps.litmus"
ptxlit check --quiet "$T/grouped-maps.litmus"
