# Blocks that begin with a tile of their own, and draw the others from a counter (kernel/draws.c): the tile with which
# the loop begins is in no other block, since what is drawn is above all of these. Not so where the last block's first
# tile is drawn too, where two blocks begin with one tile, where a tile is two numbers wide, where a barrier around the
# word that tells the tile is missing, or where the first tile is read before all of its threads have written it.
kernel=tests/golden/kernels/begun-tiles.ptx
try() { # NAME SED-SCRIPT LAUNCH [OPTION ...]
  sed "$2" "$kernel" >"$T/tiles.ptx"
  name=$1 launch=$3
  shift 3
  echo "$name: $(ptxlit check --quiet --cure no "$@" "$T/tiles.ptx" "$launch" 2>&1 |
    sed -n 's/^Test tiles ptx //; s/[;/(].*//; s/ *assumes.*//; p')"
}
big='tiles<<<64, 256>>>(int in[256512], int out[256512], 1000)'
some='tiles<<<16, 64>>>(int in[12928], int out[12928], 200)'
few='tiles<<<2, 2>>>(int in[12], int out[12], 4)'
try 'as it is' '' "$big"
try 'two blocks' '' "$few"
try 'two blocks, without draws' '' "$few" --without=draws
try 'begins at 1' '/next = 0/s/0/1/' "$some"
try 'one tile further' '/behind/s/$/\n add.u32 %r9, %r9, 1;/' "$some"
try 'the other way round' '/first/s/$/\n sub.u32 %r5, %r4, %r5; sub.u32 %r5, %r5, 1;/' "$some"
double='/first/s/$/\n add.u32 %r5, %r5, %r5;/; /behind/s/.*/add.u32 %r9, %r8, %r4; shl.b32 %r9, %r9, 1;/'
try 'two tiles at once' "$double; /write/s/$/\n st.global.u32 [%rd5+256], %r7;/" "$some"
echo
last='/behind/s/$/\n sub.u32 %r9, %r9, 1;/'
same='/first/s/$/\n shr.u32 %r5, %r5, 1;/'
wide='/write/s/$/\n st.global.u32 [%rd5+8], %r7;/'
early='/ld.global.u32 %r7/s/.%rd4./[%rd5+4]/'
for launch in "$few" "$some"; do
  try 'draws the first tile of the last block' "$last" "$launch"
  try 'two blocks begin with one tile' "$same" "$launch"
  try 'writes the next tile' "$wide" "$launch"
  try 'reads the next element' "$early" "$launch"
  try 'without a barrier behind the draw' '/drawn/d' "$launch"
  try 'without a barrier behind the read' '/ read$/d' "$launch"
  try 'scope of the block' '/atom/s/gpu/cta/' "$launch"
  echo
done
other='/first/s/$/\n setp.ne.u32 %p2, %r5, 1; @%p2 bra ON; st.global.u32 [%rd2], %r2; ON:/'
try 'another block writes a first tile' "$other" "$some"
echo
# What nothing is left of is safe for fix too, although all of it has too many events.
ptxlit fix "$kernel" "$big" 2>&1 | grep . | head -2
