# Names that are no UTF-8, of files, models and patterns, are names like any other.
cd "$T" || exit
name=$(printf 'caf\351')
printf 'PTX t\n{ x=0; }\n P0@cta 0 ;\n st.weak x, 1 ;\nexists (x=1)\n' >"$name.litmus"
sed 's/t$/u/' "$name.litmus" >plain.litmus
printf '"a model"\nacyclic po as order\n' >"$name.cat"
printf 'plain.litmus,Always\nplain.litmus,Never,%s\n%s,Never\n' "$name" "$name" >"$name.csv"
PTXLIT_MODELS=$OLDPWD/models
for format in text json junit; do
  ptxlit suite -j 1 -f $format -m "./$name.cat" --expect "$name.csv" --filter "$name" --filter plain .
done 2>&1 | sed -E -e 's/ time="[^"]*"//g' -e 's/\([0-9.]+ s\)/(T s)/' -e 's/"suite":"[0-9a-f]*"/"suite":"D"/' \
  -e 's/"model_digests":\["[0-9a-f]*"\]/"model_digests":["D"]/'
