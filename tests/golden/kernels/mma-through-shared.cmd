# Products over shared memory whose values nothing needs: Safe with every thread passing them by or not, and a race
# without any of the barriers.
kernel=tests/golden/kernels/mma-through-shared.ptx
launch='multiply<<<1, 64>>>(int in[256], int out[256])'
say() { # FILE [OPTION ...]
  file=$1
  shift
  echo "${file##*/} $*: $(ptxlit check --quiet --cure no "$@" "$file" "$launch" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
}
say "$kernel"
say "$kernel" --without=needless
say "$kernel" --without=settled
for without in stored loaded product; do
  sed "/\/\/ $without/d" "$kernel" >"$T/$without.ptx"
  say "$T/$without.ptx"
  say "$T/$without.ptx" --without=needless
done
