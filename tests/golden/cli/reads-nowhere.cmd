# A load outside of all locations may return anything: a wait for it ends where the solver says so, and the execution
# that shows the mistake has the value that ended it. Four words hold the lines of two threads, and there are three.
launch='_Z8ll_apartP4int2Pi<<<2, 3>>>(int line[4], int out[3])'
ptxlit check -q litmus/kernels/ll.ptx "$launch"
ptxlit graph litmus/kernels/ll.ptx "$launch" | sed -n '/^  P5/,$p'
ptxlit races litmus/kernels/ll.ptx "$launch" | grep -e '^Test' -e 'race on' -e more
ptxlit explain litmus/kernels/ll.ptx "$launch" | grep -e 'P5 line'
