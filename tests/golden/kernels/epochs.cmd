# Accesses of one block between other barriers need no comparison. Two in one epoch do: with one barrier an iteration, a
# thread reads the word of the other warp while that writes the next one; and nothing follows the last barrier. Barriers
# order nothing between blocks, whatever their numbers.
module=tests/golden/kernels/epochs.ptx
ptxlit check --quiet $module 'turns<<<1, 64>>>(int out[1], 700)'
ptxlit check --quiet $module 'one_barrier<<<1, 64>>>(int out[1], 9)'
ptxlit check --quiet $module 'last_apart<<<1, 64>>>(int out[1], 1)'
ptxlit check --quiet $module 'of_blocks<<<2, 64>>>(int out[64])'
