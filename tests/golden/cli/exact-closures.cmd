# Closures and recursive definitions where an approximation would be wrong (under a difference, where more edges allow
# more), tests of every kind as axiom, flag and undefined_unless, and operators on sets: both engines must say the same.
cat >"$T/order.litmus" <<'END'
PTX order
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       | P2@cta 2,gpu 0       ;
 st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r2, y ;
                     | st.relaxed.gpu y, 1  | ld.relaxed.gpu r3, x ;
exists (1:r0=1 /\ 2:r2=1 /\ 2:r3=0)
END
model() { # NAME: text on stdin
  { echo "\"$1\""; echo 'include "cos.cat"'; cat; } >"$T/$1.cat"
}
both() { # NAME
  try --quiet --races --model "$T/$1.cat" "$T/order.litmus" tests/golden/tests/SB.litmus
  for engine in sat enumerate; do
    ptxlit --races --engine=$engine --model "$T/$1.cat" "$T/order.litmus" tests/golden/tests/SB.litmus |
      grep -v -e '^Time' >"$T/$engine"
  done
  cmp "$T/sat" "$T/enumerate" && grep -e '^States' -e '^Flag' "$T/sat"
}

model far <<'END'
empty fr \ (po | rf | co | fr)+ as Everything-Is-Far
empty (rf ; fr) & ~((po | rf)+ | (po | rf)+^-1) as Only-What-Is-Reached
END
both far
model recursive <<'END'
let rec far = po | rf | (far ; near) and near = po | (near ; far)
empty (rf ; po ; rf) \ far as Recursive
empty (fr ; rf^-1) \ (near | ~near) as Sure
END
both recursive
model never <<'END'
let rec far = (po | rf) | far ; far
empty ([W] ; far ; [R]) \ rf \ po as Nothing-Goes-Far
END
both never
model flags <<'END'
flag ~acyclic (po | rf | fr) as Cycle
flag acyclic (po | rf | fr) as No-Cycle
flag ~irreflexive (fr ; po ; rf ; po ; rf ; po) as Ring
flag ~empty domain(rf) \ IW as Read-From
flag ~empty range(fr) & ~domain(rf) as Seen-By-None
END
both flags
model undefined <<'END'
undefined_unless irreflexive (fr ; po ; fr ; po) as Buffers
undefined_unless ~empty (range(rf) | domain(rf)) as Some-Read
END
both undefined
model sets <<'END'
let old = R \ range(rf & (_ * (~IW & W)))
empty (old * old) & ext & (rf^-1 ; rf) \ id as No-Two-Old
END
both sets
