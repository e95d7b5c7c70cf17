# Characters that a terminal or a runner of jobs acts on, or that nobody sees: in no output as they are. C1 controls,
# what turns lines around, ends them, or is not there; and blanks of Unicode before a command of GitHub's.
tree=$PWD
export PTXLIT_MODELS="$tree/models"
cd "$T" || exit
hidden='\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xd8\x9c|\xef\xbb\xbf'
say() {
  ptxlit "$@" >"$T/all" 2>&1 </dev/null
  LC_ALL=C grep -qaP "$hidden" "$T/all" && echo "by $*"
  LC_ALL=C grep -aP '^([[:space:]]|\xc2\xa0|\xe3\x80\x80|\xe2\x80[\x80-\x8a])*::' "$T/all" && echo "a command by $*"
}
name=$(printf 'a\342\200\256b\302\233c\342\200\250d\330\234e\342\200\213f\342\201\246g')
for test in "$name" "$(printf '\302\240::stop-commands::x')" "$(printf '\343\200\200\342\200\203::error::x')"; do
  sed -e "s/^PTX .*/PTX $test/" -e "2s/.*/\"doc $test\"/" "$tree/tests/golden/tests/SB.litmus" >"$test.litmus"
  { cat "$test.litmus"; echo "$test"; } >"$test-bad.litmus"
  for verb in '' -q --format=json --readings=all --dump=ast --dump=events --executions explain 'explain --format=json' \
    fix races graph 'graph --format=svg' 'graph --format=dot' convert 'compare --model=ptx-7.5,ptx-6.0' \
    suite 'suite --format=html' 'suite --format=junit' 'suite --format=tap' 'suite --format=json'; do
    # shellcheck disable=SC2086 # a verb and its options
    say $verb "$test.litmus"
    # shellcheck disable=SC2086
    say $verb "$test-bad.litmus"
  done
  say "$test"
  say "--$test"
  say --model="$test" "$test.litmus"
  say suite --filter="$test" "$test.litmus"
  ptxlit run -o gpu "$test.litmus" >/dev/null 2>&1
done
LC_ALL=C grep -raPl "$hidden" gpu
# Commands are the format of GitHub's: one for each wrong result, and one at the end.
ptxlit suite -f github "$name-bad.litmus" "$(printf '\302\240::stop-commands::x.litmus')" 2>"$T/all"
LC_ALL=C grep -aP "$hidden" "$T/all"
ptxlit -q "$name.litmus"
ptxlit -f json "$name.litmus" | grep -o '"test":"[^"]*"'
ptxlit suite -f tap "$name-bad.litmus" 2>/dev/null | sed -n '2p;4p'
ptxlit suite -f junit "$name.litmus" 2>/dev/null | grep -o 'name="a[^"]*"'
ptxlit -q "$name-bad.litmus"
ptxlit -q "$(printf '\302\240::stop-commands::x.litmus')"
ptxlit convert -o "$T/tests" "$name.litmus"
