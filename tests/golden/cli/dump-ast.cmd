# The printed form is the input language: printing what was printed changes nothing, and the verdict stays.
try --dump=ast tests/golden/tests/forall.litmus
for test in SB MP forall; do
  ptxlit --dump=ast tests/golden/tests/$test.litmus >"$T/once.litmus"
  ptxlit --dump=ast "$T/once.litmus" >"$T/twice.litmus"
  cmp "$T/once.litmus" "$T/twice.litmus" && ptxlit --quiet "$T/once.litmus"
done
