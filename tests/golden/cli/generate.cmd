# Tests that nobody wrote: small sizes whole, minimal ones, random ones, and wrong words.
try generate --events 2 --instructions ld.acquire,st --scopes gpu --placements gpu --format json
try generate --minimal ptx --events 3 --scopes gpu --placements gpu
try generate --minimal ptx --events 3 --placements cta --instructions ld,st,bar.sync --scopes cta --output "$T/m"
ls "$T/m"
# Nothing in a minimal test can be weaker: what fix says of them without knowing where they come from.
for test in "$T"/m/*.litmus; do
  ptxlit fix --weaken "$test" | grep -q '^Nothing can be weaker' || echo "can be weaker: $test"
done
try generate --minimal ptx --events 3 --proxies surface,alias --placements cta --scopes cta -f json | grep -c surface
try generate --minimal rc11-scoped+LB=dependencies
try generate --random 3 --seed 5 --events 5 --instructions ld.relaxed,st.relaxed --scopes gpu --placements gpu
[ "$(ptxlit generate --random 500 -n 6)" = "$(ptxlit generate --random 500 -n 6)" ] && echo the same
[ "$(ptxlit generate --random 500 -n 6 -f json | sort -u | wc -l)" = 500 ] && echo all different
[ "$(for k in 1 2 3; do ptxlit generate -n 3 --shard "$k/3"; done | sort)" = "$(ptxlit generate -n 3 | sort)" ] &&
  echo the parts are the whole
[ "$(ptxlit generate)" = "$(ptxlit generate --minimal ptx)" ] && echo by itself the minimal tests
ptxlit generate --expect ptx --shard 2/2 -f json | wc -l
ptxlit generate --most 3 -f json | wc -l
try generate --instructions ld,stt
try generate --instructions ld
try generate --scopes gpu,warp
try generate --proxies mirror
try generate --dependencies address
try generate --minimal ptx --events 2 --instructions ld.weak,red,atom.cas --scopes gpu --placements gpu
try generate --minimal ptx --random 3
try generate --shard 4/3
try generate a.litmus
try generate --events 13
ptxlit generate --minimal ptx --events 4 --instructions ld.weak,st.weak,barrier.cluster --scopes cta \
  --placements cluster | grep PTX

# A constant load has the generic name of its location, so that the other one is no other way to say the same.
ptxlit generate --minimal ptx --events 4 --instructions ld.weak,st.weak --proxies alias,constant --scopes gpu \
  --placements gpu | grep PTX.*xa
