# A write that fails is never passed over.
ptxlit tests/golden/tests/SB.litmus >/dev/full
echo "status $?"
ptxlit --help >/dev/full
echo "status $?"
ptxlit --format=json tests/golden/tests/SB.litmus >/dev/full
echo "status $?"
ptxlit --dump=events tests/golden/tests/SB.litmus >/dev/full
echo "status $?"
