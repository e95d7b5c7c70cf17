# What is left of a kernel, as columns; reading them again gives the same outcomes.
try --dump=ast litmus/kernels/ring-buffer.litmus
for name in ring-buffer spin-lock-no-fence grid-barrier deque-no-fence; do
  ptxlit --dump=ast "litmus/kernels/$name.litmus" >"$T/$name.litmus"
  ptxlit "litmus/kernels/$name.litmus" | grep '^Obs\|;$' >"$T/whole"
  ptxlit "$T/$name.litmus" | grep '^Obs\|;$' >"$T/columns"
  cmp "$T/whole" "$T/columns" && echo "$name: the same"
done

# A computed address that is misaligned, or from which an access goes out of its location, cannot be written as an
# offset: it stays in its register.
cat >"$T/k.ptx" <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 cache[8];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, cache;
  add.u32 %r2, %r1, 3;
  ld.shared.u32 %r1, [%r2];
  st.global.u32 [%rd1], %r1;
  ret;
}
END
cat >"$T/k.litmus" <<'END'
PTX k
{ x=0; }
kernel "k.ptx" k(x)
grid 1 block 1
exists (x=1)
END
ptxlit --dump=ast "$T/k.litmus" >"$T/columns.litmus"
sed -n '/ld.shared/p' "$T/columns.litmus"
ptxlit -q "$T/columns.litmus"
