# Large inputs take time in proportion: half a million instructions, ten megabytes of comment, of one line, of nonsense.
head='PTX large
{ x=0; }
 P0@cta 0,gpu 0 ;'
tail='exists (0:r0=7)'
lines() { awk -v line="$1" -v count="$2" 'BEGIN { for (i = 0; i < count; i++) print line }'; }
{ echo "$head"; lines ' mov.u32 %r0, 7 ; ' 500000; echo "$tail"; } >"$T/instructions.litmus"
{
  echo "$head"
  echo " mov.u32 r0, 7;"
  lines "(* nothing to see here, move on *)" 300000
  echo "$tail"
} >"$T/comment.litmus"
{ echo "$head"; echo ' mov.u32 r0, 7;'; lines '        ' 1200000 | tr -d '\n'; echo "$tail"; } >"$T/line.litmus"
{ echo "$head"; lines ' mov mov | ; [ = 12 ' 500000; echo "$tail"; } >"$T/nonsense.litmus"
{ echo '"large"'; echo 'let r = rf'; lines 'let r = r | po' 600000; echo 'acyclic r as a'; } >"$T/large.cat"
for test in instructions comment line nonsense; do
  ptxlit --quiet "$T/$test.litmus" >"$T/out" 2>"$T/messages"
  echo "status $?"
  head -n 2 "$T/out"
  head -n 3 "$T/messages" | cut -c 1-200
done
ptxlit --quiet --model "$T/large.cat" tests/golden/tests/SB.litmus 2>&1 | head -n 3
