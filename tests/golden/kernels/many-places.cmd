# A place that a plain addition draws may be anywhere: refused at once with a long array; with a short one, a race.
say() {
  ptxlit check --quiet --cure no tests/golden/kernels/many-places.ptx "$1"
}
say 'draw<<<1, 8>>>(int out[65536], int next[1])'
say 'draw<<<1, 2>>>(int out[8], int next[1])'
