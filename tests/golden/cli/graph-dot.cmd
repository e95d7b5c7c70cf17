try graph --format=dot litmus/classic/MP+release.gpu+acquire.gpu.litmus
try graph --format=dot --dark --show po tests/golden/tests/SB.litmus
