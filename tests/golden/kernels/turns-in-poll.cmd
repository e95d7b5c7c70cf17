# A loop of two turns inside a loop that polls is no loop that memory ends, but is kept as one: its first turn, in which
# block 0 writes the word that block 1 writes too, is not lost. In the second kernel each of two loops has constant
# turns, although a wait sets the predicate of one elsewhere: the first turn writes the words that are even, the second
# one the odd ones, before all are read.
kernel=tests/golden/kernels/turns-in-poll.ptx
ptxlit check --quiet --cure no $kernel 'counts<<<2, 1>>>(int words[2], unsigned flag[1] = {1})'
ptxlit check --quiet --cure no $kernel 'counts<<<2, 1>>>(int words[2], unsigned flag[1] = {0})'
ptxlit check --quiet --cure no $kernel 'phases<<<1, 32>>>()'
sed 's/setp.lt.u32 %p, %l, 2/setp.lt.u32 %p, %l, 1/' $kernel >"$T/one.ptx"
ptxlit check --quiet --cure no "$T/one.ptx" 'phases<<<1, 32>>>()'
