try --format=json --races tests/golden/tests/SB.litmus tests/golden/tests/MP.litmus tests/golden/tests/forall.litmus
try --format=json tests/golden/tests/unknown.litmus
try --format=json tests/golden/tests/undefined.litmus
try --format=json tests/golden/tests/vacuous.litmus
try --format=json tests/golden/tests/unmet.litmus
