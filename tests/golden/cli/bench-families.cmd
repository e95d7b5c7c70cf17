# What the benchmarks measure is right: both engines agree on small members of every family.
for family in sb-ring sb-ring-relaxed iriw writers writers-back; do
  for n in 2 3; do
    bench/generate $family $n >"$T/$family-$n.litmus"
    ptxlit --quiet "$T/$family-$n.litmus"
    ptxlit --quiet --engine=enumerate --timeout 600 "$T/$family-$n.litmus"
  done
done
