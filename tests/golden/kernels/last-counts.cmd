# Blocks that only count themselves at a last block's counter are left out (kernel/grid_barriers.c): "fewer" events than
# without that. Nobody may be left out where the number is needed for more than to tell the last block, where somebody
# else reads the counter, or where the counter does not give each number once. What is wrong is found either way.
kernel=tests/golden/kernels/last-block.ptx
launch='total<<<12, 32, 128>>>(float in[384], float sum[12])'
ask() { ptxlit check --quiet --cure no --format=json "$@" 2>/dev/null | tr ',{}' '\n\n\n'; }
try() { # NAME SED-SCRIPT
  sed "$2" "$kernel" >"$T/last.ptx"
  all=$(ask "$T/last.ptx" "$launch" --without=grids | sed -n 's/^"events"://p')
  ask "$T/last.ptx" "$launch" >"$T/out"
  few=$(sed -n 's/^"events"://p' "$T/out")
  echo "$1: $(sed -n 's/^"verdict":"\(.*\)"/\1/p' "$T/out"), $([ "$few" -lt "$all" ] && echo fewer || echo all)"
}
try 'as it is' ''
try 'adds one' '/inc.u32/s/inc.u32 \(.*\), %r4/add.u32 \1, 1/'
more='s/sub.u32 %r11, %r4, 1/add.u32 %r18, %r10, 1/'
try 'one more than the number' "$more; s/setp.eq.u32 %p4, %r10, %r11/setp.eq.u32 %p4, %r18, %r4/"
try 'not less' '/%p4, %r10/s/setp.eq/setp.ge/'
try 'more than the last but one' 's/sub.u32 %r11, %r4, 1/sub.u32 %r11, %r4, 2/; /%p4, %r10/s/setp.eq/setp.gt/'
try 'acquires and releases itself' '/atom/s/relaxed/acq_rel/; /before\|after/d'
try 'begins at 1' 's/u32 drawn;/u32 drawn = 1;/; /sub.u32 %r11/s/.*/mov.u32 %r11, %r4;/'
echo
try 'no fence before' '/before/d'
try 'no fence after' '/after/d'
try 'fence of the block' '/before/s/gpu/cta/'
try 'last but one' 's/sub.u32 %r11, %r4, 1/sub.u32 %r11, %r4, 2/'
try 'begins at 1, and the last but one' 's/u32 drawn;/u32 drawn = 1;/'
try 'all set it back' '/@%p5 bra END/s/^/@%p3 bra ON; st.global.u32 [drawn], 0; ON: /'
try 'all but the last set it back' \
  '/@%p5 bra END/s/.*/@!%p5 bra ON; @%p3 bra END; st.global.u32 [drawn], 0; bra END; ON:/'
try 'all read a sum' '/@%p5 bra END/s/^/ld.global.f32 %f6, [%rd2]; /'
try 'counts in steps of 2' '/inc.u32/s/inc.u32 \(.*\), %r4/add.u32 \1, 2/; /sub.u32 %r11/s/.*/mov.u32 %r11, 22;/'
echo
try 'goes to memory' '/setp.eq.u32 %p4/s/$/ st.global.u32 [%rd3], %r10;/'
try 'goes to the sums' '/setp.eq.u32 %p4/s/$/ st.global.u32 [%rd4], %r10;/'
try 'begins again too soon' '/inc.u32/s/, %r4/, 10/'
read='/^DRAWN/,$s/ld.shared.u8/ld.relaxed.gpu.global.u32 %r13, [drawn]; ld.shared.u8/'
try 'is read' "$read"
try 'is read, and never set back' "$read; /st.global.u32 .drawn/d"
