# Options that are readings now, or spelt otherwise: each says what to give. Two readings of a gap exclude each other.
try --barrier-participants all litmus/classic/SB.litmus
try compare --barrier-participants=users litmus/classic/SB.litmus
try observe --dependencies=syntactic litmus/classic/SB.litmus
try --dependencies syntactic litmus/classic/SB.litmus
try --verdict-only litmus/classic/SB.litmus
try compare --models sc,tso litmus/classic/SB.litmus
try diff --dependencies=syntactic old.json new.json
try --reading G38=all,G38=users litmus/classic/SB.litmus
try --quiet --reading G38=users litmus/barriers/users+other-barrier.litmus
try --readings all litmus/barriers/users+other-barrier.litmus
