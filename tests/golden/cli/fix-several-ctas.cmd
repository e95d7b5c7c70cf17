# A barrier in one CTA leads nowhere without one in the other.
cat >"$T/relay.litmus" <<'END'
PTX relay
{ x=0; f=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0      | P2@cta 1,gpu 0         | P3@cta 1,gpu 0 ;
 st.weak x, 1   | st.release.gpu f, 1 | ld.acquire.gpu r0, f   | ld.weak r1, x  ;
exists (2:r0=1 /\ 3:r1=0)
END
try fix "$T/relay.litmus"
