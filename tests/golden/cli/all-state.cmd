try --all-state tests/golden/tests/forall.litmus
