# Blocks that only take a lock and release it are left out (kernel/lockers.c): "fewer" events than without that.
# Nobody may be left out where some thread does something else with the lock, where a ticket is needed otherwise, or
# where blocks have other fences. What is wrong is found either way.
kernel=tests/golden/kernels/lockers.ptx
ask() { ptxlit check --quiet --cure no --format=json "$@" 2>/dev/null | tr ',{}' '\n\n\n'; }
try() { # NAME LAUNCH SED-SCRIPT
  sed -e "$3" -e "$4" "$kernel" >"$T/lockers.ptx"
  all=$(ask "$T/lockers.ptx" "$2" --without=grids | sed -n 's/^"events"://p')
  ask "$T/lockers.ptx" "$2" >"$T/out"
  few=$(sed -n 's/^"events"://p' "$T/out")
  echo "$1: $(sed -n 's/^"verdict":"\(.*\)"/\1/p' "$T/out"), $([ "$few" -lt "$all" ] && echo fewer || echo all)"
}
spin() { try "$1" 'spin<<<5, 32>>>(unsigned lock[1]={0}, unsigned sum[16])' "$2" "$3"; }
ticket() { try "$1" 'ticket<<<5, 32>>>(unsigned next[1]={0}, unsigned served[1]={0}, unsigned sum[16])' "$2" "$3"; }
spin 'a lock' ''
spin 'exchanged' 's/cas.b32 \(.*\), 0, 1/exch.b32 \1, 7/'
spin 'given back by an atomic' 's/st.relaxed.gpu.global.u32 \(.*\), 0;/atom.relaxed.gpu.global.exch.b32 %r4, \1, 0;/'
spin 'with orders' '/before\|after/d; s/relaxed.gpu.global.cas/acquire.gpu.global.cas/; s/st.relaxed/st.release/'
again='AGAIN: atom.acquire.gpu.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra AGAIN;'
spin 'taken twice' "/^END/s/^/$again st.release.gpu.global.u32 [%rd1], 0; /"
first='atom.relaxed.gpu.global.cas.b32 %r4, [%rd1], 0, 1; setp.ne.u32 %p2, %r4, 1; @%p2 bra GOT;'
spin 'a first try with another test' "/^TAKE/s/^/$first /; /after/s/^/GOT: /"
spin 'until it is not 1' '/taken/s/.*/setp.eq.u32 %p2, %r2, 1;/' "/^TAKE/s/^/$first /; /after/s/^/GOT: /"
ticket 'tickets' ''
red='red.release.gpu.global.add.u32 [%rd3], 1;'
ticket 'an atomic serves the next one' "/give/s/.*/$red/" '/next$/d'
echo
spin 'no fence before' '/before/d'
spin 'no fence after' '/after/d'
spin 'lock of the block' '/take/s/gpu/cta/'
spin 'given back twice' '/give/s/^/st.relaxed.gpu.global.u32 [%rd1], 0; /'
spin 'not given back' '/give/d'
spin 'given back before' '/give/d; /ld.global/s/^/st.relaxed.gpu.global.u32 [%rd1], 0; /'
spin 'given back as 1' '/give/s/, 0/, 1/'
spin 'given back weakly' '/give/s/relaxed.gpu.//'
last='mov.u32 %r4, %ctaid.x; setp.eq.u32 %p1, %r4, 4; @%p1 bra OVER;'
spin 'the last one has no fence' "/before/s/^/$last /; /give/s/^/OVER:/"
spin 'the last one does not wait' "/taken/s/^/$last /; /after/s/^/OVER:/"
spin 'a word is written by those who do not lock' '/bra END/s/.*/@%p1 st.global.u32 [%rd2], 1; &/'
spin 'a first try without a fence' "/^TAKE/s/^/$first /; /ld.global/s/^/GOT: /"
spin 'until it is not 1, and is 2' '/taken/s/.*/setp.eq.u32 %p2, %r2, 1;/; s/, 0, 1;/, 0, 2;/'
ticket 'polls without order' '/poll/s/acquire/relaxed/'
ticket 'gives without order' '/give/s/release/relaxed/'
ticket 'serves two' '/next/s/, 1/, 2/'
ticket 'draws twice' '/draw/s/^/atom.relaxed.gpu.global.add.u32 %r4, [%rd1], 1; /'
echo
place='mov.u32 %r6, %ctaid.x; mad.wide.u32 %rd3, %r6, 4, %rd2;'
spin 'the lock is read' "/^TAKE/s/^/ld.relaxed.gpu.global.u32 %r5, [%rd1]; $place st.global.u32 [%rd3+4], %r5; /"
some='mov.u32 %r4, %ctaid.x; setp.eq.and.u32 %p1, %r4, 4, %p2; @%p1 bra END;'
spin 'some take it if it is free' "/bra TAKE/s/^/$some /"
ticket 'a ticket is a place' '/^POLL/s/^/mad.wide.u32 %rd4, %r4, 4, %rd2; st.global.u32 [%rd4+4], %r4; /'
