echo "# whether a CTA is canceled comes out either way, and both threads agree"
ptxlit --quiet --engine=enumerate litmus/async/try_cancel+*.litmus
try litmus/async/try_cancel+either.litmus
try --quiet --executions litmus/async/try_cancel+either.litmus
echo "# more than that is not decided: the bytes, which CTA it is, a copy of the response"
n=0
while IFS='|' read -r code condition; do
  n=$((n + 1))
  {
    printf 'PTX t%s\n{\nx=0; .b128 y=0; .shared .b128 s=0; mbarrier b=1;\n}\n P0@cta 0 ;\n' "$n"
    printf ' mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16 ;\n'
    printf ' clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [s], [b] ;\n'
    printf ' mbarrier.wait.parity.shared::cta.b64 [b], 0 ;\n ld.shared.b128 q, [s] ;\n'
    printf ' clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, q ;\n %s ;\nexists (%s)\n' "$code" "$condition"
  } >"$T/t.litmus"
  ptxlit --quiet "$T/t.litmus" 2>&1
done <<'CASES'
ld.shared.b128 q, [s]|cta0:s=0
ld.shared.b128 q, [s]|0:q=0
ld.shared.u32 r0, [s]|0:r0=0
ld.shared.u32 r0, [s+4]|0:p=1
st.global.b128 [y], q|0:p=1
@p clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 r0, q|0:p=1
@p clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 r0, q|0:r0=1
clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {r0, _, _, _}, q|0:p=1
cp.async.bulk.global.shared::cta.bulk_group [y], [s], 16|0:p=1
clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [y], [b]|0:p=1
clusterlaunchcontrol.try_cancel.async.b128 [s], [b]|0:p=1
clusterlaunchcontrol.try_cancel.mbarrier::complete_tx::bytes.b128 [s], [b]|0:p=1
clusterlaunchcontrol.try_cancel.async.shared::cluster.mbarrier::complete_tx::bytes.b128 [s], [b]|0:p=1
clusterlaunchcontrol.query_cancel.is_canceled.b128 p, q|0:p=1
clusterlaunchcontrol.query_cancel.get_first_ctaid.b32.b128 r0, q|0:p=1
clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {r0, r1}, q|0:p=1
clusterlaunchcontrol.query_cancel.pred.b128 p, q|0:p=1
clusterlaunchcontrol.async [s], [b]|0:p=1
CASES
echo "# told and drawn by what it says"
ptxlit explain litmus/async/try_cancel+reuse.litmus | grep '^  \['
ptxlit graph litmus/async/try_cancel+either.litmus | grep -A 1 -e ' reads' -e ' writes'
