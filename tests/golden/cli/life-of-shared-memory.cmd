# Shared memory of another CTA (K9): the places, the rule and a cure; by both engines.
for test in cluster/dsmem+no-barrier-at-end cluster/dsmem+empty-peer async/remote-arrive+peer-has-left; do
  ptxlit --quiet litmus/$test.litmus
  ptxlit --quiet --engine=enumerate litmus/$test.litmus
  ptxlit explain litmus/$test.litmus
  ptxlit fix litmus/$test.litmus
done
ptxlit --quiet --reading G85=barrier litmus/cluster/dsmem+told-by-arrival.litmus
