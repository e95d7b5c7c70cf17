# Equal polls in a straight line are one (K12); one that acquires is not the same as another behind it, and one of
# another value is not either. Both engines say the same, and without the fence there is a race.
K=tests/golden/kernels/polls.ptx
sed '/%r3, \[/s/relaxed/acquire/' $K >"$T/acquire.ptx"
sed '/%p3, %r3/s/, 0/, 2/' $K >"$T/value.ptx"
sed '/fence/d' $K >"$T/race.ptx"
for module in $K "$T/acquire.ptx" "$T/value.ptx" "$T/race.ptx"; do
  launch='polls<<<2, 1>>>(int flag, int data, int out)'
  ptxlit check --dump slice "$module" "$launch" 2>&1 | grep -o 'ld[a-z.]*\.gpu[^|;]*'
  for engine in sat enumerate; do
    ptxlit check --engine $engine "$module" "$launch" 2>&1 | grep -e ^Verdict -e ^Unsafe
  done
done
