# A runner of jobs takes "::error::x" where a line begins, and "##[error]x" and "##vso[x]x" anywhere, for a command: no
# name puts one into a log, in any verb and format. Nothing is shown but what would run.
commands() { grep -nE '^[[:space:]]*::|##[A-Za-z-]*\[' "$T/all" && echo "by $*"; }
say() { ptxlit "$@" >"$T/all" 2>&1 </dev/null; commands "$@"; }
tree=$PWD
export PTXLIT_MODELS="$tree/models"
cd "$T" || exit
for name in '::error::x' '  ::error::x' '##[error]x' '##vso[task.x]x'; do
  sed "s/^PTX .*/PTX $name/" "$tree/tests/golden/tests/SB.litmus" >"$name.litmus"
  { cat "$name.litmus"; echo "$name"; } >"$name-bad.litmus"
  for verb in '' -q --format=json --readings=all --dump=ast --dump=events --engine=enumerate --executions explain fix \
    races graph convert 'compare --model=ptx-7.5,ptx-6.0' 'suite --models=ptx-7.5,sc' 'suite --format=html' \
    'suite --format=junit' 'suite --format=tap' 'suite --format=json'; do
    say $verb "$name.litmus"
    say $verb "$name-bad.litmus"
  done
  say map "$name.litmus"
  say -q "$name"
  say "--$name"
  say "$name" "$name"
  say --model="$name" "$name.litmus"
  say suite --filter="$name" "$name.litmus"
done
ptxlit -q '::error::x.litmus'
ptxlit -q '##[error]x.litmus'
ptxlit --format=json '##[error]x.litmus' | grep -o '"test":"[^"]*"'
ptxlit suite --format=tap '::error::x.litmus' 2>/dev/null | sed -n 2p
ptxlit '::error::x-bad.litmus' 2>&1
# A file name that distinguish repeats.
printf 'acyclic po | rf as order\n' >"$T/$(printf 'e\033[3mvil.cat')"
(cd "$T" && ptxlit distinguish "$(printf './e\033[3mvil.cat')" "$(printf './e\033[3mvil.cat')" --events 2)
