# --untrusted: what lists and links name lies in the directory of the list, or of the link.
here=$PWD/tests/golden
mkdir -p "$T/in/deep" "$T/out"
cd "$T/in" || exit
cp "$here/tests/SB.litmus" . && cp SB.litmus ../out/outside.litmus
sed 's/PTX SB/PTX deep/' SB.litmus >deep/deep.litmus
echo secret >../out/secret
printf '../out/outside.litmus\n../out/none.litmus\n%s/out/secret\ndeep/../../out/outside.litmus\n' "$T" >list
ptxlit -q --untrusted @list
printf 'SB.litmus\n./deep/deep.litmus\n' >own
ptxlit -q --untrusted @own
echo "--- links to files"
for name in list.txt results.jsonl model.cat table.map; do ln -s ../out/secret $name; done
ptxlit -q --untrusted @list.txt
ptxlit observe --untrusted results.jsonl
ptxlit -q --untrusted -m ./model.cat SB.litmus
ptxlit suite --untrusted --expect results.jsonl SB.litmus
ptxlit suite --untrusted --rerun results.jsonl SB.litmus
echo "--- links to directories"
ln -s ../out sub
ln -s deep near
ptxlit -q --untrusted sub/outside.litmus
ptxlit -q --untrusted sub
ptxlit -q --untrusted near/deep.litmus
ptxlit -q --untrusted -m sub/secret.cat SB.litmus
echo "--- one message, whether there is a file or not"
ln -s ../out/none.ptx nowhere.ptx
for name in ../out/secret ../out/none /etc/passwd /etc/none sub/none nowhere.ptx none.ptx; do
  printf 'PTX %s\n{ x=0; }\nkernel "%s" k(x) grid 1 block 1\nexists (x=1)\n' t "$name" >t.litmus
  ptxlit -q --untrusted t.litmus 2>&1 | head -n 1
done
