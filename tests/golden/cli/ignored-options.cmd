# An option that would do nothing is an error.
SB=tests/golden/tests/SB.litmus
try --dump cnf -f json $SB
try --dump=events -q $SB
try run -o "$T/program" --results "$T/results" $SB
try --version x
try suite --version x
