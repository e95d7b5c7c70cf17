sed 's/x=0; y=0;//' tests/golden/tests/SB.litmus >"$T/undeclared.litmus"
try --quiet "$T/undeclared.litmus"
try --quiet --implicit-locations "$T/undeclared.litmus"
