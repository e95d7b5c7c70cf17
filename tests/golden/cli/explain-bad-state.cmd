# States that the test cannot name, cannot reach, or that are no states.
try explain litmus/classic/SB.litmus '0:r9=1'
try explain litmus/classic/SB.litmus '3:r0=1; x=1'
try explain litmus/classic/SB.litmus '0:r0=0 && 1:r1=0'
try explain litmus/classic/SB.litmus '0:r0='
try explain litmus/classic/SB.litmus '(0:r0=0'
try explain litmus/classic/SB.litmus '0:r0=0)'
try explain litmus/classic/SB.litmus '='
try explain litmus/classic/SB.litmus '0:r0=7'
try explain litmus/classic/SB.litmus 'z=1'
try explain nothing=here
try explain
