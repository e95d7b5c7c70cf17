# The first finding of each kind, also beside undefined behaviour (K4), by both engines.
cat >$T/kinds.litmus <<'END'
PTX kinds
{ .b128 x=1; y=0; .shared .b128 s=0; mbarrier b=1; mbarrier c=1; }
 P0@cta 0                                                                         | P1@cta 0               ;
 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [x], 16, [b]  | st.weak y, 2           ;
 ld.shared.b128 r0, [s]                                                           | ld.relaxed.gpu r1, y   ;
 st.weak y, 1                                                                     | setp.eq.u32 p, r1, 1   ;
 mbarrier.wait.parity.shared::cta.b64 [c], 0                                      | @p trap                ;
safe
END
ptxlit --quiet $T/kinds.litmus
ptxlit --quiet --engine=enumerate $T/kinds.litmus
ptxlit $T/kinds.litmus | grep '^Unsafe'
