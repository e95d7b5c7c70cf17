# The header of --dump=cnf counts what follows it, and no literal is out of range.
ptxlit --dump=cnf tests/golden/tests/MP.litmus | awk '
  $1 == "p" { variables = $3; clauses = $4; next }
  $1 == "c" { next }
  { n++ }
  $NF != 0 { print "no 0 at the end: " $0 }
  {
    for (i = 1; i < NF; i++) {
      v = $i < 0 ? -$i : $i
      if (v > variables || v == 0) print "out of range: " $i
    }
  }
  END { print (n == clauses && n > 0) ? "well formed" : "header says " clauses ", there are " n }'
