# Tables that are wrong, and words that name no operation.
cat >"$T/wrong.map" <<'MAP'
"A table
load relaxed: ld.relaxed.gpu
load release: ld.relaxed.S
move relaxed: ld.relaxed.S
store relaxed st.relaxed.S
store release: st.release.S; st.relaxed.S
store seq_cst: fence.sc.S | st.relaxed.S
update relaxed: atom.relaxed.S atom.relaxed.S
update acquire: atom.acquire.S |
update release: atom.sc.S
fence seq_cst: fence.sc.S; ld.relaxed.S
fence acquire: fence.acquire.S
fence acquire: fence.acq_rel.S
MAP
ptxlit map "$T/wrong.map"
# A loop of cas: what begins it, and what has to be one.
cat >"$T/loops.map" <<'MAP'
Width=8
load relaxed: ld.relaxed.S.cas
store relaxed: st.relaxed.S
update relaxed: atom.relaxed.S.cas
update acquire: ld.weak; fence.acquire.S; atom.relaxed.S.cas
update release: ld.weak; atom.relaxed.S
update acq_rel: atom.acq_rel.S
MAP
ptxlit map "$T/loops.map"
# Rules: instructions that are none, registers and values that one side lacks, rules beside rows.
cat >"$T/rules.map" <<'MAP'
ld.weak r1, a; ld.weak r2, a -> ld.weak r1, a
ld.weak r1, a -> ld.release.S r1, a
ld.weak.S r1, a -> ld.weak r1, a
st.weak a, v1 -> st.weak a, v2
st.weak a, 1 -> nothing
ld.weak r1, a; ld.weak r1, b -> ld.weak r1, a
mov r1, v1 -> nothing
atom.relaxed.S.add r1, a, 1 -> ld.relaxed.S r1, a
ld.weak r1, a, b -> ld.weak r1, a
fence.sc -> nothing
fence.sc.S; -> nothing
-> nothing
ld.weak r1, a -> ld.weak r1, b
st.weak a, v1; st.weak b, v2 -> st.weak a, v2
ld.relaxed.S r1, a -> atom.relaxed.S.add r1, a, 0
MAP
ptxlit map "$T/rules.map"
printf '%s\n' 'load relaxed: ld.relaxed.S' 'store relaxed: st.relaxed.S' 'fence.sc.S -> nothing' >"$T/both.map"
ptxlit map "$T/both.map"
ptxlit map peepholes --shape 2,2
echo "fence seq_cst: fence.sc.S" >"$T/few.map"
ptxlit map "$T/few.map"
ptxlit map nosuch
ptxlit map abi-13 --operations 'update seq_cst,lode'
ptxlit map abi-13 --shape 1,2
ptxlit map abi-13 --scopes warp
ptxlit map abi-13 --placements cta,cluster
ptxlit map
