# Products of wgmma in a row begin at one fence and end at one wait: one represents those whose bytes have the same
# accesses, whatever decides if they add. By hand: as it is, safe; a part that is not copied is read unwritten; a fence
# before the last product changes nothing; a store between the products races with the read of a product; a part that is
# copied apart is read from the last fence on, so that it needs one behind the wait for it.
say() { # WHAT [CHANGE...]
  echo "$1"
  shift
  sed -E "$@" tests/golden/kernels/product-rows.ptx >"$T/rows.ptx"
  ptxlit check --cure no --format json "$T/rows.ptx" 'rows<<<1, 128>>>(float from[2048], float out[512])' |
    sed -E 's/.*"verdict":"([a-z]*)".*"events":([0-9]+).*/\1, \2 events/'
  ptxlit check --cure no --quiet "$T/rows.ptx" 'rows<<<1, 128>>>(float from[2048], float out[512])'
}

part='s/8192; .. of A/6144;/'
expect='mbarrier.arrive.expect_tx.shared::cta.b64 _, [late], 2048;'
copy='cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [a+6144], [%d0], 2048, [late];'
wait='LATE: mbarrier.try_wait.parity.shared::cta.b64 %p1, [late], 0; @!%p1 bra LATE;'
say 'as it is' ''
say 'not copied' "$part"
say 'a fence' 's/.. last/wgmma.fence.sync.aligned;/'
say 'a store' 's/.. third/st.shared.u32 [a+4096], %r1;/'
say 'copied apart, no fence' "$part; s/.. apart/$expect $copy/; s/.. last/$wait/"
say 'copied apart' "$part; s/.. apart/$expect $copy/; s/.. last/$wait wgmma.fence.sync.aligned;/"
