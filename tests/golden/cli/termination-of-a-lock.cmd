# Loops that write, where what branches do not depend on is in no order, or two locations together show that they end: a
# lock around weak accesses, with a counter of attempts; a server that answers the same request again and again; and a
# mutex in which one thread gives way.
cat >"$T/lock.litmus" <<'END'
PTX lock
{ m=0; x=0; tries=0; }
 P0@cta 0,gpu 0                     | P1@cta 1,gpu 0                     ;
 L:                                 | L:                                 ;
 red.relaxed.gpu.add.u32 tries, 1   | red.relaxed.gpu.add.u32 tries, 1   ;
 atom.acquire.gpu.exch.b32 r0, m, 1 | atom.acquire.gpu.exch.b32 r0, m, 1 ;
 bne r0, 0, L                       | bne r0, 0, L                       ;
 ld.weak r1, x                      | ld.weak r1, x                      ;
 add.u32 r1, r1, 1                  | add.u32 r1, r1, 1                  ;
 st.weak x, r1                      | st.weak x, r1                      ;
 st.release.gpu m, 0                | st.release.gpu m, 0                ;
exists (x=1)
END
sed -e 's/PTX lock/PTX kept/' -e 's/st.release.gpu m, 0 *;$/st.release.gpu m, 1 ;/' "$T/lock.litmus" >"$T/kept.litmus"
cat >"$T/server.litmus" <<'END'
PTX server
{ q=0; r=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.release.gpu q, 1  | L:                   ;
 W:                   | ld.acquire.gpu r0, q ;
 ld.acquire.gpu r1, r | beq r0, 2, E         ;
 beq r1, 0, W         | st.release.gpu r, r0 ;
 st.release.gpu q, 2  | bra L                ;
                      | E:                   ;
exists (0:r1=0)
END
cat >"$T/mutex.litmus" <<'END'
PTX mutex
{ a=0; b=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.relaxed.gpu a, 1  | L:                   ;
 fence.sc.gpu         | st.relaxed.gpu b, 0  ;
 L:                   | ld.relaxed.gpu r0, a ;
 ld.acquire.gpu r0, b | bne r0, 0, L         ;
 bne r0, 0, L         | st.relaxed.gpu b, 1  ;
 st.release.gpu a, 0  | fence.sc.gpu         ;
                      | ld.acquire.gpu r0, a ;
                      | bne r0, 0, L         ;
                      | st.release.gpu b, 0  ;
exists (b=1)
END
for test in lock kept server mutex; do
  for progress in fair hsa; do
    ptxlit --check=termination --progress=$progress "$T/$test.litmus" | grep -e ^Termination
  done
done
