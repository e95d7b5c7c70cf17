# --certify says who checked what. The second solver here is a stand-in, so that every turn it can take is shown;
# `make certify` has a real one.
export PATH="$T/bin:/usr/bin:/bin"
mkdir "$T/bin"
second() { # BODY: what minisat does
  printf '#!/bin/sh\ncat >"%s/seen"\n%s\n' "$T" "$1" >"$T/bin/minisat"
  chmod +x "$T/bin/minisat"
}
plain() { sed -E -e 's/^Time (.*) .*/Time \1 0.00/' -e 's/cadical-[a-z0-9.]+/CADICAL/g' -e 's/"ms":[0-9.]+/"ms":0/'; }
certify() { try --certify=minisat "$@" 2>&1 | plain; }
SB=tests/golden/tests/SB.litmus # under sc it is Never

second 'echo UNSATISFIABLE; exit 20'
certify "$SB"
certify --model sc,ptx --quiet litmus/barriers/MP+bar.sync.litmus "$SB"
certify --format=json --model sc "$SB"
certify tests/golden/tests/undefined.litmus tests/golden/tests/vacuous.litmus
certify --quiet tests/golden/tests/unknown.litmus
certify --races --model ptx litmus/classic/SB+weak.litmus | grep Certified
certify --check=termination litmus/loops/MP+spin-weak.litmus | grep Certified
certify --executions "$SB" | grep Certified
echo "# what it was last asked ends with the assumptions as unit clauses"
ptxlit --certify=minisat --model sc --quiet "$SB" >/dev/null
sed -n -e 1p -e '$p' "$T/seen" | sed -E 's/[0-9]+/N/g'

echo "# a solver that says nothing, dies, or takes too long: not certified, status 3"
second 'echo what; exit 1'
certify --quiet --model sc "$SB"
second 'kill -9 $$'
certify --quiet --model sc "$SB"
second 'exec sleep 20'
certify --quiet --timeout 1 --model sc "$SB"

echo "# another format of answer"
second 'echo "c a comment"; printf "s UNSATISFIABLE"; exit 20'
certify --quiet --model sc "$SB"

echo "# a disagreement is an internal error, and the clauses are kept, once"
second 'echo SATISFIABLE; exit 10'
tool=$(realpath "$tool") PTXLIT_MODELS=$PWD/models sb=$PWD/$SB
export PTXLIT_MODELS
for _ in 1 2; do
  (cd "$T" && cp "$sb" . && "$tool" --certify=minisat --quiet --model sc SB.litmus; echo "status $?") 2>&1
done
head -n 1 "$T"/ptxlit-SB-sc.cnf | sed -E 's/[0-9]+/N/g'

echo "# no second solver"
rm "$T/bin/minisat"
PATH="$T/bin"
certify() { try "$@"; }
certify --certify --quiet "$SB"
certify --certify=z3 --quiet "$SB"
certify --certify=glucose "$SB"
certify --certify --engine=enumerate "$SB"
