try --model ptx-9 tests/golden/tests/SB.litmus
try --model sx tests/golden/tests/SB.litmus
try --model no/such.cat tests/golden/tests/SB.litmus
try --model sc,,ptx tests/golden/tests/SB.litmus
