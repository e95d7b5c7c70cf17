# What Dat3M writes and PTX has not: red.acq_rel, which releases, and .sub. Only with --dialect=dat3m.
cat >"$T/d.litmus" <<'END'
PTX d
{ x=0; y=0; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0             ;
 st.weak x, 1                   | ld.acquire.gpu r0, y       ;
 red.acq_rel.gpu.add y, 1       | atom.sub.relaxed.gpu r1, x, 1 ;
exists (1:r0=1 /\ 1:r1=0)
END
try --quiet "$T/d.litmus"
try --quiet --dialect=dat3m "$T/d.litmus"
try convert --dialect=dat3m "$T/d.litmus"
echo "# what is subtracted stands in a register"
cat > "$T/register.litmus" <<'END'
PTX register
{ x=7; P1:r9=2; }
 P0@cta 0,gpu 0                | P1@cta 1,gpu 0                     ;
 st.weak x, 5                  | L: ld.weak r1, x                   ;
 atom.sub.relaxed.gpu r3, x, 1 | M: atom.sub.relaxed.gpu r2, x, r9  ;
                               | beq r2, 100, M                     ;
exists (1:r2=5 /\ x=2)
END
try --quiet --dialect=dat3m "$T/register.litmus"
ptxlit convert --dialect=dat3m "$T/register.litmus" | tee "$T/of-ptx.litmus"
try --quiet "$T/of-ptx.litmus"
# The negative of a number beyond half of what the width holds (found by fuzzing: it did not read back).
for type in u32:4294967295 u32:2147483648 u32:2147483649 u32:-2147483648 u64:18446744073709551615; do
  instruction="atom.sub.${type%:*} r0, [x], ${type#*:}"
  printf 'PTX far\n{ .u64 x=5; }\n P0@cta 0,gpu 0 ;\n %s ;\nexists (0:r0=5)\n' "$instruction" |
    ptxlit convert --dialect=dat3m - >"$T/far.litmus"
  grep atom "$T/far.litmus"
  ptxlit --quiet "$T/far.litmus"
done
