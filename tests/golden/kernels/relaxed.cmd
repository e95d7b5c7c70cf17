# Relaxed accesses whose values nothing needs are left out where they conflict with morally strong ones only
# (kernel/relaxed.c): "fewer" events than without that. A fence before a store or after a load is no reason to keep it:
# the load need not observe the store. A race that a weak access, a narrow scope or another size makes is found either
# way. What a branch needs stays, and so does an access to the word of an atomic that fences may give a meaning.
kernel=tests/golden/kernels/relaxed.ptx
ask() { ptxlit check --quiet --cure no --format=json "$@" 2>/dev/null | tr ',{}' '\n\n\n'; }
try() { # NAME SED-SCRIPT, and `launch`
  sed "$2" "$kernel" >"$T/k.ptx"
  ask "$T/k.ptx" "$launch" >"$T/with"
  ask "$T/k.ptx" "$launch" --without=relaxed >"$T/without"
  few=$(sed -n 's/^"events"://p' "$T/with") all=$(sed -n 's/^"events"://p' "$T/without")
  verdict=$(sed -n 's/^"verdict":"\(.*\)"/\1/p' "$T/with" "$T/without" | uniq)
  echo "$1: $verdict, $([ "$few" -lt "$all" ] && echo fewer || echo all)"
}
launch='last<<<8, 8>>>(int part[8], int out[8], unsigned count[1])'
try 'last block' ''
try 'a fence before the store' '/ leaves$/s/st/fence.acq_rel.gpu; st/'
try 'a fence after the load' '/ reads$/s/$/\n fence.acq_rel.gpu;/'
try 'both' '/ leaves$/s/st/fence.acq_rel.gpu; st/; / reads$/s/$/\n fence.acq_rel.gpu;/'
try 'relaxed' 's/st.volatile/st.relaxed.gpu/; s/ld.volatile/ld.relaxed.sys/'
try 'a release' '/ leaves$/s/st.volatile/st.release.gpu/'
echo
try 'narrow store' '/ leaves$/s/volatile/relaxed.cta/'
try 'narrow load' '/ reads$/s/volatile/relaxed.cluster/'
try 'weak store' '/ leaves$/s/.volatile//'
try 'weak load' '/ reads$/s/.volatile//'
try 'halves' '/ reads$/s/ld.*$/ld.volatile.global.u16 %h, [%x];/; s/.reg .b32 %t, %b, %n, %k, %v;/& .reg .b16 %h;/'
try 'a weak store too' '/ reads$/s/$/\n st.global.u32 [%x], %v;/'
try 'a branch on the value' '/ reads$/s/$/\n setp.eq.u32 %p2, %v, 0; @%p2 bra END;/'
try 'an address from the value' '/ reads$/s/$/\n and.b32 %v, %v, 0; mul.wide.u32 %a, %v, 4; add.u64 %o, %o, %a;/'
echo
launch='between<<<2, 1>>>(int x[2], int data[1], unsigned m[1])'
try 'atomics between fences' ''
try 'none before' '/ before$/d'
try 'none after' '/ after$/d'
try 'a reduction' '/\/\/ m$/s/atom\(.*\) %k,/red\1/'
try 'a store, then a load' '/\/\/ m$/s/.*/st.volatile.global.u32 [%m], %b; ld.volatile.global.u32 %k, [%m];/'
launch='handed<<<2, 2>>>(int x[2], int data[1], unsigned m[1])'
try 'handed on' ''
try 'none before' '/ before$/d'
try 'none after' '/ after$/d'
try 'not read' '/ left$/d'
echo
launch='lanes<<<1, 64>>>(int out[64])'
try 'lanes' ''
try 'nothing written at first' '/ begins$/d'
try 'a weak store' '/ again$/s/.volatile//'
echo
launch='flag<<<2, 1>>>(int data[1], unsigned flags[1])'
try 'flag' ''
try 'no fence before' '/ before$/d'
try 'no fence after' '/ after$/d'
try 'nobody asks' '/ asks$/d'
echo
launch='again<<<2, 2>>>(int data[1], unsigned flags[1])'
try 'flag that another thread saw' ''
try 'not read again' '/w, .%f.; .. again$/d'
try 'no fence before' '/ before$/d'
try 'no fence after' '/ after$/d'
try 'no barrier' '/ meets$/d'
