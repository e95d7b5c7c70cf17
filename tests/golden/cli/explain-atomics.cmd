# Which axioms forbid what counting atomics cannot come to is found with little effort, or it is said that whether fewer
# would do was too hard to find out: all sets of axioms, one after another, took 20 s for eight threads and hours for
# twelve. What is told is the same in every run.
threads() { # COUNT: a test in which each adds 1, and not all of them are counted
  awk -v n="$1" 'BEGIN {
    print "PTX count-" n; print "{ x=0; }"
    for (t = 0; t < n; t++) printf "%s P%d@cta %d,gpu 0", t ? " |" : "", t, t
    print " ;"
    for (t = 0; t < n; t++) printf "%s atom.relaxed.gpu.add.u32 r0, [x], 1", t ? " |" : ""
    print " ;"; print "exists (x != " n ")" }'
}
for count in 4 12; do threads $count | ptxlit explain --timeout 600 - | sed -n '1,/^$/p; /Forbidden/,/^$/p'; done
threads 12 | ptxlit explain --timeout 600 --format=json - | grep -oE '"minim[a-z]*":[a-z]+'
