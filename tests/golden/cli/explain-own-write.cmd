# The execution that comes closest is one in which no atomic reads what it writes itself, where there is one.
cat >"$T/SB+exch.litmus" <<'END'
PTX SB+exch
{ x=0; y=0; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0                 ;
 atom.relaxed.gpu.exch r2, x, 1 | atom.relaxed.gpu.exch r2, y, 1 ;
 ld.relaxed.gpu r0, y           | ld.relaxed.gpu r0, x           ;
exists (0:r0=0 /\ 1:r0=0)
END
ptxlit explain -m sc "$T/SB+exch.litmus"
