try graph tests/golden/tests/SB.litmus
try graph --model sc --pick=forbidden tests/golden/tests/SB.litmus
try graph --pick=all --show rf litmus/coherence/CoRR.litmus
try graph --show sync,cause litmus/classic/MP+release.gpu+acquire.gpu.litmus
