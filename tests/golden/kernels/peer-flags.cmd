# Blocks meet twice by flags whose places depend on a count of their own, in one array with it: the count keeps its
# known value (history.c), though the first round, which knows none, has stores anywhere in the array. By hand: safe; a
# race on the data if the flags order nothing. Where flags may be counts (no mask, and a count of -1), these race.
say() { # COUNT WORDS [CHANGE]
  sed "${3:-}" tests/golden/kernels/peer-flags.ptx >"$T/peers.ptx"
  launch="peers<<<2, 1>>>(int words[$2] = {$1, $1}, int data[2])"
  echo "$1 ${3:-}: $(ptxlit check --quiet --cure no "$T/peers.ptx" "$launch" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
}
for first in 0 1 -1; do
  say "$first" 4096
  say "$first" 4096 's/st.release/st.relaxed/'
  say "$first" 16 's/and.b32 w, v, 1/sub.u32 w, v, 1/; s/mul.wide.u32 x, w/mul.wide.s32 x, w/'
done
