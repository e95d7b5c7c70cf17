# A barrier of the warp orders the words of the first warp with the flag, and not those of the second one, although all
# lanes but the first have the same instructions (docs/semantics.md T10).
for which in 2 33 63; do
  for without in '' --without=settled --without=groups --without=groups,settled,alike; do
    ptxlit check --quiet --cure no $without tests/golden/kernels/warps-apart.ptx \
      "leader<<<2, 64>>>(.u32 data[64], .u32 flag[1], $which)" 2>&1 | sed "s/^/$which $without: /"
  done
done
