echo "# what a clock shows is stored; the place is told"
cat > "$T/stored.litmus" <<'END'
PTX stored
{ x=0; }
 P0@cta 0,gpu 0       ;
 mov.u32 r0, %clock   ;
 add.u32 r1, r0, 1    ;
 st.weak x, r1        ;
exists (x=1)
END
try --quiet "$T/stored.litmus"
echo "# one comparison and its opposite come out differently; two of them in any way"
cat > "$T/compared.litmus" <<'END'
PTX compared
{ 0:r4=5; }
 P0@cta 0,gpu 0         ;
 mov.u64 r0, %clock64   ;
 mov.u64 r9, %clock64   ;
 setp.lt.u64 p, r0, 9   ;
 setp.ge.u64 q, r0, 9   ;
 setp.lt.u64 s, r9, 9   ;
 selp.u32 r1, 1, 0, p   ;
 selp.u32 r2, 1, 0, q   ;
 selp.u32 r3, 1, 0, s   ;
 xor.b32 r0, r0, r0     ;
 exit                   ;
locations [0:r1; 0:r2; 0:r3;]
exists (0:r1=0:r2)
END
try "$T/compared.litmus"
try --quiet --engine=enumerate "$T/compared.litmus"
try --quiet --executions "$T/compared.litmus"
