# A decimal as an argument has the format of its parameter: the bits of 2.5 as an f32, of -0.1 as an f64.
for args in '2.5, -0.1' '2.5, 0.1' '-2.5, -0.1' '{.f32 2.5}, {.f64 -0.1}' '0f40200000, 0dBFB999999999999A'; do
  echo "$args: $(ptxlit check --quiet tests/golden/kernels/decimals.ptx "equals<<<1, 2>>>(int to[1], $args)" 2>&1 |
    grep '^Test')"
done
