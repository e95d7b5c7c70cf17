# Asynchronous operations by their names: minimal tests, one of them whole, and a reading's smallest.
ptxlit generate --minimal ptx --events 3 \
  --scopes cta --placements cta \
  --instructions ld.weak,st.weak,cp.async.bulk.load,mbarrier.wait,fence.proxy.async | grep async
ptxlit generate --minimal ptx --events 3 \
  --scopes cta --placements cta \
  --instructions st.weak,cp.async.bulk.store,cp.async.bulk.wait_group,cp.async.bulk.wait_group.read | grep PTX
ptxlit generate --random 1 --seed 2 --events 5 \
  --scopes cta --placements cta --instructions ld,atom,cp.async,mbarrier.arrive,mbarrier.wait,bar.sync
ptxlit distinguish ptx ptx+G57=unfenced \
  --scopes cta --placements cta --events 2 --instructions ld.weak,cp.async.bulk.load | head -n 8
ptxlit distinguish ptx ptx+G5=per-scope \
  --scopes cta,gpu --placements cta --events 4 --instructions st.weak,fence.sc --threads 2 --locations 1 --wide-scopes
ptxlit generate --instructions ld,mbarrier.arrive.acquire
