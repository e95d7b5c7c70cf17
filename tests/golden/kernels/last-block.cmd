# A reduction in which the last block sets the counter back by a plain store (docs/semantics.md T10): Safe at any size,
# with every thread a column and in both engines where that is possible; without one of its fences it is a race.
kernel=tests/golden/kernels/last-block.ptx
say() { # FILE LAUNCH [OPTION ...]
  file=$1 launch=$2
  shift 2
  echo "$launch $*: $(ptxlit check --quiet --cure no "$@" "$file" "$launch" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
}
one='total<<<2, 1, 4>>>(float in[2], float sum[2])'
two='total<<<2, 2, 8>>>(float in[4], float sum[2])'
for without in before after; do
  sed "/\/\/ $without/d" "$kernel" >"$T/$without.ptx"
done
for launch in "$one" "$two"; do
  say "$kernel" "$launch"
  say "$kernel" "$launch" --without=groups
done
say "$kernel" "$one" --engine=enumerate
for without in before after; do
  echo "without the fence $without"
  say "$T/$without.ptx" "$one"
  say "$T/$without.ptx" "$one" --engine=enumerate
  say "$T/$without.ptx" "$two" --without=groups
  say "$T/$without.ptx" 'total<<<6, 64, 256>>>(float in[384], float sum[6])'
done
echo
say "$kernel" 'total<<<8, 64, 256>>>(float in[512], float sum[8])'
say "$kernel" 'total<<<6, 64, 256>>>(float in[384], float sum[6])' --without=settled
say "$kernel" 'total<<<16, 256, 1024>>>(float in[4096], float sum[16])'
