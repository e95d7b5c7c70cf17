# Lines of what a module was compiled from, .loc, beside those of the module: in findings, races, pictures and JSON; of
# what was inlined also where.
cat >"$T/lines.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z5linesPi(.param .u64 .ptr .align 4 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  .loc 1 2 0
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %ctaid.x;
  .loc 1 4 3
  .loc 2 7 3, function_name $L__one, inlined_at 1 4 3
  .loc 3 9 3, function_name $L__two, inlined_at 2 7 3
  st.release.gpu.global.u32 [%rd2], %r1;
  .loc 1 5 3
  st.global.u32 [%rd2+4], 1;
  ret;
}
  .file 1 "/a/b/lines.cu"
  .file 2 "/a/b/middle.h"
  .file 3 "/a/b/inner.h"
END
sed 's/st.release.gpu.global.u32 .%rd2./trap; &/' "$T/lines.ptx" >"$T/trap.ptx"
launch='lines<<<2, 1>>>(int out[2])'
for module in lines trap; do
  ptxlit check --format=herd "$T/$module.ptx" "$launch" 2>/dev/null | grep ^Unsafe
done
ptxlit check --format json "$T/lines.ptx" "$launch" 2>/dev/null | grep -o '"findings":.*"races"'
ptxlit races "$T/lines.ptx" "$launch" 2>/dev/null
ptxlit check --print "$T/lines.ptx" "$launch" >"$T/lines.litmus"
ptxlit graph "$T/lines.litmus"
ptxlit graph --format svg "$T/lines.litmus" | grep -o 'inner.h:9[^<]*'
# The module just compiled: its source's lines, and where these are lines of something inlined.
printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncat "%s" >"$2"\n' "$T/lines.ptx" >"$T/nvcc"
chmod +x "$T/nvcc"
echo '// lines' >"$T/lines.cu"
ptxlit check --format=herd --compiler "$T/nvcc" "$T/lines.cu" "$launch" 2>/dev/null | grep ^Unsafe
