# make bench-peers with stand-ins: herd7 that answers, one that answers wrongly, Dartagnan that fails; and that the
# model given to them says what models/ptx-6.0.cat says.
mkdir "$T/bin"
for peer in Never Sometimes; do
  printf '#!/bin/sh\necho "Observation x %s 0 1"\n' "$peer" >"$T/bin/herd7"
  printf '#!/bin/sh\nexit 7\n' >"$T/bin/dartagnan"
  chmod +x "$T/bin/herd7" "$T/bin/dartagnan"
  BUILD=$(dirname "$tool") RUNS=1 PATH=$T/bin:$PATH DARTAGNAN=$T/bin/dartagnan bench/compare sb-ring:50 atomics:4 |
    sed -E 's/[0-9]+(\.[0-9]+)?(!?) \([0-9.]+\)/N\2 (N)/g; s/ [0-9.]+ \|/ N |/'
done
bench/generate sb-ring 3 | bench/peers/lisa
{ echo '"peers"'; echo 'let fences = F & SC'; cat bench/peers/ptx-6.0.cat; } >"$T/peers.cat"
for test in sb-ring:3 sb-ring-relaxed:3 iriw:3 writers:4 writers-back:4; do
  bench/generate "${test%:*}" "${test#*:}" >"$T/test.litmus"
  "$tool" --quiet --model ptx-6.0 --model "$T/peers.cat" "$T/test.litmus"
done
