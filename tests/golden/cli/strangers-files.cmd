# A test or a model may be a stranger's. What it names is a regular file; outside of the directory of what the command
# line names, links followed, not a word of it is shown.
mkdir -p "$T/here/sub" "$T/else"
cd "$T/here" || exit
printf 'top-secret: $words\n' >../else/secret
ln -s ../else/secret link.ptx
ln -s ../else/secret linked.litmus
ln -s ../../else sub/away
ln -s /dev/zero zero.ptx
mkfifo pipe.ptx
cp ../else/secret mine.ptx
test_of() {
  printf 'PTX t\n{ x=0; }\nkernel "%s" k(x) grid 1 block 1\nexists (x=1)\n' "$1" >t.litmus
  timeout 600 "$tool" t.litmus 2>&1
  echo "status $?"
}
for name in ../else/secret "$T/else/secret" link.ptx sub/away/secret pipe.ptx zero.ptx sub /proc/self/environ \
  /proc/self/cmdline /dev/stdin mine.ptx; do
  echo "--- $name"
  test_of "$name"
done
echo "--- models"
for name in ../else/secret /proc/self/environ pipe.ptx none.cat; do
  printf '"m"\ninclude "%s"\nacyclic po | rf\n' "$name" >include.cat
  timeout 600 "$tool" -q -m include.cat "$OLDPWD/tests/golden/tests/SB.litmus" 2>&1
done
echo "--- found in a directory, a link is a stranger's; a user may name one"
ptxlit -q . 2>&1 | grep -A2 -e linked
ptxlit -q linked.litmus
echo "--- what a directory on the command line has may name the rest of it"
mkdir ../all && cp mine.ptx ../all/ && mkdir ../all/tests
printf 'PTX t\n{ x=0; }\nkernel "../mine.ptx" k(x) grid 1 block 1\nexists (x=1)\n' >../all/tests/t.litmus
ptxlit -q ../all
ptxlit -q ../all/tests
echo "--- a report names any file"
cp "$OLDPWD/tests/golden/tests/SB.litmus" sb.litmus
ptxlit suite -f json -o r.json sb.litmus >/dev/null 2>&1
sed -i -e "s|\"file\":\"[^\"]*\"|\"file\":\"$T/else/secret\"|" -e 's/"result":"new"/"result":"fail"/' r.json
ptxlit suite --rerun r.json 2>&1 | sed 's/([0-9.]* s)/(T)/'
cd "$T" && rm -rf here/pipe.ptx
