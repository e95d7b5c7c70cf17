# A closure of a relation that leads back and forth between the events of a thread.
cat >"$T/ring.cat" <<'END'
"Ring"
irreflexive rf ; (fr | (int & ((_ \ IW) * (_ \ IW))))+ as ring
END
try --quiet --model "$T/ring.cat" litmus/fences/SB+fence.sc.gpu.litmus
