try --model ptx-9 tests/golden/tests/SB.litmus
try --model sx tests/golden/tests/SB.litmus
try --model no/such.cat tests/golden/tests/SB.litmus
try --model sc,,ptx tests/golden/tests/SB.litmus
try --model SC tests/golden/tests/SB.litmus
try --model c11 tests/golden/tests/SB.litmus
try --model rc11 tests/golden/tests/SB.litmus
