# A stream that is closed takes nothing: a failed write of standard output; without standard error nobody is told, and
# no file that is opened takes its place.
sb=tests/golden/tests/SB.litmus
run() {
  ptxlit "$@" >&- 2>"$T/err"
  echo "$?: $1 ${2#"$T"}: $(head -n 1 "$T/err" | cut -c1-100)"
}
cp "$sb" "$T/SB.litmus"
for verb in check explain fix races compare graph convert suite; do run $verb "$sb"; done
run graph --format=svg "$sb"
run suite --format=json "$sb"
run suite --format=log "$sb"
run generate --events=2
run distinguish sc tso --events=2
run map abi-13 -n 2
run --list-models
run --help
run --help=man
run --version
run --format=json "$sb"
run --dump=cnf "$sb"
ptxlit suite -j 1 -f json -o "$T/a.json" "$sb" >/dev/null 2>&1
run merge "$T/a.json"
run diff "$T/a.json" "$T/a.json"
ptxlit -q "$sb" 2>&-
echo "status $?"
ptxlit -q no-such 2>&-
echo "status $?"
ptxlit suite -j 2 "$sb" no-such >/dev/null 2>&-
echo "status $?"
ptxlit graph -o "$T/x.svg" "$sb" no-such.litmus >&- 2>&-
echo "status $?"
grep -c 'ptxlit: error' "$T/x.svg" # a message in its place
ptxlit -q - <&-
