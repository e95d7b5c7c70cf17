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
echo "fence seq_cst: fence.sc.S" >"$T/few.map"
ptxlit map "$T/few.map"
ptxlit map nosuch
ptxlit map abi-13 --operations 'update seq_cst,lode'
ptxlit map abi-13 --shape 1,2
ptxlit map abi-13 --scopes warp
ptxlit map abi-13 --placements cta,cluster
ptxlit map
