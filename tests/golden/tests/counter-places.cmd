# Where a ticket may lead: the values of a counter are what constants of one sign can sum up to, so that the places are
# few in an array of any size. Where another write makes the value, or signs differ, it may be any.
cat >"$T/t.litmus" <<'TEST'
PTX t
{ .u32 next=2; .u32 other; .u32 data[64]; }
 P0@cta 0,gpu 0              | P1@cta 1,gpu 0              ;
 atom.add.u32 r0, next, 3    | atom.add.u32 r0, next, 1    ;
 mul.wide.u32 %rd0, r0, 4    | mul.wide.u32 %rd0, r0, 4    ;
 mov.u64 %rd1, data          | mov.u64 %rd1, data          ;
 add.u64 %rd0, %rd0, %rd1    | add.u64 %rd0, %rd0, %rd1    ;
 st.relaxed.gpu.u32 [%rd0], 1 | st.relaxed.gpu.u32 [%rd0], 2 ;
exists (data[2]=1 /\ data[5]=2)
TEST
places() { ptxlit --dump=events "$1" | grep 'W relaxed.gpu generic.*st.relaxed' | sed 's/ *\/\/.*//' | cut -c1-90; }
places "$T/t.litmus"
for engine in sat enumerate; do
  ptxlit --engine=$engine "$T/t.litmus" | grep -e '^data' -e ^Observation
done
echo
sed 's/atom.add.u32 r0, next, 1 /atom.add.u32 r0, next, -1/' "$T/t.litmus" >"$T/signs.litmus"
places "$T/signs.litmus"
echo
sed 's/atom.add.u32 r0, next, 1 /atom.max.u32 r0, next, 1 /' "$T/t.litmus" >"$T/max.litmus"
places "$T/max.litmus"
