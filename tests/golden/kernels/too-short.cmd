# An access beside its array names the array, its extent, the offset and the thread: behind the end in global and in
# shared memory, before the begin; where a null pointer leads no array is named. Columns have the same words.
cat >"$T/k.ptx" <<'END'
.version 8.8
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 a, .param .u32 first)
{
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [a];
  ld.param.u32 %r1, [first];
  mov.u32 %r2, %tid.x;
  add.s32 %r2, %r2, %r1;
  mul.wide.s32 %d2, %r2, 4;
  add.s64 %d3, %d1, %d2;
  st.global.u32 [%d3], %r2;
  ret;
}
.visible .entry near()
{
  .reg .b32 %r<4>;
  .shared .align 4 .b8 s[128];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, s;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  ret;
}
END
for launch in 'fill<<<1, 64>>>(int a[64], -1)' 'near<<<1, 64>>>()'; do
  ptxlit check --format=herd "$T/k.ptx" "$launch" | grep '^Unsafe'
done
# Behind the end, a launch line is wrong; a test file asks what the launch does.
ptxlit check "$T/k.ptx" 'fill<<<1, 64>>>(int a[40], 0)' 2>&1
ptxlit check --print "$T/k.ptx" 'fill<<<1, 64>>>(int a[64], 0)' | sed 's/a\[64/a[40/' >"$T/fill.litmus"
ptxlit --format=herd "$T/fill.litmus" | grep '^Unsafe'
ptxlit --format=json "$T/fill.litmus" | grep -o '"findings":.*"text":"[^"]*"}\]'
ptxlit explain "$T/fill.litmus" | sed -n '1,/the rule/p'
printf 'PTX columns\n{ x[4]; i=&x+16; }\nP0@cta 0,gpu 0 ;\nld.weak r0, [i] ;\nst.weak [r0], 1 ;\nsafe\n' >"$T/c.litmus"
ptxlit --format=herd "$T/c.litmus" | grep '^Unsafe'
printf 'PTX null\n{ x; .u64 i=0; }\nP0@cta 0,gpu 0 ;\nld.weak.u64 r0, [i] ;\nst.weak [r0], 1 ;\nsafe\n' >"$T/n.litmus"
ptxlit --format=herd "$T/n.litmus" | grep '^Unsafe'
