try --executions tests/golden/tests/SB.litmus
