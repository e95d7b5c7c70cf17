# Accesses to tensor memory in a picture and in words: by lane and column, in a column of their own, beside two threads
# that issue them too. An allocation that waits for ever. And the end of a CTA, which is no instruction.
ptxlit graph --width 0 litmus/async/tmem+st+ld.upper-half.litmus
ptxlit explain litmus/async/bug-cutlass-3652.litmus
ptxlit graph --width 0 litmus/cluster/dsmem+told-by-arrival.litmus | sed -n 5,10p
ptxlit graph --width 0 litmus/async/tcgen05+mma+handed-on+mma.litmus | sed -n 5,14p
ptxlit graph --width 0 litmus/async/tmem-warps+held.litmus
