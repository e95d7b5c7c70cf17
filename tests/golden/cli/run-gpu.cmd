# Tests as a program for a GPU: plain accesses; a loop, a predicate and an address in a register; shared memory and a
# barrier; an alias. What cannot be run is named, and stands in the manifest too.
cat >$T/MP.litmus <<'END'
PTX MP
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0         ;
 st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y   ;
 st.release.gpu y, 1 | ld.weak.L1::evict_last.u32 r1, x ;
exists (1:r0=1 /\ 1:r1=0)
END
cat >$T/control.litmus <<'END'
PTX control
{ .u64 x=0; y@generic aliases x; 0:r1=x; }
 P0@cta 0,gpu 0               | P1@cta 1,gpu 0                   ;
 LOOP:                        | atom.acq_rel.sys.cas.b64 r0, y, 0, 1 ;
 ld.relaxed.gpu.u64 r0, [r1]  | fence.proxy.alias                ;
 setp.eq.u64 p, r0, 0         |                                  ;
 @p bra LOOP                  |                                  ;
 @!p red.relaxed.gpu.inc.u32 [r1+4], 7 |                         ;
exists (1:r0=0 /\ x=1)
END
cat >$T/shared.litmus <<'END'
PTX shared
{ .shared .u32 s=3; }
 P0@cta 0,gpu 0       | P1@cta 0,gpu 0  ;
 st.weak.shared s, 1  | bar.sync 1, 64  ;
 bar.sync 1, 64       | ld.weak r0, s   ;
exists (1:r0=3 /\ cta0:s=1)
END
cat >$T/surface.litmus <<'END'
PTX surface
{ x=0; s @ surface aliases x; }
 P0@cta 0,gpu 0 ;
 sust s, 1      ;
exists (x=0)
END
try run $T/MP.litmus $T/control.litmus $T/shared.litmus $T/surface.litmus -o $T/to/program --parts 1
ls $T/to/program
cat $T/to/program/part0.cu $T/to/program/parts.cu $T/to/program/manifest.jsonl
try run -o $T/none
try run $T/absent.litmus -o $T/none
ls $T/none

# The pieces of a kernel's variable have a place each.
ptxlit run -o "$T/pieces" litmus/kernels/warp-exchange.litmus
grep -h -o 'm\.shared([^)]*)' "$T"/pieces/part*.cu | sort | uniq -c
