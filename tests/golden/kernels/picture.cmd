# The picture of a launch: the two accesses of the finding, their threads and the synchronisation around them; a hang
# with one thread for each place where threads wait; the frame of the gpu contains the arcs.
k=tests/golden/kernels/findings.ptx
ptxlit graph $k 'reversed<<<1, 64>>>(int a[64], int out[64])'
ptxlit graph $k 'stuck<<<1, 64>>>()'
ptxlit graph --pick witness $k 'reversed<<<1, 64>>>(int a[64], int out[64])' 2>/dev/null | grep -c thread
ptxlit graph -f svg $k 'reversed<<<1, 64>>>(int a[64], int out[64])' | grep -o '"n gap".*' | grep -o 'text.*text'
ptxlit graph -f dot $k 'reversed<<<1, 64>>>(int a[64], int out[64])' | grep -o 'label=<\.\.\. .*'
