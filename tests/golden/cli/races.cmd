try --races tests/golden/tests/unmet.litmus
