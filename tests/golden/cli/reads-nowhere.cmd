# A load outside of all locations may return anything: a wait for it ends where the solver says so, and the execution
# that shows the mistake has the value that ended it. Four words hold the lines of two threads, and there are three.
cp litmus/kernels/ll.ptx "$T/ll.ptx"
ptxlit check --print "$T/ll.ptx" '_Z8ll_apartP4int2Pi<<<2, 3>>>(int line[6], int out[3])' |
  sed -e 's/line\[6/line[4/' -e /Expect/d >"$T/ll.litmus"
ptxlit -q "$T/ll.litmus"
ptxlit graph "$T/ll.litmus" | sed -n '/^  P5/,$p'
ptxlit races "$T/ll.litmus" | grep -e '^Test' -e 'race on' -e more
ptxlit explain "$T/ll.litmus" | grep -e 'P5 line'
