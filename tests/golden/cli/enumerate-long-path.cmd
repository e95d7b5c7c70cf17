# Brute force follows ways of 4,096 instructions; a longer one must not be left out in silence.
{
  printf '%s\n' 'PTX long' '{ x=0; }' ' P0@cta 0 | P1@cta 0 ;'
  printf '%s\n' ' ld.relaxed.cta.u32 r0, x | st.relaxed.cta.u32 x, 1 ;' ' setp.eq.u32 p1, r0, 1 | ;' ' @p1 bra L | ;'
  for i in $(seq 4100); do echo ' add.u32 r0, r0, 1 | ;'; done
  printf '%s\n' ' L: | ;' 'exists (0:r0=4100)'
} >"$T/t.litmus"
for engine in sat enumerate; do ptxlit --engine=$engine "$T/t.litmus" | grep -v '^Time'; done
