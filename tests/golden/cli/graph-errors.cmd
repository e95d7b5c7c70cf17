try graph --show sinc,rf tests/golden/tests/SB.litmus
try graph --show R tests/golden/tests/SB.litmus
try graph --pick=witness --model sc tests/golden/tests/SB.litmus
try graph --pick=forbidden tests/golden/tests/SB.litmus
try graph -o "$T/picture.jpeg" tests/golden/tests/SB.litmus
try graph -o "$T/missing/picture.svg" tests/golden/tests/SB.litmus
try graph --format=png tests/golden/tests/SB.litmus
