# Far more outcomes than fit into the time: no verdict, and the reason. (With the verdict alone it is quick.)
bench/generate sb-ring-relaxed 40 >"$T/ring.litmus"
try --timeout 0.5 "$T/ring.litmus"
