echo "# a and d are values; what is strong, an alias of what is written, or may be written stays"
ptxlit --dump=events tests/golden/tests/settled.litmus | grep ^e
echo "# as many executions with all events as without"
try --executions --model ptx,sc --quiet tests/golden/tests/settled.litmus
try --executions --model ptx,sc --quiet --engine=enumerate tests/golden/tests/settled.litmus
ptxlit --executions tests/golden/tests/settled.litmus | grep -A 1 ^Witnesses
ptxlit --executions --engine=enumerate tests/golden/tests/settled.litmus | grep -A 1 ^Witnesses
echo "# models that promise nothing see all"
printf '"Plain"\nacyclic po | rf as Plain\n' > "$T/plain.cat"
ptxlit --dump=bounds --model "$T/plain.cat" tests/golden/tests/settled.litmus | grep ^rf:
ptxlit --dump=bounds --model ptx tests/golden/tests/settled.litmus | grep ^rf:
