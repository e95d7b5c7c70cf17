# Atomics of shared memory before and behind a fence order nothing, if a barrier of the CTA is between each and the
# fence that follows it (kernel/relaxed.c): "fewer" events than without that. Blocks that read by ld.global.nc are alike
# as by ld.global (kernel/kinds.c), so that 64 of them have an answer; what they read may not be written.
kernel=tests/golden/kernels/sums-again.ptx
ask() { ptxlit check --quiet --cure no --format=json "$@" 2>/dev/null | tr ',{}' '\n\n\n'; }
try() { # NAME SED-SCRIPT, and `launch`
  sed "$2" "$kernel" >"$T/k.ptx"
  ask "$T/k.ptx" "$launch" >"$T/with"
  ask "$T/k.ptx" "$launch" --without=relaxed >"$T/without"
  few=$(sed -n 's/^"events"://p' "$T/with") all=$(sed -n 's/^"events"://p' "$T/without")
  verdict=$(sed -n 's/^"verdict":"\(.*\)"/\1/p' "$T/with" "$T/without" | uniq)
  echo "$1: $verdict, $([ "$few" -lt "$all" ] && echo fewer || echo all)"
}
say() { ptxlit check --quiet --cure no "$@"; }
launch='sums<<<2, 2>>>(float in[4], float part[2], unsigned count[1])'
try 'behind a barrier' ''
try 'a fence before the barrier' 's/.. near/fence.acq_rel.cta;/'
try 'no barrier' '/ whole$/d'
try 'not all come' 's/bar.sync 0; .. whole/bar.sync 0, 64;/'
try 'no barrier at the end' '/ joined$/d; / total$/d'
try 'no fence behind the count' '/ acquires$/d'
say "$kernel" "$launch" --without=groups
say "$kernel" "$launch" --without=relaxed,groups
echo
few='sums<<<8, 32>>>(float in[256], float part[8], unsigned count[1])'
say "$kernel" 'sums<<<64, 64>>>(float in[4096], float part[64], unsigned count[1])'
say "$kernel" "$few"
sed 's/ld.global.nc/ld.global/' "$kernel" >"$T/k.ptx"
say "$T/k.ptx" "$few"
sed '/ whole$/d' "$kernel" >"$T/k.ptx"
say "$T/k.ptx" "$few"
# The word that the block writes is read through the other proxy, by itself or by another block.
sed 's/\(ld.global.nc.f32 %f1, .\)%rd4/\1%rd5/' "$kernel" >"$T/k.ptx"
say "$T/k.ptx" "$few"
sed 's/\(ld.global.nc.f32 %f1, .\)%rd4/\1%rd2/' "$kernel" >"$T/k.ptx"
say "$T/k.ptx" "$few"
