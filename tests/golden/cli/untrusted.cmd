# --untrusted: nothing is opened outside of the directory of what the command line names, nothing is compiled, and there
# are limits. In every verb that reads tests.
here=$PWD/tests/golden
mkdir -p "$T/here" "$T/bin" "$T/else"
cd "$T/here" || exit
printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.visible .entry k(.param .u64 p) { .reg .b64 %a;' \
  'ld.param.u64 %a, [p]; st.global.u32 [%a], 1; ret; }' >../else/m.ptx
printf '#!/bin/sh\necho compiled >>%s/ran\nexit 1\n' "$T" >../bin/nvcc
chmod +x ../bin/nvcc
PATH=$T/bin:$PATH
test_of() { printf 'PTX %s\n{ x=0; }\nkernel "%s" k(x) grid 1 block 1\nexists (x=1)\n' "$1" "$2" >"$1.litmus"; }
echo '__global__ void k(int *x) { *x = 1; }' >k.cu
cp ../else/m.ptx in.ptx
ln -s ../else/m.ptx link.ptx
test_of source k.cu
test_of outside ../else/m.ptx
test_of linked link.ptx
test_of inside in.ptx
for name in outside linked inside; do ptxlit -q $name.litmus && ptxlit --untrusted -q $name.litmus; done
ptxlit suite --untrusted -j 2 .
echo "suite: status $?"
ptxlit suite --untrusted -j 1 -f tap source.litmus
for verb in check explain fix races compare graph convert suite; do
  # shellcheck disable=SC2086 # a verb and its options
  ptxlit $verb --untrusted source.litmus >"$T/out" 2>&1
  echo "$verb: status $?; $(grep -c 'not-compiled' "$T/out") not compiled"
  # shellcheck disable=SC2086
  ptxlit $verb --untrusted outside.litmus 2>&1 | grep -c 'lies outside'
done
cat "$T/ran" 2>/dev/null
ln -s ../else/m.ptx found.litmus
ptxlit -q --untrusted found.litmus
cp "$here/tests/SB.litmus" . && printf '"m"\ninclude "../else/part.cat"\n' >m.cat
echo 'acyclic po | rf' >../else/part.cat
ptxlit -q -m m.cat SB.litmus
ptxlit -q --untrusted -m m.cat SB.litmus
ptxlit -q --untrusted -m sc SB.litmus
echo "--- limits"
limits() { ptxlit suite --untrusted -f json "$@" SB.litmus 2>/dev/null | grep -oE '"(timeout|memory)":[0-9.]+'; }
limits | sort -u
limits -t 3 --memory 500 | sort -u
ptxlit suite --untrusted --rerun r.json
