# A wait that is let through shows who came; no claim that it is let through may rest on that.
for test in branch+bar.sync-on-one-path; do
  ptxlit litmus/loops/$test.litmus | grep -e ^Deadlock -e ^Verdict
  ptxlit --engine=enumerate litmus/loops/$test.litmus | grep -e ^Deadlock -e ^Verdict
done
