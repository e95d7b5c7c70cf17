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
ptxlit map abi-13 -n 8 --timeout 0.2 | sed -n -e 's/up to [0-9] events/up to N events/' -e 's/all of [0-9]/all of N/p'
ptxlit map llvm -n 3 --mixed accesses --standard 17 >/dev/null; echo "status $?"
