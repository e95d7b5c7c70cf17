# Any format as canonical .litmus, on stdout or as files that are never written over.
try convert docs/examples/mp.test
try convert --output "$T/d" docs/examples/mp.test tests/golden/tests/SB.litmus
ls "$T/d"
try convert --output "$T/d" tests/golden/tests/SB.litmus
try convert --output "$T/none/d" tests/golden/tests/SB.litmus
try convert --model sc tests/golden/tests/SB.litmus
sed 's|PTX SB|PTX a/b|' tests/golden/tests/SB.litmus >"$T/a.litmus"
try convert --output "$T/d" "$T/a.litmus"
try convert
