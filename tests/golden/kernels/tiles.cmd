# Blocks that draw tiles from a counter (kernel/draws.c, queues.c): whatever the number of tiles, each is one block's,
# so that no column is left of the launch. Not so where a barrier around the word that tells the tile is missing, the
# counter is not of the scope of all blocks, or no counter at all, numbers are cut, the halo or a store after the loop
# is in another tile, somebody sets the counter back, a tile is staged in shared memory without a barrier, or what no
# tile has staged is read. Where numbers begin again from 0, or the number of the tile before ends the loop, the answer
# comes from all columns; blocks that drew a number past the end leave, and the bounds hold.
kernel=tests/golden/kernels/tiles.ptx
try() { # NAME SED-SCRIPT LAUNCH [OPTION ...]
  sed "$2" "$kernel" >"$T/tiles.ptx"
  name=$1 launch=$3
  shift 3
  echo "$name: $(ptxlit check --quiet --cure no "$@" "$T/tiles.ptx" "$launch" 2>&1 |
    sed -n 's/^Test tiles ptx //; s/[;/(].*//; s/ *assumes.*//; p')"
}
big='tiles<<<64, 256>>>(int in[256000], int out[256000], 1000, 255000)'
some='tiles<<<4, 64>>>(int in[576], int out[576], 8, 512)'
few='tiles<<<2, 2>>>(int in[8], int out[16], 2, 4)'
stage='/write/s/.*/st.shared.u32 [%r6], %r11; bar.sync 0; ld.shared.u32 %r12, [%r7]; st.global.u32 [%rd5], %r12;/'
stage="$stage; /bounds/d"
try 'as it is' '' "$big"
try 'two blocks' '' "$few"
try 'two blocks, without draws' '' "$few" --without=draws
try 'two blocks, without settled' '' "$few" --without=settled
try 'two blocks, without followers' '' "$few" --without=followers
try 'staged' "$stage" "$big"
try 'two tiles at once' '/atom/s/, 1;/, 2;/; /bounds/d; /write/s/$/\n st.global.u32 [%rd5+256], %r11;/' "$some"
try 'begins at 5' '/next = 0/s/0/5/' "$some"
try 'counts once more' '/write/s/$/\n add.u32 %r13, %r13, 1;/' "$some"
try 'stores behind the tiles' '/end/s/^/@%p1 bra END; st.global.u32 [%rd2+2048], %r3; END:/' \
  'tiles<<<1, 64>>>(int in[576], int out[576], 8, 512)'
echo
try 'without a barrier behind the draw' '/drawn/d' "$few"
try 'without a barrier behind the read' '/ read$/d' "$few"
try 'scope of the block' '/atom/s/gpu/cta/' "$few"
try 'no atomic' '/atom/s/.*/ld.global.u32 %r8, [next]; add.u32 %r13, %r8, 1; st.global.u32 [next], %r13;/' "$few"
try 'half the number' '/st.shared.u32 .tile/s/^/shr.u32 %r8, %r8, 1;/' "$few"
try 'two tiles for each number' '/bounds/d; /write/s/$/\n st.global.u32 [%rd5+8], %r11;/' "$few"
try 'reads the next tile' '/ld.global.u32 %r11/s/.%rd4./[%rd5+8]/' "$few"
try 'stores in the last tile' '/end/s/^/@%p1 bra END; st.global.u32 [%rd2+8], %r3; END:/' "$few"
try 'sets the counter back' '/end/s/^/@%p1 bra END; st.global.u32 [next], 0; END:/' "$few"
try 'staged without a barrier' "$stage; s/%r11; bar.sync 0;/%r11;/" "$few"
try 'reads what is staged, after the loop' "$stage; /end/s/^/ld.shared.u32 %r12, [%r7];/" "$few"
echo
try 'begins again from 0' '/next = 0/s/0/0xfffffffe/' "$few"
try 'below 0' '/next = 0/s/0/-1/; s/lt.u32 %p2/lt.s32 %p2/' "$few"
try 'ends by the number of the tile before' \
  '/setp.lt/s/.*/setp.lt.u32 %p2, %r13, %r1; mov.u32 %r13, %r9;/' "$few"
