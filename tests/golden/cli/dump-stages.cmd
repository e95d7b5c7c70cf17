try --dump=events tests/golden/tests/SB.litmus
try --dump=model --model sc tests/golden/tests/SB.litmus
echo "# the others are long"
ptxlit --dump=bounds tests/golden/tests/SB.litmus | grep -c .  | sed 's/[0-9][0-9]*/some lines/'
ptxlit --dump=cnf tests/golden/tests/SB.litmus | grep '^p cnf' | sed 's/[0-9][0-9]*/N/g'
