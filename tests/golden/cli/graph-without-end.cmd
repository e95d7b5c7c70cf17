# Tests in which no execution ends are drawn as they hang; others when asked to. Nothing hangs: said so.
try graph litmus/barriers/deadlock+crossing-barriers.litmus docs/examples/part-of-a-block.litmus
try graph --reading=G38=all --pick=deadlock litmus/loops/counter-barrier.cta.litmus \
  litmus/loops/branch+bar.sync-on-one-path.litmus
try graph --pick=deadlock litmus/classic/SB.litmus
try graph --pick=witness litmus/barriers/deadlock+crossing-barriers.litmus
try graph --format=dot litmus/barriers/deadlock+surplus-arrival.litmus | grep dashed | sed 's/ pos=.*label=/ /'
