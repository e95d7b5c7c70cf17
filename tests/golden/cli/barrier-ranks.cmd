# Lanes that meet several times at one barrier: each arrival is in the phase of its rank in the thread, so that nothing is
# left to be chosen and barriers add no clause, however many lanes there are.
lanes() {
  echo "PTX lanes$1"
  echo "{ x=0; }"
  for l in $(seq 0 $(($1 - 1))); do
    printf ' P%s@cta 0,gpu 0,warp 0,lane %s %s' "$l" "$l" "$([ "$l" = $(($1 - 1)) ] && echo ';' || echo '|')"
  done
  echo
  row() { for l in $(seq 1 "$1"); do printf ' %s %s' "$2" "$([ "$l" = "$1" ] && echo ';' || echo '|')"; done; echo; }
  for turn in 1 2 3 4; do row "$1" "bar.warp.sync $(((1 << $1) - 1))"; done
  echo "exists (x=0)"
}
for n in 2 4 8; do
  lanes $n >"$T/lanes$n.litmus"
  echo "$n lanes: $(ptxlit --dump=cnf "$T/lanes$n.litmus" 2>/dev/null | grep '^p cnf')"
done
