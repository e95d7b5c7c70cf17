# Readings of the document where it is silent: chosen by name or option, compared, and wrong ones.
try --quiet --model ptx,ptx+G26=complete litmus/aliases/MP+alias-of-flag.litmus
try --quiet --reading G26=complete,G20=acquires litmus/aliases/MP+alias-of-flag.litmus
try --quiet --model models/ptx.cat+G26=complete litmus/aliases/MP+alias-of-flag.litmus
try --readings=all litmus/aliases/MP+alias-of-flag.litmus litmus/aliases/alias+surface+fences-out-of-order.litmus \
  litmus/errata/8.11.1-red-does-not-acquire.litmus litmus/classic/SB.litmus
try --readings=all --reading G26=complete litmus/aliases/MP+alias-of-flag.litmus
try --readings=all --model sc litmus/classic/SB.litmus
try --quiet --reading G27=nothing litmus/classic/SB.litmus
try --quiet --model sc --reading G26=complete litmus/classic/SB.litmus
cat >"$T/m.cat" <<'CAT'
"a verdict that two readings change only together"
acyclic po | rf | co | (if "A=1" then (if "B=1" then 0 else fr) else fr) as All
CAT
try --readings=all --model "$T/m.cat" litmus/classic/SB.litmus
printf '"bad"\nlet a = if "A=1" then b else 0\nempty a\n' >"$T/bad.cat"
try --model "$T/bad.cat" litmus/classic/SB.litmus
printf '"bad"\nempty if x then 0 else 0\n' >"$T/syntax.cat"
try --model "$T/syntax.cat" litmus/classic/SB.litmus
# A wait that acquires rests on no dependency, though the model asks what depends on a test's answer.
ptxlit -q --reading H2=no-wait litmus/async/mbarrier+arrive+wait.litmus litmus/async/try_cancel+reuse+fence.litmus
try check --reading all litmus/classic/MP.litmus
