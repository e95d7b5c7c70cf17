ptxlit - <tests/golden/tests/SB.litmus
echo "status $?"
echo "# an error in it"
echo 'PTX' | ptxlit -
echo "status $?"
