# The execution told is a coherent one where there is one: under sc a read that misses its own thread's write says
# nothing of Peterson's lock.
ptxlit explain -m sc litmus/loops/peterson+fence.sc.litmus | sed -n '/closest/,/again/p'
# A hang where nothing is observed ends its line at who waits.
cat >$T/hang.litmus <<'X'
PTX hang
{ x=0; }
 P0@cta 0,gpu 0        ;
 LOOP:                 ;
 ld.relaxed.gpu.u32 r0, x  ;
 setp.eq.u32 p, r0, 0  ;
 @p bra LOOP           ;
exists (0=0)
X
ptxlit --check termination $T/hang.litmus | grep Termination
