# Lanes whose lists of barriers differ come together if a run of the lists shows it, with any number of warps
# (kernel/together.c). A list that stops short, or that memory decides, is left to the solver.
for launch in 'nested<<<1, 128>>>()' 'crossed<<<1, 32>>>()' 'lacking<<<1, 32>>>()' 'parted<<<1, 32>>>()' \
  'decided<<<1, 32>>>(int flag[1])'; do
  ptxlit check --quiet --cure no tests/golden/kernels/warp-lists.ptx "$launch" 2>&1
done
