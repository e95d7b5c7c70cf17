# Addresses that go through shared memory (docs/semantics.md K14): the first round knows no value there, so that it
# takes an access for one to any address. What that made unknown counts for no later round, which finds on its own what
# it may take for known. All indices are 0: all threads meet at out[0], which atomics may and stores may not.
kernel=tests/golden/kernels/shared-address.ptx
say() { # FILE LAUNCH
  echo "$2: $(ptxlit check --quiet --cure no "$1" "$2" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
}
say "$kernel" 'spread<<<4, 128>>>(unsigned index[512], unsigned out[16], 0)'
say "$kernel" 'spread<<<1, 8>>>(unsigned index[8] = {3, 1, 0, 2, 7, 5, 6, 4}, unsigned out[16], 1)'
say "$kernel" 'spread<<<1, 8>>>(unsigned index[8] = {3, 1, 0, 2, 7, 5, 6, 3}, unsigned out[16], 1)'
say "$kernel" 'spread<<<4, 128>>>(unsigned index[512], unsigned out[16], 1)'
say "$kernel" 'moved<<<1, 4>>>(unsigned index[4] = {0, 1, 2, 3}, unsigned out[4])'
for without in before after; do
  echo "without the barrier $without"
  sed "/\/\/ $without/d" "$kernel" >"$T/$without.ptx"
  say "$T/$without.ptx" 'spread<<<4, 128>>>(unsigned index[512], unsigned out[16], 0)'
done
