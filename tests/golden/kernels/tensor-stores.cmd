# A store through a tensor map writes its box, and no more: blocks that store tiles of their own need columns once.
say() {
  printf '%s\n' 'PTX tiles' '{ .b32 x[256]; tensormap m = {x, .b32, dims 8 32, box 8 4}; }' \
    "kernel \"$PWD/tests/golden/kernels/tensor-stores.ptx\" tiles(m, $1, $2)" 'grid 6 block 32 threads grouped' safe \
    >"$T/tiles.litmus"
  echo "$3: $(ptxlit --quiet "$T/tiles.litmus" 2>&1 | sed -n 's/^Test [a-z]* ptx //p')" \
    "$(ptxlit --dump=slice "$T/tiles.litmus" 2>&1 | grep -o 'P[0-9]*@cta [0-9]*' | sort -u -k2 | wc -l) blocks"
}
say 4 9 'tiles of their own'
say 4 4 'the last two write one tile'
say 3 9 'each tile overlaps the next one'
say 0 9 'one tile'
say 6 9 'the last tile is partly outside'
