# A recursive definition that is a closure is taken as one: the same as in a group of two, which stays as it is.
cat >"$T/recursion.cat" <<'CAT'
"Recursion"
let step = rf | fr | po
let rec left-in-two = rf | left-in-two ; po and left-2 = left-in-two
let rec right-in-two = po | fr ; right-in-two and right-2 = right-in-two
let rec between-in-two = rf | between-in-two ; po ; between-in-two and between-2 = between-in-two
let rec all-in-two = rf | all-in-two ; po | fr ; all-in-two | all-in-two ; co ; all-in-two and all-2 = all-in-two
let rec plus-in-two = step | plus-in-two ; plus-in-two and plus-2 = plus-in-two
let rec half-in-two = rf | (half-in-two & po) ; half-in-two and half-2 = half-in-two
let rec left = rf | left ; po
let rec right = po | fr ; right
let rec between = rf | between ; po ; between
let rec all = rf | all ; po | fr ; all | all ; co ; all
let rec plus = step | plus ; plus
let rec half = rf | (half & po) ; half
let rec none = none ; po
flag ~empty (left \ left-in-two) | (left-in-two \ left) as Left-Differs
flag ~empty (right \ right-in-two) | (right-in-two \ right) as Right-Differs
flag ~empty (between \ between-in-two) | (between-in-two \ between) as Between-Differs
flag ~empty (all \ all-in-two) | (all-in-two \ all) as All-Differs
flag ~empty (plus \ plus-in-two) | (plus-in-two \ plus) as Plus-Differs
flag ~empty (half \ half-in-two) | (half-in-two \ half) as Half-Differs
flag ~empty none as None-Is-Some
flag ~empty left \ rf as Left-Goes-On
flag ~empty right \ po as Right-Goes-On
flag ~empty between \ rf as Between-Goes-On
flag ~empty all \ (left | right) as All-Goes-On
flag ~empty plus \ all as Plus-Goes-On
irreflexive fr ; rf as Coherent
CAT
ptxlit --model "$T/recursion.cat" --dump=model tests/golden/tests/SB.litmus 2>/dev/null | grep -c ' rec '
for engine in sat enumerate; do
  ptxlit --races --engine=$engine --model "$T/recursion.cat" litmus/classic/ISA2.litmus \
    litmus/classic/IRIW.litmus litmus/classic/SB.litmus litmus/classic/2+2W.litmus 2>/dev/null | grep '^Flag' |
    sed 's/:.*//' | sort | uniq -c
done
