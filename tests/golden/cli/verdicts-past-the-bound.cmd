# Verdicts past the bound: a loop in a loop, and a register carried on. One order of the accesses to x decides them.
cat >"$T/nested.litmus" <<'END'
PTX exch+nested
Expect=ptx:Never ptx-7.5:Never ptx-6.0:Never sc:Never tso:Never coherence:unknown
{
x=0;
}
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0                 ;
 L:                             | st.relaxed.gpu x, 1            ;
 atom.relaxed.gpu.exch r0, x, 2 | atom.relaxed.gpu.exch r1, x, 3 ;
 M:                             |                                ;
 atom.relaxed.gpu.exch r2, x, 4 |                                ;
 beq r2, 4, M                   |                                ;
 bne r2, 1, L                   |                                ;
exists (0:r0=1)
END
cat >"$T/carried.litmus" <<'END'
PTX exch+carried
Expect=ptx:Never ptx-7.5:Never ptx-6.0:Never sc:Never tso:Never coherence:unknown
{
x=3;
}
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0      ;
 L:                             | st.relaxed.gpu x, 1 ;
 atom.relaxed.gpu.exch r0, x, 2 |                     ;
 max.u32 r2, r2, r0             |                     ;
 bne r0, 1, L                   |                     ;
exists (0:r2=2)
END
for test in nested carried; do
  ptxlit --quiet --model ptx,ptx-7.5,ptx-6.0,sc,tso,coherence "$T/$test.litmus"
done
