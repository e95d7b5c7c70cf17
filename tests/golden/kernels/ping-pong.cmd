# Two warpgroups in turns by named barriers. By hand: safe, the first one begins and ends. If it also arrives for the
# second one before its first turn, both may begin, and a warpgroup arrives twice in one phase. Without the last wait,
# the read races with the other's store.
say() { # WHAT ROUNDS [CHANGE]
  sed "${3:-}" tests/golden/kernels/ping-pong.ptx >"$T/turns.ptx"
  echo "$1: $(ptxlit check --quiet --cure no "$T/turns.ptx" "turns<<<1, 256>>>(unsigned out[128], $2)" 2>&1 |
    sed -n 's/^Test [a-z]* ptx //p')"
}
say 'as it is' 1
say 'as it is' 4
both='s/@!%p1 bra NEXT; .. first/@%p1 bra SECONDS; bar.arrive 3, 256; bra NEXT; SECONDS:/; s/.. last/bar.sync 3, 256;/'
say 'both begin' 1 "$both"
say 'both begin' 2 "$both"
say 'no last wait' 2 '/@%p1 bra LAST;/{n;d;}'
