# A test in CUDA C++ as a program for a GPU: its atomics by libcu++, blocks as jumps, a loop that uses up steps; and
# what libcu++ has no word for.
cat >$T/cpp.litmus <<'END'
CUDA cpp
{ int x=0; y=0; .s32 m=5; }
 P0@block 0,device 0              | P1@block 1,device 0                            ;
 x = 1                            | do {                                           ;
 __threadfence()                  | r0 = y.load(acquire, device)                   ;
 y.store(1, release, device)      | } while (r0 == 0)                              ;
 r0 = m.fetch_max(3, relaxed, system) | r1 = x                                     ;
 atomic_thread_fence(seq_cst, block)  | r2 = y.compare_exchange(1, 2, acq_rel, device) ;
                                  | if (r2 == 1) x = r1                            ;
exists (1:r0=1 /\ 1:r1=0 /\ 0:r0=5)
END
cat >$T/cluster.litmus <<'END'
CUDA cluster
{ x=0; }
 P0@block 0,device 0           | P1@block 1,device 0            ;
 x.store(1, relaxed, cluster)  | r0 = x.load(relaxed, device)   ;
exists (1:r0=1)
END
try run $T/cpp.litmus $T/cluster.litmus -o $T/program --parts 1
head -n 2 $T/program/part0.cu
sed -n '/void play/,/^  }/p' $T/program/part0.cu
