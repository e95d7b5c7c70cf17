# A loop whose turns the first thread decides for its block, through a word of shared memory between two barriers: the
# word is written after an even number of barriers and read after an odd one, so that the two never meet, and all lanes
# leave the loop together (docs/semantics.md K16, B5). Without one of the barriers they meet. Where a thread decides on
# the word of an earlier turn, lanes part at a barrier; where each has a word of its own, they only end one by one.
kernel=tests/golden/kernels/queue.ptx
say() { # FILE LAUNCH [OPTION ...]
  file=$1 launch=$2
  shift 2
  echo "$launch $*: $(ptxlit check --quiet --cure no "$@" "$file" "$launch" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
}
say "$kernel" 'queue<<<2, 64>>>(unsigned next[1], unsigned out[64], 1)'
say "$kernel" 'queue<<<1, 2>>>(unsigned next[1], unsigned out[4], 2)'
say "$kernel" 'queue<<<1, 2>>>(unsigned next[1], unsigned out[4], 2)' --without=groups
say "$kernel" 'queue<<<1, 2>>>(unsigned next[1], unsigned out[4], 2)' --without=settled
say "$kernel" 'queue<<<1, 64>>>(unsigned next[1], unsigned out[64], 1)' --without=history
for without in drawn read; do
  echo "without the barrier $without"
  sed "/\/\/ $without/d" "$kernel" >"$T/$without.ptx"
  say "$T/$without.ptx" 'queue<<<1, 64>>>(unsigned next[1], unsigned out[64], 1)'
done
echo
say "$kernel" 'stale<<<1, 3>>>(unsigned next[1], unsigned out[4], 0)'
say "$kernel" 'stale<<<1, 3>>>(unsigned next[1], unsigned out[4], 1)'
say "$kernel" 'own<<<1, 2>>>(unsigned next[1], unsigned out[4], 1)'
echo
ptxlit check --dump=slice "$kernel" 'queue<<<2, 64>>>(unsigned next[1], unsigned out[64], 1)' |
  grep -o 'P[0-9]*@cta [0-9]*,gpu 0,tid [0-9]*'
