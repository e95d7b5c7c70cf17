# Reductions in bulk of many blocks to one row: their elements are morally strong, so that each block counts once (K17).
# By hand: as it is, safe, also for more blocks than fit as columns, and of f16; with an atomic of the generic proxy on
# the same words a race (A37); so is a read of the row; without the wait for room, a store to a source in flight (A10);
# without the last wait, a source may be read when the block has ended (K4); without the fence a race.
check() { # LAUNCH [CHANGE]
  sed "${2:-}" tests/golden/kernels/bulk-sums.ptx >"$T/sums.ptx"
  ptxlit check --quiet --cure no "$T/sums.ptx" "$1" 2>&1 | sed -n 's/^Test [a-z]* ptx //p'
}
say() { # WHAT BLOCKS [CHANGE]
  echo "$1: $(check "sums<<<$2, 64>>>(unsigned in[], unsigned row[64], 4)" "${3:-}")"
}
say 'as it is' 2
say 'as it is' 64
say 'of f16' 64 's/bulk_group.add.u32/bulk_group.add.noftz.f16/'
say 'an atomic too' 4 's,// end,red.global.add.u32 [%d4]\, 1;,'
say 'a read too' 4 's,// end,ld.global.u32 %r7\, [%d4];,'
say 'no room' 64 '/room/d'
say 'no last wait' 64 '/last/d'
say 'no fence' 64 '/fence/d'
# The same into one place of a tensor; as a copy, it races with itself.
map='tensormap m = {unsigned to[256], .u32, dims 16 16, box 16 4}'
echo "tiles: $(check "tiles<<<200, 64>>>($map)")"
echo "copied: $(check "tiles<<<4, 64>>>($map)" 's/cp.reduce\(.*\).add.tile/cp\1.tile/')"
