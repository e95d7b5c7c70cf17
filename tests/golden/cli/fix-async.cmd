# What fix adds and changes for asynchronous operations: proxy fences, waits, scopes, numbers.
for test in undefined+wgmma+no-wait undefined+wgmma+no-wgmma.fence undefined+cp.async+bar.sync bug-cutlass-2760 \
  bug-tilelang-3087 mbarrier+remote-arrive+default-scope bulk+load+wait.relaxed; do
  ptxlit fix litmus/async/$test.litmus | grep -e '^Test .*: ' -e '^[^ ]*: ' -e '^   1' -e '^      P' | head -n 3
done
ptxlit fix --weaken litmus/async/bulk+writer-fence+bar.sync+store.litmus
# A test that hangs at an mbarrier object is to end; an arrival that expects nothing is given its bytes.
for test in load+expects-too-much mbarrier+phase-missed undefined+bulk+arrive-without-expect; do
  ptxlit fix "litmus/async/$test.litmus"
done
# Is this fence needed?
ptxlit fix --weaken litmus/async/store+fence.proxy.async.litmus
# The count of an object, where the init block declares it: by the threads that arrive, one more, one less.
for test in mbarrier+count-too-large undefined+pipeline-2+empty-count-too-small pipeline-2+empty-count-of-two \
  mbarrier+two-producers+count-too-small; do
  ptxlit fix "litmus/async/$test.litmus"
done
ptxlit fix --format=json litmus/async/mbarrier+two-producers+count-too-small.litmus | grep -o '"ways":.*"verdicts"'
