# Rounds begin with what the first block settles on its own (kernel/launch.c). In block K the first thread tells the
# others another number by shared memory, by which all of them store to one word: a race, which the first block does not
# have. Then it may pass two more barriers, and take the number back. Twins would leave out the blocks between.
part() { # K TEXT
  {
    echo '.version 8.3 .target sm_90 .address_size 64 .visible .entry k(.param .u64 g) { .shared .b32 told;'
    echo '.reg .pred %p, %q; .reg .b32 %t, %b, %n; .reg .b64 %g, %o;'
    echo 'ld.param.u64 %g, [g]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mul.wide.u32 %o, %b, 4; add.u64 %g, %g, %o;'
    echo "setp.eq.u32 %p, %t, 0; setp.eq.u32 %q, %b, $1; selp.u32 %n, 1, 0, %q; @%p st.shared.u32 [told], %n;"
    echo "bar.sync 0; ld.shared.u32 %n, [told]; setp.eq.u32 %q, %n, 0; @%q bra done; $2 done: ret; }"
  } >"$T/k.ptx"
  ptxlit check --quiet --cure no --without=twins "$T/k.ptx" 'k<<<8, 64>>>(.u32 g[8])' >"$T/out" 2>&1
  echo "$1: $(sed -n 's/^Test k ptx //p' "$T/out" | cut -d' ' -f1-2)"
}
for k in 9 5 0 1; do
  part $k 'st.global.u32 [%g], %t;'
  part $k 'bar.sync 0; @%p st.shared.u32 [told], 0; bar.sync 0; ld.shared.u32 %n, [told]; setp.ne.u32 %q, %n, 0;
    @%q bra done; st.global.u32 [%g], %t;'
done
