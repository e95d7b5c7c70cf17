# The release and acquire of a cluster barrier are its own: its events are in none of the sets of accesses and fences.
cat >"$T/sets.cat" <<'END'
"Sets"
flag ~empty (po & (_ * (REL | ACQ | ACQ_REL | RLX | SC))) as after-a-strong-event
flag ~empty (po & (M * _)) as something-after-an-access
END
try --races --model "$T/sets.cat" litmus/cluster/MP+barrier.cluster+explicit.litmus
