# Equal polls in a straight line, as libcu++ writes them: relaxed and acquiring ones, polls for another value, and tests
# of several steps. Without the fence there is a race.
K=tests/golden/kernels/polls.ptx
sed '/%r3, \[/s/relaxed/acquire/' $K >"$T/acquire.ptx"
sed '/%p3, %r3/s/, 0/, 2/' $K >"$T/value.ptx"
sed 's/ld.relaxed/ld.acquire/' $K >"$T/all.ptx"
sed -E 's/setp.ne.s32 (%p[2-5]), (%r[2-5]), 0;/add.s32 %r7, \2, 1; setp.ne.s32 \1, %r7, 1;/' $K >"$T/shared.ptx"
sed -E 's/setp.ne.s32 %p([2-5]), (%r[2-5]), 0;/add.s32 %r1\1, \2, 1; setp.ne.s32 %p\1, %r1\1, 1;/; s/r<8>/r<20>/' $K \
  >"$T/steps.ptx"
sed '/fence/d' $K >"$T/race.ptx"
for module in $K "$T/acquire.ptx" "$T/value.ptx" "$T/all.ptx" "$T/shared.ptx" "$T/steps.ptx" "$T/race.ptx"; do
  launch='polls<<<2, 1>>>(int flag, int data, int out)'
  ptxlit check --format=herd "$module" "$launch" 2>&1 | grep -e ^Verdict -e ^Unsafe
done
