# A frame for each step, a state of one's own, a larger picture; a forbidden execution without an order stays whole.
try graph --steps tests/golden/tests/SB.litmus '0:r0=0; 1:r0=1'
try graph --steps --model coherence --pick=forbidden litmus/classic/CoRR.litmus
try graph tests/golden/tests/SB.litmus '0:r7=0'
try graph --scale 200 tests/golden/tests/SB.litmus -o "$T/large.svg"
grep -o 'width="[0-9]*pt" height="[0-9]*pt"' "$T/large.svg"
