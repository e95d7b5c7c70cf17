# Threads of one scope stand together, whatever their order in the test; warps and clusters show where they matter.
cat >"$T/columns.litmus" <<'END'
PTX columns
{ x=0; y=0; }
 P0@warp 0,cta 0,cluster 0,gpu 0 | P1@cta 0,gpu 1  | P2@cta 1,cluster 0,gpu 0 | P3@warp 0,cta 0,cluster 0,gpu 0 ;
 st.relaxed.sys x, 1             | ld.weak r0, x   | atom.add.sys r0, x, 1    | ld.relaxed.sys r0, x             ;
exists (1:r0=1)
END
try graph "$T/columns.litmus"
