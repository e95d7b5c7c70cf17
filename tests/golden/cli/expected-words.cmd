# A test states all that a suite can be compared with; whether threads end is asked where a test expects it.
spin() {
  cat >"$T/$1.litmus" <<END
PTX $1
Expect=$2
{ x=0; }
 P0@cta 0,gpu 0          | P1@cta 1,gpu 0          ;
 LC00:                   | st.relaxed.gpu [x], $3  ;
 ld.relaxed.gpu r0, [x]  |                         ;
 setp.ne.u32 p0, r0, 1   |                         ;
 @p0 bra LC00            |                         ;
exists (0:r0=1)
END
}
spin ends 'ptx:terminates sc:allowed tso:1' 1
spin hangs 'ptx:hangs sc:forbidden tso:0' 2
spin wrong 'ptx:hangs sc:forbidden tso:terminate' 1
try --quiet --model ptx,sc,tso "$T/ends.litmus" "$T/hangs.litmus"
try --quiet "$T/wrong.litmus"
sed -i 's/ tso:terminate//' "$T/wrong.litmus"
try --quiet --model ptx,sc "$T/wrong.litmus"
ptxlit suite --model ptx,sc -f tap "$T/ends.litmus" "$T/wrong.litmus" 2>/dev/null
