# What fix adds and changes for asynchronous operations: proxy fences, waits, scopes, numbers.
for test in undefined+wgmma+no-wait undefined+wgmma+no-wgmma.fence undefined+cp.async+bar.sync bug-cutlass-2760 \
  bug-tilelang-3087 mbarrier+remote-arrive+default-scope bulk+load+wait.relaxed; do
  ptxlit fix litmus/async/$test.litmus | grep -e '^[^ ]*: ' -e '^   1' -e '^      P' | head -n 3
done
ptxlit fix --weaken litmus/async/bulk+writer-fence+bar.sync+store.litmus
