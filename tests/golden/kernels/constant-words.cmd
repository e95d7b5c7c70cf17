# Words that no thread writes need no event, whatever proxy reads them; a write by another thread races with a read
# through .nc, for which no fence makes writes visible (docs/semantics.md K14).
for which in 64 3; do
  launch="sums<<<1, 64>>>(.u32 a[2], .u32 b[64], $which)"
  ptxlit check --cure no --quiet tests/golden/kernels/constant-words.ptx "$launch"
  ptxlit convert tests/golden/kernels/constant-words.ptx "$launch" |
    sed -n '/^ P0/,$p' | head -n 4 | cut -d '|' -f 1-2
done
