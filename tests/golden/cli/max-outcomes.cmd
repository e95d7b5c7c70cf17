try --max-outcomes 1 tests/golden/tests/SB.litmus
try --max-outcomes 100 --quiet tests/golden/tests/SB.litmus
