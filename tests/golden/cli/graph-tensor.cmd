# Accesses to tensor memory in a picture and in words: by lane and column, beside the thread that issued them.
ptxlit graph --width 0 litmus/async/tmem+st+ld.upper-half.litmus
ptxlit explain litmus/async/bug-cutlass-3652.litmus
