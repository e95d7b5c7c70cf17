# Two cluster barriers in turn are no loop.
ptxlit --dump=slice litmus/kernels/cluster-life.ptx 'cluster_add<<<2, 1>>>(int out[1])'
ptxlit check --quiet litmus/kernels/cluster-life.ptx 'cluster_add<<<2, 1>>>(int out[1])'
