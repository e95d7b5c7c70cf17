# Two readings of a gap exclude each other; an option that only another verb takes.
try --dependencies syntactic litmus/classic/SB.litmus
try --verdict-only litmus/classic/SB.litmus
try --reading G38=all,G38=users litmus/classic/SB.litmus
try --quiet --reading G38=users litmus/barriers/users+other-barrier.litmus
try --readings all litmus/barriers/users+other-barrier.litmus
