# What is left of a kernel when all goes that nothing needs; reading it again gives the same outcomes.
try --dump=slice litmus/kernels/ring-buffer.litmus
for name in ring-buffer spin-lock-no-fence grid-barrier deque-no-fence; do
  ptxlit --dump=slice "litmus/kernels/$name.litmus" >"$T/$name.litmus"
  ptxlit "litmus/kernels/$name.litmus" | grep '^Obs\|;$' >"$T/whole"
  ptxlit "$T/$name.litmus" | grep '^Obs\|;$' >"$T/slice"
  cmp "$T/whole" "$T/slice" && echo "$name: the same"
done
