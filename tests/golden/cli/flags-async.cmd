# The flags beside races (docs/async.md AO2), each where it is raised and where it is not.
for test in store+issuer-fence store+fence.proxy.async mbarrier+remote-arrive+default-scope \
  mbarrier+remote-arrive.cluster mbarrier+phase-unseen mbarrier+two-phases grid+no-wait grid+wait \
  cp.async+not-committed cp.async+two-groups; do
  echo "-- $test"
  ptxlit --races "litmus/async/$test.litmus" | grep '^Flag [^D]'
done
