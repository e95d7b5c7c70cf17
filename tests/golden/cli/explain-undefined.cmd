# Why nothing is promised: barriers misused in an execution that ends and in one that does not, lanes that part, a wait
# without an arrive, numbers and addresses out of range; and why nothing is known.
try explain litmus/barriers/undefined+different-counts.litmus
try explain litmus/barriers/undefined+red-meets-arrive.litmus
try explain litmus/barriers/undefined+arrives-twice.litmus
try explain litmus/barriers/undefined+number-from-memory.litmus
try explain litmus/warp/undefined+aligned-in-two-arms.litmus
try explain litmus/cluster/undefined+wait-twice.litmus
try explain litmus/mixed-size/two-u32-stores-and-u64-load.litmus
try explain litmus/loops/lock-exch+bound.litmus litmus/loops/MP+spin-count+bound.litmus
try explain docs/examples/discard.litmus
try explain --format=json litmus/barriers/undefined+arrive-then-sync.litmus
cat > "$T/address.litmus" <<'END'
PTX address
{ int a[2]; x=0; P1:r9=a; }
 P0@cta 0     | P1@cta 0              ;
 st.weak x, 4 | ld.weak r1, x         ;
              | add.u64 r2, r9, r1    ;
              | add.u64 r2, r2, r1    ;
              | ld.weak.u32 r3, [r2]  ;
exists (1:r3=0)
END
try explain - <"$T/address.litmus"
# The condition asks for what such a load returns, which is anything (found by fuzzing: an internal error).
cat > "$T/nowhere.litmus" <<'END'
PTX nowhere
{ x=0; 1:r33=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0       ;
 ld.u32 r0, [x] | ld.weak.u32 r1, [r33] ;
exists (0:r0=3 /\ 1:r1=1)
END
try explain - <"$T/nowhere.litmus"
