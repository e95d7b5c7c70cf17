# What was meant is suggested: a verb, an option that is another verb's too, a format that the file's ending denies.
try exlpain tests/golden/tests/SB.litmus
try compare --model sc tests/golden/tests/SB.litmus
try graph --format svg -o "$T/x.dot" tests/golden/tests/SB.litmus
try graph --format dot -o "$T/x.gv" tests/golden/tests/SB.litmus
try graph --format text -o "$T/x.log" tests/golden/tests/SB.litmus
