# All byte values, NUL among them, in an order that looks like nothing.
junk() { awk 'BEGIN { x = 1; for (i = 0; i < 3000; i++) { x = (x * 16807) % 2147483647; printf "%03o\n", x % 256 } }' |
  while read -r byte; do printf "\\$byte"; done; }
junk >"$T/junk.litmus"
{ printf 'PTX junk\n{ x=0; }\n P0@cta 0 ;\n '; junk; } >"$T/half.litmus"
junk >"$T/junk.cat"
for file in junk half; do
  ptxlit "$T/$file.litmus" 2>"$T/messages"
  echo "status $?"
  head -n 1 "$T/messages"
done
ptxlit --model "$T/junk.cat" tests/golden/tests/SB.litmus 2>"$T/messages"
echo "status $?"
head -n 1 "$T/messages"
