# Suites word for word; processes and files are in tests/suite.
suite() { try suite --jobs 2 "$@" 2>&1 | sed -E 's/\([0-9.]+ s\)$/(T s)/'; }
set -- tests/golden/tests/SB.litmus tests/golden/tests/unmet.litmus tests/golden/tests/unknown.litmus
set -- "$@" docs/examples/mp.test
suite "$@"
suite --model sc,ptx "$@"
suite --format tap "$@"
suite --format html --model sc,ptx "$@"
suite --shard 5/4 "$@"
suite --jobs many "$@"
suite --format xml "$@"
suite --progress never "$@"
suite --quiet "$@"
try merge
try diff one
try suite --help
