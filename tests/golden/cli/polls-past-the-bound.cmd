# Loops that write whatever they find, or that nothing depends on. By hand:
# - add-0: a poll that adds 0 goes round only where it found 0, so no turn but the last leaves 1; only the release does,
#   so the last turn acquires. Without release or acquire, or with a scope too narrow, the old x may be seen.
# - grid: two blocks that add 1 and poll until both did. The block that finds 2 has read what the other's add, or a poll
#   of the other after its fence, left. Without the fences the old y may be seen.
# - work: a lock whose waiters count their attempts in w. Nothing reads w. With a relaxed unlock an increment is lost.
# - beat: a register carried on from turn to turn, which nothing but `beat` depends on. Where it is observed, or decides
#   which turn is the last, it matters: that is not decided.
poll() { # NAME RELEASE POLL
  cat >"$T/$1.litmus" <<END
PTX $1
{ x=0; f=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | L:             ;
 $2             | $3             ;
                | beq r0, 0, L   ;
                | ld.weak r1, x  ;
exists (1:r1=0)
END
}
poll add-0 'atom.release.gpu.exch.b32 _, f, 1' 'atom.acquire.gpu.add.u32 r0, f, 0'
poll or-0 'st.release.gpu f, 1' 'atom.acquire.gpu.or.b32 r0, f, 0'
poll max-0 'st.release.gpu f, 1' 'atom.acquire.gpu.max.u32 r0, f, 0'
poll add-0-relaxed 'atom.release.gpu.exch.b32 _, f, 1' 'atom.relaxed.gpu.add.u32 r0, f, 0'
poll add-0-no-release 'atom.relaxed.gpu.exch.b32 _, f, 1' 'atom.acquire.gpu.add.u32 r0, f, 0'
poll add-0-cta 'atom.release.gpu.exch.b32 _, f, 1' 'atom.acquire.cta.add.u32 r0, f, 0'
# It leaves 1 itself when it goes round, and needs no release.
poll or-1 'st.release.gpu f, 1' 'atom.acquire.gpu.or.b32 r0, f, 1'

grid() { # NAME FENCE
  cat >"$T/$1.litmus" <<END
PTX $1
{ c=0; x=0; y=0; }
 P0@cta 0,gpu 0                    | P1@cta 1,gpu 0                    ;
 st.weak x, 1                      | st.weak y, 1                      ;
 $2                                | $2                                ;
 atom.relaxed.gpu.add.u32 r0, c, 1 | atom.relaxed.gpu.add.u32 r0, c, 1 ;
 W:                                | W:                                ;
 atom.relaxed.gpu.add.u32 r1, c, 0 | atom.relaxed.gpu.add.u32 r1, c, 0 ;
 blt r1, 2, W                      | blt r1, 2, W                      ;
 $2                                | $2                                ;
 ld.weak r3, y                     | ld.weak r3, x                     ;
exists (0:r3=0 \\/ 1:r3=0)
END
}
grid grid fence.acq_rel.gpu
grid grid-cta fence.acq_rel.cta

work() { # NAME UNLOCK
  cat >"$T/$1.litmus" <<END
PTX $1
{ m=0; x=0; w=0; }
 P0@cta 0,gpu 0                       | P1@cta 1,gpu 0                       ;
 L:                                   | L:                                   ;
 atom.acquire.gpu.cas.b32 r0, m, 0, 1 | atom.acquire.gpu.cas.b32 r0, m, 0, 1 ;
 beq r0, 0, C                         | beq r0, 0, C                         ;
 red.relaxed.gpu.add.u32 w, 1         | red.relaxed.gpu.add.u32 w, 1         ;
 bra L                                | bra L                                ;
 C:                                   | C:                                   ;
 ld.weak r2, x                        | ld.weak r2, x                        ;
 add.u32 r2, r2, 1                    | add.u32 r2, r2, 1                    ;
 st.weak x, r2                        | st.weak x, r2                        ;
 $2                                   | $2                                   ;
exists (x=1)
END
}
work work 'st.release.gpu m, 0'
work work-relaxed 'st.relaxed.gpu m, 0'

beat() { # NAME RELEASE FLAG CONDITION
  cat >"$T/$1.litmus" <<END
PTX $1
{ x=0; f=0; beat=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0          ;
 st.weak x, 1   | mov.u32 r2, 0           ;
 $2             | L:                      ;
                | add.u32 r2, r2, 3       ;
                | st.relaxed.gpu beat, r2 ;
                | ld.acquire.gpu r0, f    ;
                | beq $3, L               ;
                | ld.weak r1, x           ;
exists ($4)
END
}
beat beat 'st.release.gpu f, 1' 'r0, 0' '1:r1=0'
beat beat-relaxed 'st.relaxed.gpu f, 1' 'r0, 0' '1:r1=0'
beat beat-seen 'st.release.gpu f, 1' 'r0, 0' '1:r1=0 \/ 1:r2=2'
beat beat-shown 'st.release.gpu f, 1' 'r0, 0' '1:r1=0 \/ beat=2'
for test in add-0 or-0 max-0 add-0-relaxed add-0-no-release add-0-cta or-1 grid grid-cta work work-relaxed beat \
  beat-relaxed beat-seen beat-shown; do
  ptxlit --quiet --model ptx,sc "$T/$test.litmus" 2>&1 | sed "s|$T/||g"
done
