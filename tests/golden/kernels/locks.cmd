# Blocks take turns by a lock that one thread of each takes (exec/together.c; order_first_before in kernel/order.c, by
# which the word counts as written in the first turn). Without the barrier before the lock is given back, or an order in
# its cas, the accesses race; a word that the first turn does not write is read unwritten.
kernel=tests/golden/kernels/locks.ptx
say() { # FILE LAUNCH
  echo "$2: $(ptxlit check --quiet --cure no "$1" "$2" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
}
say "$kernel" 'lock<<<4, 128>>>(unsigned words[128], unsigned mutex[1])'
say "$kernel" 'behind<<<4, 128>>>(unsigned words[128], unsigned mutex[1])'
say "$kernel" 'late<<<1, 64>>>(unsigned words[1], unsigned flag[1])'
for change in '/\/\/ give/d' 's/acquire.gpu.global.cas/relaxed.gpu.global.cas/' 's/gpu.global.cas/cta.global.cas/'; do
  sed "$change" "$kernel" >"$T/locks.ptx"
  say "$T/locks.ptx" 'lock<<<2, 64>>>(unsigned words[64], unsigned mutex[1])'
done
# The threads have met at the barrier of the loop before it; the iterations that a block repeats, each of which may
# lack, are in phases of their own (may_lack in exec/barriers.c).
again='s/^TAKE:$/bar.sync 0; bar.sync 0; TAKE:/'
for change in '' 's/acquire.gpu.global.cas/relaxed.gpu.global.cas/'; do
  sed "$again; $change" "$kernel" >"$T/locks.ptx"
  say "$T/locks.ptx" 'behind<<<3, 128>>>(unsigned words[128], unsigned mutex[1])'
done
