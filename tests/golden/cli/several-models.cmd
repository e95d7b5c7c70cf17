try --model sc --model ptx tests/golden/tests/SB.litmus
