# Products of wgmma that barriers, fences between the proxies and waits order with the accesses to their matrices make
# no events (docs/semantics.md T10). The bits of the first argument are in the module.
say() {
  echo "$*: $(ptxlit check --quiet --cure no tests/golden/kernels/settled-products.ptx \
    "rounds<<<2, ${2:-128}>>>($1, ${3:-3}, float from[512], float out[2048])" 2>&1 |
    sed -n -e 's/^Test [a-z]* ptx //p' -e 's/.*error: //p')"
}

say 0
say 0 256
say 128
say 128 256
echo no fence, one of the reader, one before the stores, one of global memory, one before the copies are over
say 1
say 1 256
say 129
say 3
say 33
say 65
say 641
say 129 256
echo the next round begins: after the product for the warpgroup that multiplied, but not for another one
say 4
say 4 256
say 132 256
echo a product in flight
say 8
say 136 256
echo no barrier: all threads of the warpgroup come to the product, and no others
say 16
say 16 256
echo no wgmma.fence
say 1024
echo many rounds: the columns of the blocks follow one another, and one race stands for all
for how in 128 129; do
  echo "$how: $(ptxlit check --quiet --cure no tests/golden/kernels/settled-products.ptx \
    "rounds<<<4, 256>>>($how, 8, float from[512], float out[4096])" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')"
done
echo the cure
ptxlit check tests/golden/kernels/settled-products.ptx \
  'rounds<<<4, 256>>>(129, 8, float from[512], float out[4096])' 2>&1 | grep -m1 cure
