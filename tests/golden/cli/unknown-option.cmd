try --modle sc tests/golden/tests/SB.litmus
try --zzz tests/golden/tests/SB.litmus
try -x tests/golden/tests/SB.litmus
