# 18 threads: two are left out, and the picture says so.
awk 'BEGIN {
  print "PTX large"; print "{ x=0; }"
  for (i = 0; i < 18; i++) printf "%sP%d@cta %d,gpu 0", i ? " | " : " ", i, i
  print " ;"
  for (i = 0; i < 18; i++) printf "%sld.weak r0, x", i ? " | " : " "
  print " ;"; print "exists (0:r0=0)"
}' >"$T/large.litmus"
ptxlit graph "$T/large.litmus" >"$T/out"
echo "status $?"
tail -n 1 "$T/out"
