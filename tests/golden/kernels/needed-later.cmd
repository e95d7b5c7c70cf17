# Values that come from one variable through another one decide addresses, though threads do not know it before they
# access both; without a barrier, a race.
kernel=tests/golden/kernels/needed-later.ptx
say() { # FILE [OPTION ...]
  for launch in 'through<<<1, 32>>>(int out[72])' 'late<<<12, 32>>>(int out[24576])' \
    'late<<<2, 32>>>(int out[4096])'; do
    ptxlit check --quiet --cure no "$@" "$launch"
  done
}
say "$kernel"
say --without=needless "$kernel"
say --without=twins "$kernel"
for without in second first; do
  sed "/bar.sync 0; \/\/ $without/d" "$kernel" >"$T/$without.ptx"
  say "$T/$without.ptx"
  say --without=needless "$T/$without.ptx"
done
