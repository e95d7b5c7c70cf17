# A launch without an answer is asked about its beginning (kernel/prefix.c). Each kernel of 2 warps begins with one of
# these parts and ends with what is not modelled. Thread t has the word [%a] of its own and accesses [%o], that of
# thread t ^ 32.
part() { # NAME TEXT
  {
    echo '.version 8.3 .target sm_90 .address_size 64 .visible .entry k(.param .u64 g) { .shared .b32 w[64];'
    echo '.shared .align 8 .b64 bar; .shared .b32 flag; .reg .pred %p, %q; .reg .b32 %t, %a, %o, %r;'
    echo '.reg .b64 %g; .reg .f32 %x;'
    echo 'ld.param.u64 %g, [g]; mov.u32 %t, %tid.x; mov.u32 %a, w; shl.b32 %r, %t, 2; add.u32 %a, %a, %r;'
    echo 'xor.b32 %o, %a, 128; setp.lt.u32 %p, %t, 32;'
    echo "$2"
    echo 'discard.global.L2 [%g], 128; ret; }'
  } >"$T/k.ptx"
  ptxlit check --quiet --cure no "$T/k.ptx" 'k<<<2, 64>>>(.u32 g[32])' >"$T/out" 2>&1
  echo "$1: $(sed -n 's/^Test k ptx //p' "$T/out" | cut -d' ' -f1-2)"
}
echo '# races, in every execution:'
part 'no barrier' 'st.shared.u32 [%a], 1; ld.shared.u32 %r, [%o];'
part 'no second barrier' 'st.shared.u32 [%a], 1; bar.sync 0; ld.shared.u32 %r, [%o]; st.shared.u32 [%a], 2;'
part 'a barrier of the warp' 'st.shared.u32 [%a], 1; bar.warp.sync 0xffffffff;
  shfl.sync.bfly.b32 %r, %t, 1, 31, 0xffffffff; ld.shared.u32 %r, [%o]; bar.sync 0;'
part 'no wait for a copy' 'cp.async.ca.shared.global [%a], [%g], 4; bar.sync 0; ld.shared.u32 %r, [%o];'
echo '# a race where a value that is 1 leads to it, and none where it is 0:'
for value in 1 0; do
  part "$value" "st.shared.u32 [%a], $value; bar.sync 0; ld.shared.u32 %r, [%o]; setp.ne.u32 %q, %r, 0;
    @%q st.shared.u32 [%o], 2; ld.shared.u32 %r, [%a];"
done
echo '# what is not modelled decides if there is one:'
part 'opaque' 'st.shared.u32 [%a], 0; bar.sync 0; ld.global.f32 %x, [%g]; lg2.approx.f32 %x, %x;
  setp.gt.f32 %q, %x, 0f3F800000; @%q st.shared.u32 [%o], 2; ld.shared.u32 %r, [%a];'
echo '# order by other things than barriers 0:'
part 'a flag' 'setp.eq.u32 %q, %t, 0; @%q st.shared.u32 [flag], 0; bar.sync 0; @!%p bra waits;
  st.shared.u32 [%a], 1; bar.warp.sync 0xffffffff; @!%q bra done;
  st.release.cta.shared.u32 [flag], 1; bra done;
  waits: ld.acquire.cta.shared.u32 %r, [flag]; setp.eq.u32 %q, %r, 0; @%q bra waits; ld.shared.u32 %r, [%o]; done:'
part 'an atomic' 'setp.eq.u32 %q, %t, 0; @%q st.shared.u32 [flag], 0; bar.sync 0;
  setp.eq.u32 %q, %t, 32; @%q bra second; setp.ne.u32 %q, %t, 0; @%q bra done;
  st.shared.u32 [w], 1; atom.release.cta.shared.add.u32 %r, [flag], 1; bra done;
  second: atom.acquire.cta.shared.add.u32 %r, [flag], 1; setp.eq.u32 %q, %r, 0; @%q bra done;
  ld.shared.u32 %r, [w]; done:'
part 'an mbarrier' 'setp.eq.u32 %q, %t, 0; @%q mbarrier.init.shared.b64 [bar], 32; bar.sync 0; @!%p bra tries;
  st.shared.u32 [%a], 1; mbarrier.arrive.shared.b64 _, [bar]; bra done;
  tries: mbarrier.try_wait.parity.shared.b64 %q, [bar], 0; @!%q bra tries; ld.shared.u32 %r, [%o]; done:'
part 'barrier 1' '@!%p bra second; st.shared.u32 [%a], 1; bar.sync 1; bra done;
  second: bar.sync 1; ld.shared.u32 %r, [%o]; done:'
part 'barrier 1, behind barrier 0 of one warp' '@!%p bra second; st.shared.u32 [%o], 1; bar.sync 0, 32;
  ld.shared.u32 %r, [%a]; bar.sync 1; bra done; second: bar.sync 1; st.shared.u32 [%o], 1; done:'
echo '# copies that a product reads: without a fence between the proxies, and with one'
sed 's/^\tret;/\tdiscard.global.L2 [%rd1], 128; ret;/' tests/golden/kernels/settled-products.ptx >"$T/k.ptx"
for how in 129 128; do
  ptxlit check --quiet --cure no "$T/k.ptx" "rounds<<<2, 128>>>($how, 3, float from[512], float out[2048])" 2>&1 |
    sed -n "s/^Test rounds ptx /$how: /p" | cut -d' ' -f1-3
done
