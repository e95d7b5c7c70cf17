# A safe launch that shows more than interleavings: the remark in each form, and its repair; the same test in columns.
cd "$T" || exit
cat >flag.ptx <<EOF
.version 8.0
.target sm_80
.address_size 64
.visible .entry flag(.param .u64 d, .param .u64 f, .param .u64 o) {
.reg .b64 %a<3>; .reg .b32 %r<4>; .reg .pred %p<2>;
ld.param.u64 %a0, [d]; ld.param.u64 %a1, [f]; ld.param.u64 %a2, [o];
mov.u32 %r0, %ctaid.x;
setp.ne.u32 %p0, %r0, 0;
@%p0 bra WAIT;
st.volatile.global.u32 [%a0], 5;
st.volatile.global.u32 [%a1], 1;
ret;
WAIT:
ld.volatile.global.u32 %r1, [%a1];
setp.eq.u32 %p1, %r1, 0;
@%p1 bra WAIT;
ld.volatile.global.u32 %r2, [%a0];
st.global.u32 [%a2], %r2;
ret; }
EOF
sed -e 's/^st.volatile.*a1\], 1;/membar.gl; &/' -e 's/^ld.volatile.*r2, /membar.gl; &/' flag.ptx >fenced.ptx
call='flag<<<2, 1>>>(unsigned d[1], unsigned f[1], unsigned o[1])'
ptxlit check --format=herd flag.ptx "$call" | grep -e Sequential -e Verdict
ptxlit check --quiet flag.ptx "$call"
ptxlit check --format=json flag.ptx "$call" | grep -o '"sequential":false,"cycle":.*"then":"fr"'
ptxlit check --format=herd fenced.ptx "$call" | grep -e Sequential -e Verdict
ptxlit explain flag.ptx "$call" | head -n 12
cd "$OLDPWD" && ptxlit check --quiet --engine=enumerate tests/golden/sequence/in-turns-*.litmus
