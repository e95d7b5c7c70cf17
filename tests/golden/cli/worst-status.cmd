# Several inputs: all are done, and the worst status wins.
try --quiet tests/golden/tests/SB.litmus tests/golden/tests/unmet.litmus
try --quiet tests/golden/tests/unmet.litmus tests/golden/tests/unknown.litmus
try --quiet tests/golden/tests/unmet.litmus tests/golden/tests/unknown.litmus no-such-file tests/golden/tests/SB.litmus
