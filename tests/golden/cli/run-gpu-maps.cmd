# Tensor maps and addresses of other CTAs as a program for a GPU: a map is 128 bytes, which the host fills in, and what
# takes sm_90a is in a file of its own. What is left out is named.
cat >$T/map.litmus <<'END'
PTX map
{ .b128 x=1; .b128 y=2; tensormap tm={x,y}; .shared .b128 s=0; mbarrier b=1; }
 P0@cta 0 ;
 tensormap.replace.tile.global_address.global.b1024.b64 [tm], y ;
 fence.proxy.tensormap::generic.release.gpu ;
 fence.proxy.tensormap::generic.acquire.gpu [tm], 128 ;
 mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16 ;
 cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [s], [tm, {0}], [b] ;
 mbarrier.wait.parity.shared::cta.b64 [b], 0 ;
 ld.shared.b128 r0, [s] ;
exists (0:r0=1)
END
cat >$T/mapa.litmus <<'END'
PTX mapa
{ .shared .u32 s=0; }
 P0@cta 0,cluster 0     | P1@cta 1,cluster 0     ;
 mapa.u64 r0, s, 1      | isspacep.shared p0, s  ;
 getctarank.u64 r1, r0  |                        ;
 st.u32 [r0], 5         |                        ;
exists (0:r1=1 /\ 1:p0=1 /\ cta1:s=5)
END
cat >$T/lanes.litmus <<'END'
PTX lanes
{ x=0; }
 P0@lane 0,warp 0,cta 0 | P1@lane 1,warp 0,cta 0 ;
 bar.sync 0             | bar.sync 0             ;
exists (x=0)
END
try run $T/map.litmus $T/mapa.litmus $T/lanes.litmus -o $T/program --parts 1
ls $T/program
for part in sm_90a part0; do
  grep -e '^const object' -e '^  {.*128' -e 'tests\[\]' $T/program/$part.cu
  sed -n '/open_maps/,/^  }/p; /void play/,/^  }/p' $T/program/$part.cu | grep -v '[.]reg'
done
cat $T/program/parts.cu
