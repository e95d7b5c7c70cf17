# A value of shared or local memory is a constant only if all paths of its thread leave it, at a known address.
cp tests/golden/kernels/paths.ptx "$T/k.ptx"
cd "$T" || exit
for name in together apart behind_barrier behind_unset behind_exchange behind_end around anywhere \
  local_array local_value local_anywhere; do
  threads=1
  case $name in behind*) threads=2 ;; esac
  printf '%s\n' "PTX $name" '{ out; flag; }' "kernel \"k.ptx\" $name(out, flag) grid 1 block $threads" \
    'kernel "k.ptx" decide(flag) grid 1 block 1' 'exists (out[0]=1)' >$name.litmus
  ptxlit check $name.litmus | grep -e ^Test -e '^out' -e Unknown:
done
