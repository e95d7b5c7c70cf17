# JSON of what does not end: a deadlock with who waits, the bound of loops, termination under each scheduler; and the
# assumption of multimem.
ptxlit --format=json litmus/barriers/deadlock+crossing-barriers.litmus | sed 's/,"expected".*//'
ptxlit --format=json litmus/loops/MP+spin-count+bound.litmus | sed 's/,"expected".*//'
for progress in fair hsa obe lobe; do
  ptxlit --format=json --check=termination --progress=$progress litmus/loops/MP+spin-acquire+predicate.litmus |
    sed -e 's/.*"deadlock"/"deadlock"/' -e 's/,"expected".*//'
  ptxlit --quiet --check=termination --progress=$progress litmus/loops/MP+spin-acquire+predicate.litmus
done
ptxlit --format=json litmus/multimem/CoWR+multimem+plain.litmus | grep -o '"assumes":[^]]*'
ptxlit --quiet litmus/multimem/CoWR+multimem+plain.litmus litmus/barriers/deadlock+crossing-barriers.litmus
