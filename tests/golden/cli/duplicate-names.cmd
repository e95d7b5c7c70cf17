# Two tests of one name in a run: an error with both places; the rest is done.
cp tests/golden/tests/SB.litmus "$T/again.litmus"
try --quiet tests/golden/tests/SB.litmus "$T/again.litmus" tests/golden/tests/forall.litmus
echo "# the same file twice"
try --quiet tests/golden/tests/SB.litmus tests/golden/tests/SB.litmus
