ptxlit check tests/golden/kernels/data-in-turns.ptx 'pass<<<2, 1>>>(int in, int data, int flag, int out)'
