# What a kernel reads before anything wrote it, and no value is given.
for test in ring-buffer ring-buffer-no-fence named-barrier-early; do
  echo "-- $test"
  ptxlit --format=herd --races litmus/kernels/$test.litmus | grep '^Flag Uninit'
done
