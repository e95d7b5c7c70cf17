# An instruction under a guard that memory decides leaves its result as it was where the guard fails, also where that is
# a constant: 7 or 9 is one of the outcomes of each kernel, next to that of the instruction (K14).
kernel() { # NAME LAUNCH BODY: thread %t of block 0; a thread of block 1 raises the flag at %q1
  cat >"$T/k.ptx" <<END
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 f, .param .u64 o)
{
  .shared .align 16 .b32 s[64];
  .reg .pred %p<4>;
  .reg .b32 %t, %v, %w, %f, %b;
  .reg .b64 %q<5>;
  ld.param.u64 %q1, [f];
  ld.param.u64 %q2, [o];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mul.wide.u32 %q3, %t, 4;
  add.s64 %q3, %q3, %q2;
  setp.eq.u32 %p0, %b, 1;
  @%p0 bra WRITER;
  mov.u32 %v, 7;
  ld.relaxed.sys.global.u32 %f, [%q1];
  setp.eq.u32 %p1, %f, 1;
  $3
  st.global.u32 [%q3], %v;
  ret;
WRITER:
  st.relaxed.sys.global.u32 [%q1], 1;
  ret;
}
END
  printf 'PTX %s\n{ f[2]={0}; .u32 o[4]={5}; }\nkernel "k.ptx" k(f, o) grid 2 %s\n' "$1" "$2" >"$T/k.litmus"
  printf 'locations [o[1];]\nexists (o[0]=%s)\n' "${asked:-99}" >>"$T/k.litmus"
  ptxlit --format=herd "$T/k.litmus" 2>&1 | grep -e '^o\[' -e ^Verdict -e ^Undefined
}
one() { kernel "$1" "block 1" "$2"; }
two() { kernel "$1" "block 2 threads 0,0 0,1 1,0" "$2"; }

one mov '@%p1 mov.u32 %v, 9;'
one add '@%p1 add.u32 %v, %v, 2;'
one load '@%p1 ld.global.u32 %v, [%q2];'
one vector 'mov.u32 %w, 9; @%p1 ld.global.v2.u32 {%v, %w}, [%q2]; add.u32 %v, %v, %w;'
one atomic '@%p1 atom.global.add.u32 %v, [%q2], 1;'
one address 'mov.u64 %q4, %q2; @%p1 add.s64 %q4, %q2, 4; st.global.u32 [%q4], 9;'
one predicate 'setp.eq.u32 %p2, 0, 0; @%p1 setp.ne.u32 %p2, 0, 0; @%p2 mov.u32 %v, 9;'
one loop 'mov.u32 %w, 1;
L: ld.relaxed.sys.global.u32 %f, [%q1]; setp.eq.u32 %p1, %f, 1; @%p1 mov.u32 %v, %w;
  add.u32 %w, %w, 1; setp.lt.u32 %p2, %w, 3; @%p2 bra L;'
one join 'mov.u32 %w, 3; @%p1 mov.u32 %w, 4; @%p1 bra J; ld.relaxed.sys.global.u32 %f, [%q1];
J: add.u32 %v, %v, %w;'

# Lanes that an exchange names, but that may not come to it, or come with another value in each iteration of a loop.
two shfl '@%p1 mov.u32 %v, 9; vote.sync.any.pred %p1, %p1, 3; add.u32 %w, %t, 5;
  @%p1 shfl.sync.idx.b32 %v, %w, 1, 31, 3;'
two redux 'setp.eq.or.u32 %p1, %t, 0, %p1; @%p1 redux.sync.add.u32 %v, 1, 3;'
asked=2 two turns 'mov.u32 %w, 0;
L: add.u32 %w, %w, %t; shfl.sync.idx.b32 %v, %w, 1, 31, 3; ld.relaxed.sys.global.u32 %f, [%q1];
  setp.eq.u32 %p1, %f, 0; vote.sync.any.pred %p1, %p1, 3; @%p1 bra L;'

# A register holds more than what an instruction writes: the sign of a narrow value, or another width on another path.
one sign 'st.shared.u8 [s], 255; ld.shared.s8 %w, [s]; add.u32 %v, %w, %f;'
one width 'setp.eq.u32 %p1, %f, 0; @%p1 bra B; ld.global.s8 %v, [%q1+4]; bra J;
B: mov.u32 %v, 70000; @%p1 add.u32 %v, %v, %f;
J: shr.u32 %v, %v, 4;'
