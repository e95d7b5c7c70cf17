# A place that a plain addition draws may be anywhere: with a long array the race for the addition is told, and no
# other; with a short one, all.
say() {
  ptxlit check --quiet --cure no tests/golden/kernels/many-places.ptx "$1"
}
say 'draw<<<1, 8>>>(int out[65536], int next[1])'
say 'draw<<<1, 2>>>(int out[8], int next[1])'
