# Text keeps to 80 columns, or to what is asked for; a name that the instruction does not show is told.
try graph litmus/classic/IRIW.litmus docs/examples/handshake.litmus litmus/multimem/multimem.red+operations.litmus
try graph --width 60 litmus/classic/WRC.litmus
try graph --width 0 litmus/classic/IRIW.litmus | head -n 6
try graph litmus/aliases/MP+alias-of-flag.litmus litmus/proxies/CoWR+surface+texture.litmus
try graph litmus/floats/MP+multimem.red.f16x2.litmus
