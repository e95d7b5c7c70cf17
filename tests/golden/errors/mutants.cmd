# A test without a verdict may have mutants that are not found.
cat >"$T/t.litmus" <<'EOF'
PTX loop
{ x=0; }
 P0@cta 0 ;
 L: ;
 atom.relaxed.sys.add.u32 r0, [x], 1 ;
 setp.ne.u32 p, r0, 40 ;
 @p bra L ;
exists (x=41)
EOF
cd "$T" && ptxlit mutate t.litmus
