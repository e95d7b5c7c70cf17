# 31 threads branch on a flag that one of them writes, with no barrier before: the race is in every execution, and told
# although the formula for all that may come behind the branches gets too large. With the barrier the test is safe.
make_test() { # name, instruction between the write and the reads
  echo "PTX $1"
  echo "{ n=0; .shared f=0; }"
  awk -v between="$2" 'BEGIN {
    row = " P0@cta 0,gpu 0,warp 0"; for (i = 1; i < 31; i++) row = row " | P" i "@cta 0,gpu 0,warp 0"; print row " ;"
    first = " atom.add.acq_rel.gpu r0, n, 1"; for (i = 1; i < 31; i++) first = first " | " ; print first " ;"
    second = " st.weak f, r0"; for (i = 1; i < 31; i++) second = second " | " ; print second " ;"
    all = "bar.warp.sync 0x7fffffff;"
    n = split(between "ld.weak r1, f;setp.eq.s32 p, r1, 0;@p bra LC;" all all all all "LC:", lines, ";")
    for (k = 1; k <= n; k++) {
      row = " " lines[k]; for (i = 1; i < 31; i++) row = row " | " lines[k]; print row " ;"
    }
  }'
  echo safe
}
make_test sure-race "" >"$T/race.litmus"
make_test no-race "bar.sync 0;" >"$T/safe.litmus"
for test in race safe; do ptxlit "$T/$test.litmus" | grep -E '^(Unsafe|Others|Observation|Termination)'; done
