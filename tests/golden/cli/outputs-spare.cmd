# An output takes the place of no module, source or header that begins like one, and of no model or what it includes.
tree=$PWD/tests/golden
cd "$T" || exit
module() { sed 's/^ *//' <<'END'
  .version 8.0
  .target sm_80
  .address_size 64
  .visible .entry k(.param .u64 p) { .reg .b64 %a; ld.param.u64 %a, [p]; st.global.u32 [%a], 1; ret; }
END
}
module >mod.txt
{ printf '\357\273\277'; module; } >bom.txt
{ echo '@@DWARF x'; module; } >dwarf.txt
{ echo '// comment'; } >flags.txt
{ echo '// comment'; } >header.txt
echo '#include "header.txt"
__global__ void k(int *x) { *x = 1; }' >k.cu
test_of() { printf 'PTX %s\n%s{ x=0; }\nkernel "%s" k(x) grid 1 block 1\nexists (x=1)\n' "$1" "$3" "$2" >"$1.litmus"; }
test_of p mod.txt
test_of b bom.txt
test_of d dwarf.txt
test_of s k.cu 'CompilerFlags=-include sub/flags.txt
'
printf 'PTX t$1\n{ x=0; }\nkernel "m$0.txt" k(x) grid 1 block 1\nexists (x=1)\n$$\nod | 1\n' >rows.litmus
printf '"m"\ninclude "part.txt"\n' >m.cat && echo 'acyclic po | rf' >part.txt
ln -s mod.txt other-name
try suite -f tap -o mod.txt p.litmus 2>&1
try suite -f tap -o ./other-name p.litmus 2>&1
try graph -o mod.txt p.litmus 2>&1
try suite -f tap -o bom.txt b.litmus 2>&1
try suite -f tap -o dwarf.txt d.litmus 2>&1
for file in header.txt flags.txt; do try suite -f json -o $file --compiler no-such s.litmus 2>&1; done
try suite -f tap -o mod.txt rows.litmus 2>&1
cp "$tree/tests/SB.litmus" .
try suite -f tap -o part.txt -m ./m.cat SB.litmus 2>&1
try suite -f tap -o mod.txt . 2>&1 | grep -v '^[0-9EUN]'
module | cmp - mod.txt
echo old >report.tap
try suite -j 1 -f tap -o report.tap SB.litmus 2>&1 | sed 's/([0-9.]* s)/(T)/'
head -n 1 report.tap
