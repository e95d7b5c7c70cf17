# A mapping with a fault that shows early, as text and JSON; one without; a limit of time.
cat >"$T/weak.map" <<'MAP'
"Without fences"
load relaxed:   ld.relaxed.S
load acquire:   ld.acquire.S | ld.relaxed.S
store relaxed:  st.relaxed.S
store release:  st.release.S
MAP
ptxlit map "$T/weak.map" >"$T/found"
echo "status $?"
sed 's/ *$//' "$T/found"
ptxlit map --format json "$T/weak.map" | sed 's/"forbidden":.*//'
ptxlit map abi-13 -n 3 | head -n 4
ptxlit map abi-13 -n 8 --timeout 2 |
  sed -n -e 's/up to [0-9] events/up to N events/' -e 's/all tests of [0-9]/all tests of N/p'
ptxlit map llvm -n 3 --mixed accesses --standard 17 >/dev/null; echo "status $?"
# What is blamed: the update, whose row alone has to be another; two rows to be repaired together; either of two.
rows() { grep -e '^Counterexample' -e '^  or ' -e '^  together ' -e 'counterexample [0-9]'; }
{ grep -v '^update seq_cst' models/maps/abi-13.map; echo 'update seq_cst: atom.acq_rel.S'; } >"$T/update.map"
ptxlit map "$T/update.map" -n 4 --operations 'store seq_cst,update seq_cst' | rows
{ grep -v -e '^store release' -e '^load acquire' models/maps/abi-12.8.map
  echo 'store release: st.relaxed.S'; echo 'load acquire: ld.relaxed.S'; } >"$T/both.map"
ptxlit map "$T/both.map" -n 4 --operations 'load plain,store plain,store release,load acquire' | rows
ptxlit map abi-12.8 -n 6 --shape 3,2,1 --mixed objects \
  --operations 'load relaxed,load seq_cst,store seq_cst,fence seq_cst' | rows
# Volatile reaches the system and an atom without qualifiers the GPU, whatever the operation's scope.
printf '%s\n' 'load relaxed: ld.volatile' 'load acquire: ld.volatile; membar.S' 'store release: membar.S; st.volatile' \
  'update relaxed: atom' >"$T/volatile.map"
ptxlit map "$T/volatile.map" -n 4 | sed 's/ *$//' | tail -n 5
ptxlit map "$T/volatile.map" -n 4 --scopes sys --placements gpu,sys | rows
# A loop of cas in place of an atom, and bytes of one word.
ptxlit map llvm-bytes -n 3 --operations 'store relaxed,load relaxed,update relaxed' |
  sed -n -e '/^Counterexample/,/exists/p' -e '/^Compiled/,/exists/p' -e '/^Model/p'
ptxlit map llvm-emulated -n 4 --shape 2,2 --operations 'store release,load acquire,update acq_rel' | sed -n '2,3p'
# Rules on PTX, as text and JSON; only where all threads are of one CTA; the time limit.
cat >"$T/rules.map" <<'MAP'
"Loads merged"
ld.weak r1, a; ld.weak r2, a -> ld.weak r1, a; mov r2, r1
ld.weak r1, a; ld.acquire.S r2, b; ld.weak r3, a -> ld.weak r1, a; ld.acquire.S r2, b; mov r3, r1
st.release.gpu a, v1 -> st.release.cta a, v1 in cta
MAP
ptxlit map "$T/rules.map"; echo "status $?"
ptxlit map "$T/rules.map" --format json | sed 's/"forbidden":.*//'
ptxlit map peepholes -n 8 --timeout 1 | sed -n '/time limit/p'
