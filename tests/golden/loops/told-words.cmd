# A thread that polls tells its CTA when to go on, through a word between two barriers: each turn in which all go round
# is left out (exec/together.c). Then loops in which the word may be another one for some thread, or is not written in
# each turn: they are unrolled, so that the answer is unknown, unless a race allows the outcome.
say() { # NAME P0 P1 [P3]
  {
    echo 'P0@cta 0,gpu 0; ' "$2" | tr ';' '\n' >"$T/0"
    echo 'P1@cta 0,gpu 0; ' "$3" | tr ';' '\n' >"$T/1"
    echo 'P2@cta 1,gpu 0; st.weak.b32 [y], 1; st.release.gpu.b32 [x], 1' | tr ';' '\n' >"$T/2"
    echo 'P3@cta 0,gpu 0; ' "${4-}" | tr ';' '\n' >"$T/3"
    echo "PTX word"
    echo "{ x; y; .shared .b32 s; }"
    paste -d'|' "$T/0" "$T/1" "$T/2" "$T/3" | cut -d'|' "-f1-$#" | sed 's/$/ ;/'
    echo "exists (1:r2=0)"
  } >"$T/word.litmus"
  echo "$1: $(ptxlit check --unroll 2 --format=json "$T/word.litmus" 2>&1 | sed 's/.*"verdict":"\([a-z]*\)".*/\1/')"
}
bar='bar.sync 0' load='ld.acquire.gpu.b32 r0, [x]' tell='st.shared.b32 [s], r0' hear='ld.shared.b32 r1, [s]'
again='setp.eq.s32 p, r1, 0; @p bra L' read='ld.weak.b32 r2, [y]' lock='atom.acquire.gpu.cas.b32 r0, [x]'
hearer="L: $bar; $bar; $hear; $again; $read"
say "told" "L: $bar; $load; $tell; $bar; $hear; $again" "$hearer"
say "relaxed" "L: $bar; ld.relaxed.gpu.b32 r0, [x]; $tell; $bar; $hear; $again" "$hearer"
say "a cas that writes where it ends the loop" "L: $bar; $lock, 1, 2; $tell; $bar; $hear; $again" "$hearer"
say "told behind the second barrier" "L: $load; $tell; $bar; $hear; $bar; $again" "L: $bar; $hear; $bar; $again; $read"
echo
say "a cas that writes where it goes round" "L: $bar; $lock, 0, 2; $tell; $bar; $hear; $again" "$hearer"
say "two threads tell" "L: $bar; $load; $tell; $bar; $hear; $again" \
  "L: $bar; st.shared.b32 [s], 1; $bar; $hear; $again; $read"
say "another one writes before the barrier" "L: $bar; $load; $tell; $bar; $hear; $again" \
  "L: st.shared.b32 [s], 1; $bar; $bar; $hear; $again; $read"
say "a store with a condition" "L: $bar; $load; setp.eq.s32 q, r0, 1; @q $tell; $bar; $hear; $again" "$hearer"
say "no barrier before the next store" "L: $load; $tell; $bar; $hear; $again" "L: $bar; $hear; $again; $read"
say "no barrier before the reads" "L: $bar; $load; $tell; $hear; $again" "L: $bar; $hear; $again; $read"
say "a barrier with a count" "L: $bar, 64; $load; $tell; $bar, 64; $hear; $again" \
  "L: $bar, 64; $bar, 64; $hear; $again; $read"
say "one passes a barrier more" "L: $bar; $load; $tell; $bar; $hear; $bar; $again" "$hearer"
say "one hears the turn before, too" "L: $bar; $load; $tell; $bar; $hear; $again" \
  "L: $bar; ld.shared.b32 r3, [s]; $bar; $hear; $again; $read"
say "one goes round for another value" "L: $bar; $load; $tell; $bar; $hear; $again" \
  "L: $bar; $bar; $hear; setp.ne.s32 p, r1, 1; @p bra L; $read"
say "one has ended" "L: $bar; $load; $tell; $bar; $hear; $again" "$hearer" "ld.shared.b32 r3, [s]"
say "written behind the loop" "L: $bar; $load; $tell; $bar; $hear; $again" "$hearer; st.shared.b32 [s], 0"
say "written before the loop" "$load; L: $load; $tell; $bar; $hear; $bar; $again" \
  "st.shared.b32 [s], 1; L: $bar; $hear; $bar; $again; $read"
