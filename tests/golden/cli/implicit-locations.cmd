sed 's/x=0; y=0;//' tests/golden/tests/SB.litmus >"$T/undeclared.litmus"
try --quiet "$T/undeclared.litmus"
try --quiet --implicit-locations "$T/undeclared.litmus"
# One that only the locations line names.
sed 's/^exists/locations [z;]\n&/' "$T/undeclared.litmus" >"$T/shown.litmus"
try --implicit-locations "$T/shown.litmus"
# What looks like a register is none of them.
sed 's/^exists/locations [r7; %r8;]\nexists (r9=1 \/\\ \&z=1) \/\\/' "$T/undeclared.litmus" >"$T/register.litmus"
try --implicit-locations "$T/register.litmus"
# What a thread has as a register is none either: declared, the test would not read back.
cat >"$T/both.litmus" <<'END'
PTX both
{ x=0; }
 P0@cta 0       | P1@cta 0     ;
 ld.weak a, [x] | st.weak x, 1 ;
 st.weak x, a   | st.weak a, 2 ;
exists (0:a=1 /\ a=2)
END
try --implicit-locations "$T/both.litmus"
sed 's/ld.weak a,/ld.weak b,/' "$T/both.litmus" >"$T/read.litmus"
try --implicit-locations "$T/read.litmus"
# Tensor memory has no name that a test could declare.
try --implicit-locations --dump=ast litmus/async/ring-pair.litmus | grep -c 'tensor memory'
