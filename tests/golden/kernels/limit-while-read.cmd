# A limit of time or memory while a launch is read gives a verdict line: unknown, with the reason. How many threads had
# run by then depends on the machine, and so does the launch that may do.
module=tests/golden/kernels/limit-while-read.ptx
launch='count<<<4096, 256>>>(unsigned a[1048576], 20000)'
masked() {
  sed -E -e 's/[0-9]+ of 1048576 threads had run/N of 1048576 threads had run/' \
    -e 's/; [^;]* may do//' -e 's/ (would be|was) reached/ REACHED/'
}
ptxlit check --quiet --timeout 0.3 $module "$launch" | masked
ptxlit check --quiet --memory 300 --timeout 0 $module "$launch" | masked
ptxlit check --format=json --timeout 0.3 $module "$launch" | grep -oE '"(verdict":"[a-z]+"|reason":\{"id":"[a-z-]+")'
ptxlit check --timeout 0.3 $module "$launch" | masked | head -3
# A smaller launch of the kernel is read.
ptxlit check --quiet $module 'count<<<2, 32>>>(unsigned a[64], 3)'
