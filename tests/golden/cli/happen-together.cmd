# What happens wherever something else does is used for bounds and closures, and what only may is not: relations through
# an event that another one does not bring with it. Both engines.
cat >"$T/implied.cat" <<'END'
"relations that hold whenever their ends happen"
empty [SC] ; po ; [RLX & W] ; po ; [SC] as Through-A-Store
irreflexive rf ; po as No-Future
END
cat >"$T/gateway.cat" <<'END'
"a fixed relation behind program order"
empty [SC] ; (po | W * R)+ ; [ACQ] as Behind-A-Store
irreflexive rf ; po as No-Future
END
# The last fence happens with the store or without it.
cat >"$T/merge.litmus" <<'END'
PTX merge
{ x=0; y=0; z=0; }
P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
fence.sc.gpu | st.relaxed.gpu x, 1 ;
ld.weak r0, x | st.relaxed.gpu y, 1 ;
ld.weak r1, y | ;
setp.eq.u32 p0, r0, 1 | ;
setp.eq.u32 p1, r1, 1 | ;
@p0 bra STORE | ;
@p1 bra FENCE | ;
bra END | ;
STORE: st.relaxed.gpu z, 1 | ;
FENCE: fence.sc.gpu | ;
END: | ;
exists (0:r0=1 \/ 0:r1=2)
END
# The store that alone follows the fence may not happen.
cat >"$T/branch.litmus" <<'END'
PTX branch
{ x=0; y=0; }
P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
ld.weak r0, x | st.relaxed.gpu x, 1 ;
setp.eq.u32 p0, r0, 1 | ld.acquire.gpu r0, y ;
fence.sc.gpu | ;
@p0 st.relaxed.gpu y, 1 | ;
exists (0:r0=1)
END
for engine in sat enumerate; do
  ptxlit --engine=$engine --model "$T/implied.cat" "$T/merge.litmus" | grep r0
  ptxlit --engine=$engine --model "$T/gateway.cat" "$T/branch.litmus" | grep r0
done
